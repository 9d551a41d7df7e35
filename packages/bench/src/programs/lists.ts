import { Storage } from "@parley/core"
import { makeInterpreter, publicModule, webHandler } from "@parley/http"
import { Effect, ManagedRuntime } from "effect"
import { measure, untilCount } from "../measuring/RoundResult.js"
import { connectionIds, conversation, longConversationId, type Many, message, writeMany } from "../world/manyRows.js"
import { idleEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { apiKey, applicationId, type Seed, seed } from "../world/seed.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface ListsSetting {
  readonly store: Store
  readonly seed: Seed
  readonly many: Many
}

/** Reads pages sequentially: paths of the public API in turn, or one page of a cursor list. */
export type ListsOrder = { readonly calls: number } & (
  | { readonly paths: ReadonlyArray<string> }
  | { readonly list: "conversations" | "messages"; readonly page: "first" | "last" }
)

const setting = settingOf<ListsSetting>()
await seed(setting.store, setting.seed)
await writeMany(setting.store, setting.many)
const runtime = ManagedRuntime.make(idleEngineOn(setting.store))
const storage = await runtime.runPromise(Storage)
const handle = await runtime.runPromise(
  Effect.gen(function* () {
    return yield* webHandler(yield* makeInterpreter({ modules: [yield* publicModule] }))
  })
)

const perPage = 25

const get = async (path: string): Promise<void> => {
  const response = await handle(
    new Request(`http://bench.example${path}`, { headers: { authorization: `Bearer ${apiKey}` } })
  )
  const text = await response.text()
  if (response.status !== 200 || text.includes('"total":0'))
    throw new Error(`${path} answered ${response.status}: ${text}`)
}

const conversations = (page: "first" | "last") =>
  storage.listConversations(
    { connectionIds, contactId: null, status: null },
    page === "first" ? null : conversation(perPage),
    perPage
  )

const messages = (page: "first" | "last") =>
  storage.list({
    from: "messages",
    where: { conversationId: longConversationId, applicationId: [null, applicationId] },
    after: page === "first" ? null : message(perPage * 2).id,
    limit: perPage
  })

answerOrders<ListsOrder>((order) => {
  let n = 0
  const call = (): Promise<unknown> => {
    if ("paths" in order) return get(order.paths[n++ % order.paths.length] as string)
    return order.list === "messages"
      ? runtime.runPromise(messages(order.page))
      : runtime.runPromise(conversations(order.page))
  }
  return measure(untilCount(order.calls), call, 1)
})
