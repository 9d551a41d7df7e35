import { type ErrorCode, ParleyError } from "../ParleyError.js"
import type { RawAnswer } from "./attempt.js"
import { isObject, parsed } from "./parsed.js"

/** The error of an unsuccessful response: the error envelope, the token endpoint's format, or `unexpected_response`. */
export const errorOf = (answer: RawAnswer, now: number, idempotencyKey: string | null): ParleyError => {
  const body = parsed(answer.text)
  const error = isObject(body) ? body.error : undefined
  const requestId = answer.headers.get("x-request-id")
  const common = { status: answer.status, retryAfter: retryAfterOf(answer.headers, now), idempotencyKey }
  if (isObject(error) && typeof error.code === "string") {
    const details = isObject(error.details) ? error.details : {}
    return new ParleyError({
      ...common,
      code: error.code as ErrorCode,
      message: `${error.message}${error.code === "validation_failed" ? problemIn(details) : ""}`,
      details,
      requestId: typeof error.request_id === "string" ? error.request_id : requestId
    })
  }
  if (isObject(body) && typeof error === "string") {
    const message = String(body.error_description ?? error)
    return new ParleyError({ ...common, code: error as ErrorCode, message, requestId })
  }
  return unexpected(answer, now, idempotencyKey)
}

/** The first problem of the body, because logs often have the message of an error alone; empty without one. */
const problemIn = (details: { readonly [name: string]: unknown }): string => {
  const [first, ...more] = Object.entries(details).flatMap(([field, texts]) =>
    Array.isArray(texts) ? texts.map((text) => `${field}: ${text}`) : []
  )
  if (first === undefined) return ""
  return more.length === 0 ? ` (${first})` : ` (${first}; and ${more.length} more in details)`
}

/** A response that is not in the service's format. */
export const unexpected = ({ status, headers }: RawAnswer, now: number, idempotencyKey: string | null): ParleyError =>
  new ParleyError({
    code: "unexpected_response",
    message: `A response with status ${status} that is not the service's. Check the base URL and the proxies in between.`,
    status,
    requestId: headers.get("x-request-id"),
    retryAfter: retryAfterOf(headers, now),
    idempotencyKey
  })

/** In seconds. Gateways may send a date. */
const retryAfterOf = (headers: Headers, now: number): number | null => {
  const given = headers.get("retry-after")
  if (given === null) return null
  if (/^\d{1,9}$/.test(given)) return Number(given)
  const at = Date.parse(given)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1_000))
}
