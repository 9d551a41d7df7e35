import type { MimeNode } from "@zone-eu/mailsplit"

/** The bytes of a text as sent, without their transfer encoding (RFC 2045, 6). */
export const transferDecoded = (encoding: MimeNode["encoding"], sent: Buffer): Buffer => {
  if (encoding === "base64") return Buffer.from(sent.toString("latin1"), "base64")
  if (encoding !== "quoted-printable") return sent
  const text = sent.toString("latin1").replace(/=[ \t]*\r?\n/g, "")
  return Buffer.from(
    text.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  )
}
