import { errorCodes } from "@parley/core"
import { Schema } from "effect"

/** What every error looks like (spec, Errors). */
export const ErrorEnvelope = Schema.Struct({
  error: Schema.Struct({
    code: Schema.Literal(...errorCodes).annotations({ description: "Branch on this." }),
    message: Schema.String,
    details: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
    request_id: Schema.String.annotations({ description: "Equals the X-Request-ID header." })
  }).annotations({ identifier: "ErrorBody" })
}).annotations({ identifier: "Error" })
export type ErrorEnvelope = typeof ErrorEnvelope.Type
