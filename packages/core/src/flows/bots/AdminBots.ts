import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Bot } from "../../model/Bot.js"
import type { BotSession } from "../../model/BotSession.js"
import { type CommitError, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { BotInput, BotPatch } from "./BotInput.js"
import type { BotSessionListQuery } from "./BotSessionListQuery.js"
import { createBot } from "./createBot.js"
import { loadScriptReferences } from "./scriptReferences.js"
import { changedReferences, updateBot } from "./updateBot.js"

/**
 * Administration of bots and their sessions (docs/reference/administration.md#workflow-and-bot-administration). Unknown
 * ids fail with `not_found`.
 */
export interface AdminBots {
  readonly create: (decoded: PartialDecode<BotInput>) => Effect.Effect<Bot, Refusal | CommitError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Bot>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Bot, Refusal | ReadError>
  readonly update: (id: string, decoded: PartialDecode<BotPatch>) => Effect.Effect<Bot, Refusal | CommitError>
  /** Sessions of a bot. */
  readonly listSessions: (
    id: string,
    query: PartialDecode<BotSessionListQuery>
  ) => Effect.Effect<Listed<BotSession>, Refusal | ReadError>
  readonly getSession: (id: string) => Effect.Effect<BotSession, Refusal | ReadError>
}
export const AdminBots = Context.GenericTag<AdminBots>("@parley/core/AdminBots")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "bots", id)

  const loadCreate = ({ value }: PartialDecode<BotInput>) =>
    Effect.all(
      {
        workspace: readById(storage, "workspaces", value.workspaceId),
        references: loadScriptReferences(storage, value.workspaceId ?? "", value)
      },
      { concurrency: "unbounded" }
    )

  const loadUpdate = (id: string, { value }: PartialDecode<BotPatch>) =>
    Effect.gen(function* () {
      const bot = yield* orNotFound(yield* load(id))
      return { bot, references: yield* loadScriptReferences(storage, bot.workspaceId, changedReferences(bot, value)) }
    })

  return AdminBots.of({
    create: (decoded) => decideAndCommit(loadCreate(decoded), (world, now, ids) => createBot(world, decoded, now, ids)),
    list: (query) => listNewestFirst(storage, { from: "bots", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) =>
      decideAndCommit(loadUpdate(id, decoded), (world, now, ids) => updateBot(world, decoded, now, ids)),
    listSessions: (id, query) =>
      Effect.gen(function* () {
        const { id: botId } = yield* orNotFound(yield* load(id))
        return yield* listNewestFirst(
          storage,
          { from: "botSessions", by: { botId, status: query.value.status } },
          query
        )
      }),
    getSession: (id) => Effect.flatMap(readById(storage, "botSessions", id), orNotFound)
  })
})
