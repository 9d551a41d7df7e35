import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  AdminConversationListQuery,
  AdminConversationResource,
  AdminMessageResource,
  ConversationPatch,
  ReplyInput,
  uuid
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { OptionalIdempotencyKey } from "../contract/IdempotencyKey.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** Conversations of every workspace, and what agents do in them (decisions.md §9). */
export const ConversationsGroup = HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list")`/conversations`
      .setUrlParams(AdminConversationListQuery)
      .addSuccess(cursorPage(AdminConversationResource))
      .annotate(OpenApi.Summary, "List conversations by last activity, newest first")
      .annotate(OpenApi.Description, "Some filter beside `status` has to be given.")
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
      .setHeaders(OptionalIdempotencyKey)
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
        "A text, or a template where one is named; the rules are those of a send. 202 means accepted for delivery, not delivered: progress comes by webhook, to every application with the connection on its allow-list, or by reading the message."
      )
  )
  .annotate(OpenApi.Title, "Conversations")
  .annotate(OpenApi.Description, "What customers and the business say to each other, by connection and handle.")
