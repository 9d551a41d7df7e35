import { Schema } from "effect"
import { component, wire } from "../kernel/input/wire.js"
import { day } from "../model/Instant.js"
import type { Retention } from "../model/Retention.js"

const days = (name: string, example = 90) => wire(name, Schema.Number, { examples: [example] })

/** How long history is kept, in days. */
export const RetentionResource = component(
  "Retention",
  "How long history is kept, in days. Pending deliveries and their events are kept longer.",
  {
    events: days("events_days"),
    deliveries: days("deliveries_days"),
    attempts: days("attempts_days", 30),
    requestLog: days("request_log_days", 30),
    runs: days("runs_days")
  }
)

export const retentionResource = (retention: Retention): typeof RetentionResource.Type => ({
  events: retention.events / day,
  deliveries: retention.deliveries / day,
  attempts: retention.attempts / day,
  requestLog: retention.requestLog / day,
  runs: retention.runs / day
})
