import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"

/** A notification on the wire (docs/reference/administration.md#notifications). */
export const NotificationResource = component("Notification", "What the administrators of a workspace should know.", {
  id: ids.notification,
  workspaceId,
  applicationId: wire("application_id", Schema.NullOr(ids.application), {
    description: "Null where it concerns them all."
  }),
  kind: field(Schema.String, { examples: ["webhook_endpoint.disabled"] }),
  subjectId: wire("subject_id", ids.endpoint, { description: "The id of what it is about." }),
  message: field(Schema.String, { examples: ["The webhook endpoint failed 25 times in a row and is disabled."] }),
  createdAt
})
