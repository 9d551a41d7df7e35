import { Schema } from "effect"
import { pageLimit } from "../../kernel/input/ListQuery.js"
import { samples } from "../../kernel/input/samples.js"
import { component, field, nullableId, wire } from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"

/** The query of `GET /status/applications`. */
export const ApplicationStatusQuery = Schema.Struct({
  top: field(pageLimit, { description: "Maximum number of applications, those with the most waiting work first." })
})
export type ApplicationStatusQuery = typeof ApplicationStatusQuery.Type

const work = {
  queued: field(Schema.Number, {
    description: "Messages that wait in the queue, also while their files are fetched.",
    examples: [12]
  }),
  sending: field(Schema.Number, { description: "Messages that a host is handing to the provider.", examples: [2] }),
  oldestQueuedAt: wire("oldest_queued_at", Schema.NullOr(Timestamp), {
    description: "When the oldest of these messages was accepted; null without one."
  }),
  failed: field(Schema.Number, {
    description: "Failed messages among the newest 2,000 messages of all applications.",
    examples: [1]
  }),
  deliveries: field(Schema.Number, {
    description: "Webhook deliveries that wait or run. Those of disabled endpoints are not counted.",
    examples: [3]
  }),
  disabledEndpoints: wire("disabled_endpoints", Schema.Number, {
    description: "Disabled by failures or by an administrator.",
    examples: [0]
  }),
  parked: field(Schema.Number, { description: "Jobs that failed too often.", examples: [0] })
}

/** The work of an application on the wire. */
export const ApplicationWorkResource = component("ApplicationWork", "Waiting work of one application.", {
  applicationId: wire("application_id", nullableId, {
    description: "Null: work without an application, such as replies of agents."
  }),
  name: field(Schema.NullOr(Schema.String), { examples: ["Web shop"] }),
  ...work
})

/** The work of all other applications on the wire. */
export const OtherWorkResource = component("OtherApplicationsWork", "Waiting work of all other applications.", {
  applications: field(Schema.Number, { description: "Their number.", examples: [40] }),
  ...work
})

/** The status by application on the wire (docs/reference/administration.md#service-status). */
export const ApplicationStatusResource = component(
  "ApplicationStatus",
  "Waiting work of each application. Of each lane of the queue, the first 2,000 jobs are counted.",
  {
    time: field(Timestamp, { examples: [Date.parse(samples.delivered)] }),
    applications: field(Schema.Array(ApplicationWorkResource), {
      description: "Those with the most waiting work first."
    }),
    rest: field(Schema.NullOr(OtherWorkResource), { description: "Null if there are no others." })
  }
)
