import { Schema } from "effect"
import { Timestamp } from "../Instant.js"
import type { Application } from "./Application.js"
import { Scope } from "./Scope.js"

/** An application on the wire (decisions.md §14). */
export const ApplicationResource = Schema.Struct({
  id: Schema.String,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  name: Schema.String,
  mode: Schema.Literal("live", "test"),
  scopes: Schema.Array(Scope),
  connectionIds: Schema.propertySignature(Schema.Array(Schema.String)).pipe(Schema.fromKey("connection_ids")),
  limits: Schema.Struct({
    requestsPerMinute: Schema.propertySignature(Schema.Number).pipe(Schema.fromKey("requests_per_minute")),
    sendsPerMinute: Schema.propertySignature(Schema.Number).pipe(Schema.fromKey("sends_per_minute"))
  }),
  status: Schema.Literal("active", "suspended"),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "Application" })

export const applicationResource = (application: Application): typeof ApplicationResource.Type => ({
  ...application,
  limits: { requestsPerMinute: application.requestsPerMinute, sendsPerMinute: application.sendsPerMinute }
})
