import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"
import type { Application } from "../../model/Application.js"
import { Scope, scopes } from "../../model/Scope.js"

/** An application on the wire (docs/reference/administration.md#applications-and-credentials). */
export const ApplicationResource = component("Application", "A caller of the public interface.", {
  id: ids.application,
  workspaceId,
  name: field(Schema.String, { examples: ["Shop"] }),
  mode: field(Schema.Literal("live", "test"), { examples: ["test"] }),
  scopes: field(Schema.Array(Scope), { examples: [scopes] }),
  connectionIds: wire("connection_ids", Schema.Array(ids.connection), {
    description: "Connections that it may send on and receives events of."
  }),
  limits: Schema.Struct({
    requestsPerMinute: wire("requests_per_minute", Schema.Number, { examples: [1_200] }),
    sendsPerMinute: wire("sends_per_minute", Schema.Number, { examples: [100] })
  }).annotations({ description: "Requests per minute." }),
  status: Schema.Literal("active", "suspended"),
  createdAt
})

export const applicationResource = (application: Application): typeof ApplicationResource.Type => ({
  ...application,
  limits: { requestsPerMinute: application.requestsPerMinute, sendsPerMinute: application.sendsPerMinute }
})
