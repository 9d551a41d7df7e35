import { minute } from "@parley/core"
import { retryAfterHeader } from "@parley/provider-kit"
import { Option, Schema } from "effect"

/** By business, the usage of each of its limits; the waiting time is in minutes. */
const Usage = Schema.parseJson(
  Schema.Record({
    key: Schema.String,
    value: Schema.Array(
      Schema.Struct({
        type: Schema.optional(Schema.String),
        estimated_time_to_regain_access: Schema.optional(Schema.Number)
      })
    )
  })
)
const readUsage = Schema.decodeUnknownOption(Usage)

/** Limits of Meta's advertising, which messages do not use. */
const advertising: ReadonlySet<string> = new Set(["ads_insights", "ads_management", "custom_audience", "leadgen"])

/** How long Meta asks to wait, in ms: by `Retry-After`, else by `X-Business-Use-Case-Usage`; null without either. */
export const graphRetryAfter = (headers: { readonly [name: string]: string | undefined }): number | null => {
  const usage = readUsage(headers["x-business-use-case-usage"]).pipe(Option.getOrElse(() => ({})))
  const uses = Object.values(usage).flat()
  const minutes = Math.max(
    0,
    ...uses.map(({ estimated_time_to_regain_access = 0, type = "" }) =>
      advertising.has(type) ? 0 : estimated_time_to_regain_access
    )
  )
  return retryAfterHeader(headers) ?? (minutes > 0 ? minutes * minute : null)
}
