import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { component, field, wire, workspaceId } from "../../kernel/input/wire.js"
import type { FileLinks } from "../../resources/attachments/fileLink.js"
import { conversationFields, conversationResource } from "../../resources/conversations/ConversationResource.js"
import { AdminMessageResource, messageResource } from "../../resources/messages/MessageResource.js"
import type { AdminConversation } from "./AdminConversations.js"

/** A conversation on the wire of the administration, which sees every workspace and the customer's handle. */
export const AdminConversationResource = component(
  "AdminConversation",
  "All messages with one handle on one connection.",
  {
    ...conversationFields,
    workspaceId,
    handle: field(Schema.String, { description: "The customer's name on the channel.", examples: [samples.phone] }),
    contactName: wire("contact_name", Schema.NullOr(Schema.String), {
      description: "Name of the contact. Null if it was merged into another one or erased at this moment.",
      examples: ["Ada Lovelace"]
    }),
    lastMessage: wire("last_message", Schema.NullOr(AdminMessageResource), {
      description: "The newest message, in or out. Null without messages."
    })
  }
)

/** The wire form of a conversation for administrators. */
export const adminConversationResource = (
  { contactName, conversation, lastMessage, serviceWindowHours }: AdminConversation,
  links: FileLinks
): typeof AdminConversationResource.Type => ({
  ...conversationResource(conversation, serviceWindowHours),
  contactName,
  lastMessage: lastMessage && messageResource(lastMessage, links, null)
})
