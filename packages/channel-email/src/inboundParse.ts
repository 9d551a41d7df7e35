import { createHmac } from "node:crypto"
import { matchesSecret, type ProviderRequest, WebhookUnreadable } from "@parley/core"
import { Either } from "effect"
import { make as multipart } from "multipasta"
import type { EmailCredentials } from "./EmailCredentials.js"

/** The maximum size of a request in bytes: a mail of the size that most servers accept. */
export const maxMailBytes = 32 * 1024 * 1024

/**
 * Whether the request proves the connection's secret: `X-Parley-Signature: sha256=<hex HMAC-SHA256 of the body>`, or
 * the secret itself as bearer token or as the password of HTTP basic authentication, for services that cannot sign.
 */
export const isFromInbound = ({ inbound_secret: secret }: EmailCredentials, request: ProviderRequest): boolean => {
  if (secret === undefined) return false
  const { "x-parley-signature": signature, authorization } = request.headers
  if (signature !== undefined) {
    return matchesSecret(signature, `sha256=${createHmac("sha256", secret).update(request.body).digest("hex")}`)
  }
  const [scheme = "", given = ""] = (authorization ?? "").split(" ", 2)
  if (scheme.toLowerCase() === "bearer") return matchesSecret(given, secret)
  if (scheme.toLowerCase() !== "basic") return false
  const login = Buffer.from(given, "base64").toString("utf8")
  return matchesSecret(login.slice(login.indexOf(":") + 1), secret)
}

/** The form fields that contain the raw mail: SendGrid's and Mailgun's. */
const mailFields = ["email", "body-mime"]

/** Maximum number of fields of a form, files included. */
const maxFields = 500

/** Bytes of a form that are parsed before it is checked for errors. */
const chunkBytes = 65_536

/** The bytes of the mail in a request: the body, or a field of a form. */
export const postedMail = ({ body, headers }: ProviderRequest): Either.Either<Uint8Array, WebhookUnreadable> => {
  const contentType = headers["content-type"] ?? ""
  const [type = ""] = contentType.toLowerCase().split(";")
  switch (type.trim()) {
    case "multipart/form-data":
      return Either.fromNullable(formField(contentType, body), () => noMail)
    case "application/x-www-form-urlencoded": {
      const text = Buffer.from(body).toString("latin1")
      if (text.split("&", maxFields + 1).length > maxFields) return Either.left(noMail)
      const form = new URLSearchParams(text)
      const field = mailFields.map((name) => form.get(name)).find((value) => value !== null)
      return Either.fromNullable(field === undefined ? null : Buffer.from(field ?? ""), () => noMail)
    }
    case "message/rfc822":
    case "application/octet-stream":
    case "text/plain":
      return Either.right(body)
    default:
      return unreadable("must be a mail as message/rfc822, or a form with one")
  }
}

const unreadable = (reason: string): Either.Either<never, WebhookUnreadable> =>
  Either.left(new WebhookUnreadable({ reason }))

const noMail = new WebhookUnreadable({
  reason: "has no field email or body-mime with the raw mail: have the service post the full MIME message"
})

/**
 * The field as bytes, because a mail has charsets of its own. Null if the field is missing or the form is malformed.
 */
const formField = (contentType: string, body: Uint8Array): Uint8Array | null => {
  let field: Uint8Array | null = null
  let broken = false
  const form = multipart({
    headers: { "content-type": contentType },
    maxParts: maxFields,
    maxFieldSize: maxMailBytes,
    // A service may post the mail as a file. Other files are ignored.
    isFile: ({ filename, name }) => filename !== undefined && !mailFields.includes(name),
    onField: ({ name }, value) => {
      if (mailFields.includes(name)) field = value
    },
    onFile: () => () => {},
    onError: () => {
      broken = true
    },
    onDone: () => {}
  })
  // The parser throws if a part has no headers.
  const read = Either.try(() => {
    // The parser reports what is wrong, and goes on.
    for (let at = 0; at < body.length && !broken; at += chunkBytes) form.write(body.subarray(at, at + chunkBytes))
    form.end()
  })
  return broken || Either.isLeft(read) ? null : field
}
