import type { ParleyError } from "../ParleyError.js"

/** Longer than any rate window of the service. A longer `Retry-After` fails the call instead of delaying it. */
const maxWaitMs = 120_000
const firstPause = 500
const maxDelayMs = 8_000

/**
 * Delay before a retry, in ms; null if the error is not retryable (docs/reference/errors.md#retry-rules). At least
 * `Retry-After`, else exponential backoff with jitter. Retryable: 429, 500, 502, 503, 504, network failures, and a key
 * whose first request is still running: after a network failure it is this call's own.
 */
export const retryDelay = (error: ParleyError, retries: number, random: number): number | null => {
  if (!mayPass(error)) return null
  const ceiling = Math.min(firstPause * 2 ** retries, maxDelayMs)
  const uneven = ceiling / 2 + (ceiling / 2) * random
  const hintMs = (error.retryAfter ?? 0) * 1_000
  return hintMs > maxWaitMs ? null : Math.max(hintMs, uneven)
}

const mayPass = (error: ParleyError): boolean => {
  const { code, status } = error
  if (status === null) return code === "network_error" || code === "timeout"
  return [429, 500, 502, 503, 504].includes(status) || isStillRunning(error)
}

/** Whether the first request with the key still waits for its verdict. */
export const isStillRunning = ({ code, details }: ParleyError): boolean =>
  code === "idempotency_conflict" && details.reason === "still_running"
