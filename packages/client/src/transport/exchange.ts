import { isParleyError, ParleyError } from "../ParleyError.js"
import { attempt, type RawAnswer, type RawRequest } from "./attempt.js"
import type { Credential } from "./Credential.js"
import { errorOf, unexpected } from "./errorOf.js"
import { isObject, parsed } from "./parsed.js"
import { isStillRunning, retryDelay } from "./retryDelay.js"
import type { Settings } from "./Settings.js"
import { pause } from "./Timing.js"
import { withKey } from "./withKey.js"

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
 * Sends a request until it succeeds, its error is not retryable, the retries are used up, or the caller shuts down
 * (docs/reference/errors.md#retry-rules). A PATCH or DELETE, which has no idempotency key, fails with the error of an
 * earlier attempt that may have had its effect, if that effect may be why the repetition is refused.
 */
export const exchange = async (settings: Settings, request: Exchange): Promise<Exchanged> => {
  const { maxRetries, shutdown, timing } = settings
  const { credential, fits, signal } = request
  const isKeyless = request.method === "PATCH" || request.method === "DELETE"
  let renewed = false
  /** Waits for the first request with this key, which may be an attempt of this call. */
  let waits = 0
  let firstUncertain: ParleyError | null = null
  for (let retries = 0; ; ) {
    const token = credential === null ? null : (credential.known() ?? (await tokenOf(credential, request)))
    const outcome = await outcomeOf(settings, request, headersOf(settings, request, token), fits)
    if ("body" in outcome) return outcome
    if (outcome.status === 401 && !renewed && token !== null && credential?.refused(token)) {
      renewed = true
      continue
    }
    if (isKeyless && firstUncertain !== null && mayFollowFromOwnEffect(outcome)) throw firstUncertain
    // A 429 had no effect.
    if (outcome.status !== 429) firstUncertain ??= outcome
    const delay = retryDelay(outcome, retries + waits, timing.random())
    const isWaiting = isStillRunning(outcome) && maxRetries > 0 && waits < maxWaits
    if (delay === null || (retries === maxRetries && !isWaiting)) throw outcome
    if (isWaiting) waits += 1
    else retries += 1
    const isOver = await pause(timing, delay, signal, shutdown)
    if (!isOver) throw outcome
  }
}

/** Maximum number of waits that are not counted as retries: at least a minute with their backoff. */
const maxWaits = 20

/** Whether a repeated change may be refused because an earlier attempt made it: deleted, or in that status already. */
const mayFollowFromOwnEffect = ({ status }: ParleyError): boolean => status === 404 || status === 409

/**
 * The current token. Its requests have a retry limit of their own. Their error gets this request's key, because an
 * earlier attempt may have had its effect.
 */
const tokenOf = async (
  credential: Credential,
  { idempotencyKey, signal }: Pick<RawRequest, "idempotencyKey" | "signal">
): Promise<string> => {
  try {
    return await credential.token(signal)
  } catch (error) {
    // A copy: concurrent calls share the error of a renewal, and each has its own key.
    if (!(error instanceof ParleyError)) throw error
    throw withKey(error, idempotencyKey)
  }
}

const outcomeOf = async (
  settings: Settings,
  request: Omit<RawRequest, "headers">,
  headers: RawRequest["headers"],
  fits: Exchange["fits"]
): Promise<Exchanged | ParleyError> => {
  let answer: RawAnswer
  try {
    answer = await attempt(settings, request, headers)
  } catch (error) {
    request.signal?.throwIfAborted()
    // That of a `fetch` within this process is final.
    if (!isParleyError(error, "network_error", "timeout")) throw error
    return error
  }
  return read(answer, fits, settings.timing.now(), request.idempotencyKey)
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
): RawRequest["headers"] => {
  // Not by spread: Node 20 takes a microsecond for each property that is added to an object from one.
  const headers: { [name: string]: string } = Object.assign({}, settings.headers)
  if (body !== null) headers["content-type"] = typeof body === "string" ? "application/json" : body.contentType
  if (token !== null) headers.authorization = `Bearer ${token}`
  if (idempotencyKey !== null) headers["idempotency-key"] = idempotencyKey
  return headers
}
