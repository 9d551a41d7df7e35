import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ConversationListQuery, ConversationResource, ListQuery, MessageResource } from "@parley/core"
import { cursorPage } from "./cursorPage.js"
import { pathId } from "./pathId.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"

const id = pathId("id", "conversation")

/** Conversations on the channels that the application may use (docs/reference/conversations.md#listing-conversations). */
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
  .annotate(RequiredScopes, ["messages.read"])
  .annotate(OpenApi.Title, "Conversations")
  .annotate(OpenApi.Description, "Conversations on the channels that the application may use, with their messages.")
