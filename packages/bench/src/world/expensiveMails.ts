/** A mail as a mail service posts it. */
export interface PostedMail {
  readonly name: string
  readonly type: string
  readonly body: Buffer
}

const head = "From: ada@customer.example\r\nTo: hello@bakery.example\r\nSubject: Order\r\n"
const mail = (name: string, headers: string, content: string): PostedMail => ({
  name,
  type: "message/rfc822",
  body: Buffer.from(`${head}${headers}\r\n${content}`)
})
const file = (encoding: string, content: string) =>
  `--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n--b--\r\n`
const mixed = "Content-Type: multipart/mixed; boundary=b\r\n"
const repeated = (line: string, bytes: number) => line.repeat(Math.floor(bytes / line.length))

/** Mails that are built to be expensive, with contents of up to so many bytes. */
export const expensiveMails = (bytes: number): ReadonlyArray<PostedMail> => [
  mail("quoted lines", "", repeated(">\r\n", bytes)),
  mail("flowed text", "Content-Type: text/plain; format=flowed\r\n", repeated("a \r\n", bytes)),
  mail("a quoted-printable text", "Content-Transfer-Encoding: quoted-printable\r\n", repeated("=41", bytes)),
  mail("HTML of tags", "Content-Type: text/html\r\n", repeated("<b>x</b>", bytes)),
  mail("a `Cc` header of 250 kB", `Cc: ${repeated("a:", 250_000)}\r\n`, "x"),
  mail("a `Cc` header of encoded words", `Cc: ${repeated("=?utf-8?q?a?= ", 250_000)}\r\n`, "x"),
  mail("30,000 headers", repeated("a:\r\n", 120_000), "x"),
  mail("a quoted-printable file", mixed, file("quoted-printable", repeated("=41=41\r\n", bytes))),
  mail("a base64 file", mixed, file("base64", repeated("AAAA", bytes))),
  mail("a file of short lines", mixed, file("8bit", repeated("\r\n", bytes))),
  {
    name: "a form with a file",
    type: "multipart/form-data; boundary=b",
    body: Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="email"\r\n\r\n${head}\r\nx\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${repeated("\r\n--", bytes)}\r\n--b--\r\n`
    )
  },
  {
    name: "an urlencoded form",
    type: "application/x-www-form-urlencoded",
    body: Buffer.from(`email=${encodeURIComponent(`${head}\r\n`)}${repeated("%41", bytes)}`)
  }
]
