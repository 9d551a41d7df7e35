import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { AdminMessageResource, MessageListQuery, uuid } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** Messages of every workspace (spec, Message). */
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
  .annotate(OpenApi.Title, "Messages")
  .annotate(OpenApi.Description, "Messages in and out, of applications, agents and customers.")
