import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConversationListQuery, ConversationResource, ListQuery, MessageResource, SignalResource } from "@parley/core"
import { cursorPage } from "./cursorPage.js"
import { pathId } from "./pathId.js"
import { Raises } from "./Raises.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"

const id = pathId("id", "conversation")

const signals =
  "Best effort: one call of the channel's vendor, for at most 5 seconds, that is not repeated. `validation_failed` where the channel has no such signal (`typing` and `read_marks` of its capabilities) or the customer has not written. On WhatsApp, typing also marks the messages as read."

/**
 * Conversations on the channels that the application may use (docs/reference/conversations.md#listing-conversations).
 */
export const ConversationsGroup = HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list")`/conversations`
      .setUrlParams(ConversationListQuery)
      .addSuccess(cursorPage(ConversationResource))
      .annotate(OpenApi.Summary, "List conversations by last activity, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/conversations/${id}`
      .addSuccess(single(ConversationResource))
      .annotate(OpenApi.Summary, "Read one conversation")
  )
  .add(
    HttpApiEndpoint.get("messages")`/conversations/${id}/messages`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(MessageResource))
      .annotate(OpenApi.Summary, "List a conversation's messages, newest first")
  )
  .add(
    HttpApiEndpoint.post("typing")`/conversations/${id}/typing`
      .addSuccess(single(SignalResource))
      .annotate(RequiredScopes, ["messages.send"])
      .annotate(Raises, ["workspace_suspended", "channel_unavailable", "validation_failed"])
      .annotate(OpenApi.Summary, "Show the customer that the business types")
      .annotate(OpenApi.Description, signals)
  )
  .add(
    HttpApiEndpoint.post("read")`/conversations/${id}/read`
      .addSuccess(single(SignalResource))
      .annotate(RequiredScopes, ["messages.send"])
      .annotate(Raises, ["workspace_suspended", "channel_unavailable", "validation_failed"])
      .annotate(OpenApi.Summary, "Show the customer that the business has read the messages")
      .annotate(OpenApi.Description, signals)
  )
  .annotate(RequiredScopes, ["messages.read"])
  .annotate(OpenApi.Title, "Conversations")
  .annotate(OpenApi.Description, "Conversations on the channels that the application may use, with their messages.")
