import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"

/** A notification on the wire (docs/reference/administration.md#notifications). */
export const NotificationResource = component("Notification", "A notification of administrators.", {
  id: ids.notification,
  workspaceId,
  applicationId: wire("application_id", Schema.NullOr(ids.application), {
    description: "Null if it concerns all applications."
  }),
  kind: field(Schema.String, { examples: ["webhook_endpoint.disabled"] }),
  subjectId: wire("subject_id", ids.endpoint, { description: "Id of the resource that it is about." }),
  message: field(Schema.String, { examples: ["The webhook endpoint failed 25 times in a row and is disabled."] }),
  createdAt
})
