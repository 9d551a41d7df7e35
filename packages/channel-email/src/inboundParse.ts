import { createHmac } from "node:crypto"
import { matchesSecret, nextTurn, type ProviderRequest, WebhookUnreadable } from "@parley/core"
import { Effect } from "effect"
import { make as multipart } from "multipasta"
import type { EmailCredentials } from "./EmailCredentials.js"
import { urlencodedField } from "./urlencodedField.js"

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

/** Bytes of a form that are parsed in one turn of the event loop. */
const chunkBytes = 1_048_576

/** The bytes of the mail in a request: the body, or a field of a form. */
export const postedMail = ({ body, headers }: ProviderRequest): Effect.Effect<Uint8Array, WebhookUnreadable> => {
  const contentType = headers["content-type"] ?? ""
  const [type = ""] = contentType.toLowerCase().split(";")
  switch (type.trim()) {
    case "multipart/form-data":
      return Effect.filterOrFail(formField(contentType, body), isGiven, () => noMail)
    case "application/x-www-form-urlencoded":
      return Effect.filterOrFail(
        Effect.promise(() => urlencodedField(body, mailFields, maxFields)),
        isGiven,
        () => noMail
      )
    case "message/rfc822":
    case "application/octet-stream":
    case "text/plain":
      return Effect.succeed(body)
    default:
      return new WebhookUnreadable({ reason: "must be a mail as message/rfc822, or a form with one" })
  }
}

const isGiven = (field: Uint8Array | null) => field !== null

const noMail = new WebhookUnreadable({
  reason: "has no field email or body-mime with the raw mail: have the service post the full MIME message"
})

/**
 * The field as bytes, because a mail has charsets of its own. Null if the field is missing or the form is malformed.
 */
const formField = (contentType: string, body: Uint8Array): Effect.Effect<Uint8Array | null> =>
  Effect.suspend(() => {
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
    const write = (at: number) => Effect.try(() => form.write(body.subarray(at, at + chunkBytes)))
    // The parser reports what is wrong, and goes on.
    const writeAll = Effect.iterate(0, {
      while: (at) => at < body.length && !broken,
      body: (at) => Effect.as(Effect.zipRight(at === 0 ? Effect.void : nextTurn, write(at)), at + chunkBytes)
    })
    // It throws if a part has no headers.
    return Effect.match(Effect.zipRight(writeAll, Effect.try(form.end)), {
      onFailure: () => null,
      onSuccess: () => (broken ? null : field)
    })
  })
