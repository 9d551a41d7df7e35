import { Schema } from "effect"
import { EndpointResource, endpointResource } from "../../flows/webhooks/EndpointResource.js"
import { samples } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import type { Connection } from "../../model/Connection.js"
import { Timestamp } from "../../model/Instant.js"
import { lanes } from "../../model/Job.js"
import { ApplicationResource, applicationResource } from "../../resources/access/ApplicationResource.js"
import { WorkspaceResource } from "../../resources/access/WorkspaceResource.js"
import { ConnectionResource } from "../../resources/channels/ConnectionResource.js"
import { NotificationResource } from "../../resources/notifications/NotificationResource.js"
import type { Status } from "./AdminStatus.js"

/** A lane of the queue on the wire: numbers of jobs. */
export const LaneStatusResource = component("LaneStatus", "Number of jobs in one lane of the queue.", {
  lane: field(Schema.Literal(...lanes), { examples: ["deliveries"] }),
  due: field(Schema.Number, {
    description: "Jobs whose start time has passed and that do not run, counted up to 20,000.",
    examples: [0]
  }),
  leased: field(Schema.Number, { description: "Jobs that a host runs, counted up to 20,000.", examples: [2] }),
  waiting: field(Schema.Number, {
    description: "Jobs whose start time has not come, counted up to 20,000.",
    examples: [14]
  }),
  oldestDueAt: wire("oldest_due_at", Schema.NullOr(Timestamp), {
    description: "Due time of the oldest due job; null without due jobs."
  })
})

/** How the service is, on the wire of the administration. */
export const StatusResource = component("Status", "Status of the service, and what needs attention.", {
  time: field(Timestamp, { examples: [Date.parse(samples.delivered)] }),
  clockSkewMs: wire("clock_skew_ms", Schema.Number, {
    description: "Minimum difference between the database's clock and this host's, in ms.",
    examples: [0]
  }),
  lanes: field(Schema.Array(LaneStatusResource), { description: "The queue of all hosts." }),
  recentDeliveries: wire(
    "recent_deliveries",
    Schema.Struct({ delivered: Schema.Number, pending: Schema.Number, failed: Schema.Number }),
    { description: "The newest 1,000 by status.", examples: [{ delivered: 997, pending: 1, failed: 2 }] }
  ),
  disabledEndpoints: wire("disabled_endpoints", Schema.Array(EndpointResource), {
    description: "The newest 100, disabled by failures or by an administrator.",
    examples: [[]]
  }),
  waitingSubscriptions: wire("waiting_subscriptions", Schema.Array(EndpointResource), {
    description:
      "Subscriptions that no process handles, or whose processes are too busy: those with a job that is due for more than a minute, of the 1,000 that are due first. Each has such a job every minute, also without events.",
    examples: [[]]
  }),
  inactiveWorkspaces: wire("inactive_workspaces", Schema.Array(WorkspaceResource), {
    description: "The newest 100, suspended or unavailable.",
    examples: [[]]
  }),
  suspendedApplications: wire("suspended_applications", Schema.Array(ApplicationResource), {
    description: "The newest 100.",
    examples: [[]]
  }),
  inactiveConnections: wire("inactive_connections", Schema.Array(ConnectionResource), {
    description: "The newest 100, paused or disconnected.",
    examples: [[]]
  }),
  missingSecretKeys: wire(
    "missing_secret_keys",
    Schema.Array(
      Schema.Struct({
        key: field(Schema.String, { description: "The key's id.", examples: ["9b04e7aa"] }),
        values: field(Schema.Int, { description: "Number of values under it.", examples: [3] })
      })
    ),
    {
      description:
        "Keys that the responding host lacks, of the newest 1,000 webhook endpoints, connections and workflows each; `GET /secrets` counts all. What needs these values waits: add the keys to `PARLEY_SECRET_KEY_PREVIOUS` (`previousSecretKeys` of createParley).",
      examples: [[]]
    }
  ),
  notifications: field(Schema.Array(NotificationResource), { description: "The newest five.", examples: [[]] })
})

/** `shown`: a connection as the answer shows it. */
export const statusResource = (
  status: Status,
  shown: (connection: Connection) => typeof ConnectionResource.Type
): typeof StatusResource.Type => ({
  ...status,
  disabledEndpoints: status.disabledEndpoints.map(endpointResource),
  suspendedApplications: status.suspendedApplications.map(applicationResource),
  inactiveConnections: status.inactiveConnections.map(shown)
})
