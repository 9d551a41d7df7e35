import { Schema } from "effect"
import { ApplicationResource, applicationResource } from "../../access/ApplicationResource.js"
import { WorkspaceResource } from "../../access/WorkspaceResource.js"
import type { Connection } from "../../channels/Connection.js"
import { ConnectionResource } from "../../channels/ConnectionResource.js"
import { Timestamp } from "../../Instant.js"
import { NotificationResource } from "../../notifications/NotificationResource.js"
import { EndpointResource, endpointResource } from "../../webhooks/EndpointResource.js"
import { lanes } from "../../worker/Job.js"
import type { Status } from "./AdminStatus.js"

/** A lane of the queue on the wire: numbers of jobs. */
export const LaneStatusResource = Schema.Struct({
  lane: Schema.Literal(...lanes),
  due: Schema.Number,
  leased: Schema.Number,
  waiting: Schema.Number,
  oldestDueAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("oldest_due_at"))
}).annotations({ identifier: "LaneStatus" })

/** How the service is, on the wire of the administration. */
export const StatusResource = Schema.Struct({
  time: Timestamp,
  clockSkewMs: Schema.propertySignature(Schema.Number).pipe(Schema.fromKey("clock_skew_ms")),
  lanes: Schema.Array(LaneStatusResource),
  recentDeliveries: Schema.propertySignature(
    Schema.Struct({ delivered: Schema.Number, pending: Schema.Number, failed: Schema.Number })
  ).pipe(Schema.fromKey("recent_deliveries")),
  disabledEndpoints: Schema.propertySignature(Schema.Array(EndpointResource)).pipe(
    Schema.fromKey("disabled_endpoints")
  ),
  inactiveWorkspaces: Schema.propertySignature(Schema.Array(WorkspaceResource)).pipe(
    Schema.fromKey("inactive_workspaces")
  ),
  suspendedApplications: Schema.propertySignature(Schema.Array(ApplicationResource)).pipe(
    Schema.fromKey("suspended_applications")
  ),
  inactiveConnections: Schema.propertySignature(Schema.Array(ConnectionResource)).pipe(
    Schema.fromKey("inactive_connections")
  ),
  notifications: Schema.Array(NotificationResource)
}).annotations({ identifier: "Status" })

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
