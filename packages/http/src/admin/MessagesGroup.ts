import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AdminMessageResource, MessageListQuery, RawMessageResource, SendingResource } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { single } from "../contract/single.js"

const id = pathId("id", "message")

/** Messages of every workspace (docs/reference/administration.md#conversation-and-message-administration). */
export const MessagesGroup = HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.get("list")`/messages`
      .setUrlParams(MessageListQuery)
      .addSuccess(cursorPage(AdminMessageResource))
      .annotate(OpenApi.Summary, "List messages, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/messages/${id}`
      .addSuccess(single(AdminMessageResource))
      .annotate(OpenApi.Summary, "Read one message")
  )
  .add(
    HttpApiEndpoint.get("sending")`/messages/${id}/sending`
      .addSuccess(single(SendingResource))
      .annotate(OpenApi.Summary, "Explain the progress of a message to its provider")
  )
  .add(
    HttpApiEndpoint.get("raw")`/messages/${id}/raw`
      .addSuccess(single(RawMessageResource))
      .annotate(OpenApi.Summary, "Read the vendor's JSON of a message, kept as long as events")
  )
  .annotate(OpenApi.Title, "Messages")
  .annotate(OpenApi.Description, "Messages in and out, of applications, agents and customers.")
