import type { ParleyError } from "../ParleyError.js"
import { attempt, type RawAnswer, type RawRequest } from "./attempt.js"
import type { Credential } from "./Credential.js"
import { errorOf, unexpected } from "./errorOf.js"
import { isObject, parsed } from "./parsed.js"
import { retryDelay } from "./retryDelay.js"
import type { Settings } from "./Settings.js"
import { pause } from "./Timing.js"

export interface Exchange extends Omit<RawRequest, "headers"> {
  /** Null for requests without credential. */
  readonly credential: Credential | null
  /** Whether a body has the expected shape. */
  readonly fits: (body: { readonly [key: string]: unknown }) => boolean
}

export interface Exchanged {
  readonly body: { readonly [key: string]: unknown }
  readonly headers: Headers
}

/**
 * Sends a request until it succeeds, its error is not retryable, or the retries are used up
 * (docs/reference/errors.md#retry-rules).
 */
export const exchange = async (settings: Settings, { credential, fits, ...request }: Exchange): Promise<Exchanged> => {
  const { timing, maxRetries } = settings
  const { idempotencyKey, signal } = request
  let renewed = false
  for (let retries = 0; ; ) {
    const token = credential === null ? null : await credential.token(signal)
    const outcome = await attempt(settings, { ...request, headers: headersOf(settings, request, token) }).then(
      (answer) => read(answer, fits, timing.now(), idempotencyKey),
      (error: ParleyError) => {
        signal?.throwIfAborted()
        return error
      }
    )
    if ("body" in outcome) return outcome
    if (outcome.status === 401 && !renewed && token !== null && credential?.refused(token)) {
      renewed = true
      continue
    }
    const delay = retryDelay(outcome, retries, timing.random())
    if (delay === null || retries === maxRetries) throw outcome
    retries += 1
    await pause(timing, delay, signal)
  }
}

const read = (
  answer: RawAnswer,
  fits: Exchange["fits"],
  now: number,
  idempotencyKey: string | null
): Exchanged | ParleyError => {
  if (answer.status < 200 || answer.status > 299) return errorOf(answer, now, idempotencyKey)
  const body = parsed(answer.text)
  return isObject(body) && fits(body) ? { body, headers: answer.headers } : unexpected(answer, now, idempotencyKey)
}

const headersOf = (
  settings: Settings,
  { body, idempotencyKey }: Omit<RawRequest, "headers">,
  token: string | null
) => ({
  accept: "application/json",
  "user-agent": settings.userAgent,
  ...settings.headers,
  ...(body === null ? {} : { "content-type": typeof body === "string" ? "application/json" : body.contentType }),
  ...(token === null ? {} : { authorization: `Bearer ${token}` }),
  ...(idempotencyKey === null ? {} : { "idempotency-key": idempotencyKey })
})
