import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { applicationId, component, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"

/** A line of the request log on the wire (docs/reference/administration.md#request-log). */
export const LoggedRequestResource = component(
  "LoggedRequest",
  "A request of an application with its status. Bodies, queries and credentials are not kept.",
  {
    id: field(ids.request, { description: "The `X-Request-ID` of the response." }),
    workspaceId,
    applicationId,
    method: field(Schema.String, { examples: ["POST"] }),
    path: field(Schema.String, {
      description: "Without the query; at most 255 characters.",
      examples: ["/api/v1/messages"]
    }),
    status: field(Schema.Number, { examples: [202] }),
    durationMs: wire("duration_ms", Schema.Number, { examples: [12] }),
    errorCode: wire("error_code", Schema.NullOr(Schema.String), {
      description: "Null if the response is not an error."
    }),
    createdAt: wire("created_at", Timestamp, {
      description: "When the request arrived.",
      examples: [Date.parse(samples.sent)]
    })
  }
)
