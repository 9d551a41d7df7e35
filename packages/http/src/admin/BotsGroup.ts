import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  AdminBotResource,
  BotInput,
  BotPatch,
  BotSessionListQuery,
  BotSessionResource,
  WorkspaceListQuery
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { single } from "../contract/single.js"

const id = pathId("id", "resource")

/** Bots: scripted dialogues with customers (docs/reference/administration.md#workflow-and-bot-administration). */
export const BotsGroup = HttpApiGroup.make("bots")
  .add(
    HttpApiEndpoint.post("create")`/bots`
      .setPayload(BotInput)
      .addSuccess(single(AdminBotResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a bot")
  )
  .add(
    HttpApiEndpoint.get("list")`/bots`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(AdminBotResource))
      .annotate(OpenApi.Summary, "List bots, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/bots/${id}`
      .addSuccess(single(AdminBotResource))
      .annotate(OpenApi.Summary, "Read one bot")
  )
  .add(
    HttpApiEndpoint.patch("update")`/bots/${id}`
      .setPayload(BotPatch)
      .addSuccess(single(AdminBotResource))
      .annotate(OpenApi.Summary, "Change a bot's script, or activate or deactivate it")
  )
  .add(
    HttpApiEndpoint.get("listSessions")`/bots/${id}/sessions`
      .setUrlParams(BotSessionListQuery)
      .addSuccess(cursorPage(BotSessionResource))
      .annotate(OpenApi.Summary, "List a bot's dialogues, newest first")
  )
  .add(
    HttpApiEndpoint.get("getSession")`/bot-sessions/${id}`
      .addSuccess(single(BotSessionResource))
      .annotate(OpenApi.Summary, "Read one dialogue of a bot: collected answers and current step")
  )
  .annotate(OpenApi.Title, "Bots")
  .annotate(OpenApi.Description, "Scripted dialogues with customers, and the result of each.")
