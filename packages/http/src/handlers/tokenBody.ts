import { type Refusal, refuse } from "@parley/core"
import { Either } from "effect"
import { headerOf, type Incoming } from "../server/Incoming.js"
import { type JsonObject, jsonBody, utf8 } from "../server/jsonBody.js"

/** In bytes: far more than the four fields of a token request, whose body is parsed before its sender is known. */
export const tokenBodyLimit = 16_384

/**
 * Fields of a token request: a JSON or form body, with the credentials of `Authorization: Basic` (RFC 6749, section
 * 2.3.1). An `Authorization` header of another form is ignored.
 */
export const tokenBody = (bytes: Uint8Array, incoming: Incoming): Either.Either<JsonObject, Refusal> =>
  Either.flatMap(isForm(incoming) ? formBody(bytes) : jsonBody(bytes, incoming), (fields) => {
    const basic = basicCredentials(headerOf(incoming, "authorization"))
    if (basic === null) return Either.right(fields)
    const { client_id, client_secret } = fields
    return isGiven(client_secret) || (isGiven(client_id) && client_id !== basic.client_id)
      ? bad("Send the client's credentials in one place: in the Authorization header, or in the body.")
      : Either.right({ ...fields, ...basic })
  })

const isForm = (incoming: Incoming): boolean =>
  /^application\/x-www-form-urlencoded[ \t]*(;|$)/i.test(headerOf(incoming, "content-type") ?? "")

const formBody = (bytes: Uint8Array): Either.Either<JsonObject, Refusal> =>
  Either.flatMap(utf8(bytes), (text) => {
    const form = new URLSearchParams(text)
    return new Set(form.keys()).size < form.size
      ? bad("Each field must be given once.")
      : Either.right(Object.fromEntries(form))
  })

/** Credentials of a Basic header; null if the header is absent or malformed. */
const basicCredentials = (header: string | undefined) => {
  const encoded = /^Basic +([0-9A-Za-z+/]+={0,2})$/i.exec(header ?? "")?.[1] ?? ""
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, "base64").toString()) ?? []
  return id === undefined || secret === undefined
    ? null
    : { client_id: formDecoded(id), client_secret: formDecoded(secret) }
}

/** Both values are form-encoded before they are joined (RFC 6749, section 2.3.1). */
const formDecoded = (text: string): string => new URLSearchParams(`_=${text.replaceAll("&", "%26")}`).get("_") ?? ""

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

const bad = (message: string) => Either.left(refuse("bad_request", {}, message))
