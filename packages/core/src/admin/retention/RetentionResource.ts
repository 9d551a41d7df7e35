import { Schema } from "effect"
import { day } from "../../Instant.js"
import type { Retention } from "../../worker/Retention.js"

const days = (name: string) => Schema.propertySignature(Schema.Number).pipe(Schema.fromKey(name))

/** How long history is kept, in days. */
export const RetentionResource = Schema.Struct({
  events: days("events_days"),
  deliveries: days("deliveries_days"),
  attempts: days("attempts_days"),
  requestLog: days("request_log_days"),
  runs: days("runs_days")
}).annotations({ identifier: "Retention" })

export const retentionResource = (retention: Retention): typeof RetentionResource.Type => ({
  events: retention.events / day,
  deliveries: retention.deliveries / day,
  attempts: retention.attempts / day,
  requestLog: retention.requestLog / day,
  runs: retention.runs / day
})
