import { minute, second } from "@parley/core"
import { Option, Schema } from "effect"

/** By business, the use of each of its limits; when it may go on is in minutes. */
const Usage = Schema.parseJson(
  Schema.Record({
    key: Schema.String,
    value: Schema.Array(Schema.Struct({ estimated_time_to_regain_access: Schema.optional(Schema.Number) }))
  })
)
const readUsage = Schema.decodeUnknownOption(Usage)

/**
 * How long Meta says to wait: by `Retry-After` in seconds, else by its own `X-Business-Use-Case-Usage`; null where it does not
 * say.
 */
export const retryAfterMs = (headers: { readonly [name: string]: string | undefined }): number | null => {
  const seconds = headers["retry-after"]
  if (seconds !== undefined && /^\d{1,6}$/.test(seconds)) return Number(seconds) * second
  const usage = readUsage(headers["x-business-use-case-usage"]).pipe(Option.getOrElse(() => ({})))
  const minutes = Math.max(
    0,
    ...Object.values(usage).flatMap((uses) => uses.map((use) => use.estimated_time_to_regain_access ?? 0))
  )
  return minutes > 0 ? minutes * minute : null
}
