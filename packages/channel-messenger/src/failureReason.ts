import type { GraphFailure } from "./GraphApi.js"
import { codesOf } from "./GraphError.js"

/** Why a call brought nothing, without a word of Meta's: fit for logs. */
export const failureReason = (failure: GraphFailure): string =>
  failure._tag !== "Refused"
    ? failure.reason
    : failure.error === null
      ? `status ${failure.status}`
      : `status ${failure.status}, error ${codesOf(failure.error)}`
