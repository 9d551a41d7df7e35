import { ParleyError } from "../ParleyError.js"

/** A copy of an error for the call with this key. */
export const withKey = (
  { cause, code, details, message, requestId, retryAfter, status }: ParleyError,
  idempotencyKey: string | null
): ParleyError => new ParleyError({ cause, code, details, idempotencyKey, message, requestId, retryAfter, status })
