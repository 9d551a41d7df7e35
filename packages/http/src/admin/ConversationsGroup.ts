import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  AdminConversationListQuery,
  AdminConversationResource,
  AdminMessageResource,
  ConversationPatch,
  ReplyInput,
  SignalResource
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "conversation")

const signals =
  "Best effort: one call of the channel's vendor, for at most 5 seconds, that is not repeated. `validation_failed` where the channel has no such signal (`typing` and `read_marks` of its capabilities) or the customer has not written. On WhatsApp, typing also marks the messages as read."

/**
 * Conversations of every workspace, and the actions of agents in them
 * (docs/reference/administration.md#conversation-and-message-administration).
 */
export const ConversationsGroup = HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list")`/conversations`
      .setUrlParams(AdminConversationListQuery)
      .addSuccess(cursorPage(AdminConversationResource))
      .annotate(OpenApi.Summary, "List conversations by last activity, newest first")
      .annotate(OpenApi.Description, "At least one filter besides `status` is required.")
  )
  .add(
    HttpApiEndpoint.get("get")`/conversations/${id}`
      .addSuccess(single(AdminConversationResource))
      .annotate(OpenApi.Summary, "Read one conversation")
  )
  .add(
    HttpApiEndpoint.patch("update")`/conversations/${id}`
      .setPayload(ConversationPatch)
      .addSuccess(single(AdminConversationResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Change a conversation's status, assign or unassign it")
  )
  .add(
    HttpApiEndpoint.post("reply")`/conversations/${id}/messages`
      .setPayload(ReplyInput)
      .addSuccess(single(AdminMessageResource), { status: 202 })
      .annotate(Raises, [
        "workspace_suspended",
        "workspace_unavailable",
        "template_not_approved",
        "outside_service_window",
        "channel_unavailable"
      ])
      .annotate(OpenApi.Summary, "Reply in a conversation as an agent")
      .annotate(
        OpenApi.Description,
        "Sends a text, or a template if one is named, by the rules of `POST /messages`. 202 means accepted for delivery, not delivered: status changes follow by webhook, to every application with the connection on its allow-list, and by reading the message."
      )
  )
  .add(
    HttpApiEndpoint.post("typing")`/conversations/${id}/typing`
      .addSuccess(single(SignalResource))
      .annotate(Raises, ["channel_unavailable", "validation_failed"])
      .annotate(OpenApi.Summary, "Show the customer that the business types")
      .annotate(OpenApi.Description, signals)
  )
  .add(
    HttpApiEndpoint.post("read")`/conversations/${id}/read`
      .addSuccess(single(SignalResource))
      .annotate(Raises, ["channel_unavailable", "validation_failed"])
      .annotate(OpenApi.Summary, "Show the customer that the business has read the messages")
      .annotate(OpenApi.Description, signals)
  )
  .annotate(OpenApi.Title, "Conversations")
  .annotate(OpenApi.Description, "Messages between customers and the business, by connection and handle.")
