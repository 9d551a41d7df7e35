import type { ParleyError } from "../ParleyError.js"

/** Longer than any window of the service: who asks for more is not waited for, but told about. */
const longestWait = 120_000
const firstPause = 500
const longestPause = 8_000

/**
 * How long to wait before a failed call is tried again, in ms; null where the rules say never (spec, Retry rules): 429 after
 * `Retry-After`; 500, 502, 503, a gateway's 504 and network failures after a growing, uneven pause.
 */
export const retryDelay = (error: ParleyError, retries: number, random: number): number | null => {
  if (!mayPass(error)) return null
  const ceiling = Math.min(firstPause * 2 ** retries, longestPause)
  const uneven = ceiling / 2 + (ceiling / 2) * random
  const asked = (error.retryAfter ?? 0) * 1_000
  return asked > longestWait ? null : Math.max(asked, uneven)
}

const mayPass = ({ code, status }: ParleyError): boolean =>
  status === null ? code === "network_error" || code === "timeout" : [429, 500, 502, 503, 504].includes(status)
