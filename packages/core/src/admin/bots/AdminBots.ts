import { Context, Effect, Either, Layer } from "effect"
import type { Bot } from "../../bots/Bot.js"
import type { BotSession } from "../../bots/BotSession.js"
import { loadScriptReferences } from "../../bots/scriptReferences.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
import type { BotInput, BotPatch } from "./BotInput.js"
import type { BotSessionListQuery } from "./BotSessionListQuery.js"
import { createBot } from "./createBot.js"
import { namedBy, updateBot } from "./updateBot.js"

/** Administration of bots and of their dialogues (decisions.md §14). An unknown id is `not_found`. */
export interface AdminBots {
  readonly create: (draft: Draft<BotInput>) => Effect.Effect<Bot, Refusal | CommitError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Bot>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Bot, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<BotPatch>) => Effect.Effect<Bot, Refusal | CommitError>
  /** A bot's dialogues. */
  readonly listSessions: (
    id: string,
    query: Draft<BotSessionListQuery>
  ) => Effect.Effect<Listed<BotSession>, Refusal | ReadError>
  readonly getSession: (id: string) => Effect.Effect<BotSession, Refusal | ReadError>
}
export const AdminBots = Context.GenericTag<AdminBots>("@parley/core/AdminBots")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "bots", id)

  const loadCreate = ({ value }: Draft<BotInput>) =>
    Effect.all(
      {
        workspace: readById(storage, "workspaces", value.workspaceId),
        references: loadScriptReferences(storage, value.workspaceId ?? "", value)
      },
      { concurrency: "unbounded" }
    )

  const loadUpdate = (id: string, { value }: Draft<BotPatch>) =>
    Effect.gen(function* () {
      const bot = yield* load(id)
      if (bot === undefined) return undefined
      return { bot, references: yield* loadScriptReferences(storage, bot.workspaceId, namedBy(bot, value)) }
    })

  return AdminBots.of({
    create: (draft) => decideAndCommit(loadCreate(draft), (world, now, ids) => createBot(world, draft, now, ids)),
    list: (query) => listNewestFirst(storage, { from: "bots", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) =>
      decideAndCommit(loadUpdate(id, draft), (world, now, ids) =>
        Either.flatMap(found(world), (world) => updateBot(world, draft, now, ids))
      ),
    listSessions: (id, query) =>
      Effect.gen(function* () {
        const { id: botId } = yield* found(yield* load(id))
        return yield* listNewestFirst(
          storage,
          { from: "botSessions", by: { botId, status: query.value.status } },
          query
        )
      }),
    getSession: (id) => Effect.flatMap(readById(storage, "botSessions", id), found)
  })
})

export const layer: Layer.Layer<AdminBots, never, Storage | Decider> = Layer.effect(AdminBots, make)
