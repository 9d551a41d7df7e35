import { TokenError } from "@parley/core"
import { Schema } from "effect"

/** What every error of the token endpoint looks like (spec, Errors; RFC 6749, section 5.2). */
export const TokenFailure = Schema.Struct({
  error: TokenError.annotations({ description: "Branch on this." }),
  error_description: Schema.String
}).annotations({ identifier: "TokenFailure" })
export type TokenFailure = typeof TokenFailure.Type
