import { expect, layer } from "@effect/vitest"
import { scriptedServer, vendorMessage } from "@parley/testkit"
import { databases, sharedDatabases } from "@parley/testkit/databases"
import { anAgent } from "@parley/testkit/rows"
import { Context, Effect, Layer, Queue, Stream } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { type ProviderContextServices, providerContext } from "../../../src/flows/inbound/providerContext.js"
import type { Connection } from "../../../src/model/Connection.js"
import { type Changes, changes, row } from "../../../src/ports/Changes.js"
import type { FedPage, ProviderContext } from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { SecretBox } from "../../../src/ports/SecretBox.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { FeedUpdates, make as makeFeedUpdates } from "../../../src/resources/conversations/FeedUpdates.js"
import { appendToFeed } from "../../../src/resources/conversations/feed.js"
import { connectionsWith, vendorEngine } from "../../resources/channels/vendorEngine.js"

const server = scriptedServer(() => Effect.dieMessage("not called"))
const served = { channel: "webchat", provider: "server" } as const

const doorOf = (connection: Connection) =>
  Effect.gen(function* () {
    const behind: ProviderContextServices = {
      storage: yield* Storage,
      inbound: yield* Inbound,
      feedUpdates: yield* FeedUpdates,
      secretBox: yield* SecretBox
    }
    return providerContext(behind, server, connection)
  })

/** A new connection with its provider context, and a number of received messages of `ada`. */
const visited = (messages: number) =>
  Effect.gen(function* () {
    const [connection] = yield* connectionsWith(served)
    const context = yield* doorOf(connection)
    yield* context.receive(Array.from({ length: messages }, (_, n) => vendorMessage(`${n}`, "ada", `hello ${n}`)))
    return { connection, context }
  })

/** Appends messages to the feed of `ada` concurrently. Returns the outcome of each commit. */
const feed = (connection: Connection, context: ProviderContext, ...ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const found = yield* storage.read({
      conversations: lookup("conversations", { connectionId: connection.id, handle: "ada" })
    })
    const conversation = found.conversations[0]
    if (conversation === undefined) return yield* Effect.dieMessage("there is no conversation")
    const history = yield* context.history("ada", null, 100)
    const puts: ReadonlyArray<Changes> = ids.map((id) => {
      const message = history.find(({ body }) => body === id)
      if (message === undefined) throw new Error(`there is no ${id}`)
      return changes(connection.workspaceId, appendToFeed(conversation, message))
    })
    return yield* Effect.forEach(puts, storage.commit, { concurrency: "unbounded" })
  })

const bodies = ({ messages }: FedPage) => messages.map(({ message, sequence }) => [sequence, message.body])

/** A queue of the elements of a stream. */
const received = (news: Stream.Stream<void>) => Stream.toQueueOfElements(news)

for (const [name, storage] of databases) {
  const live = Layer.provideMerge(Layer.scoped(FeedUpdates, makeFeedUpdates), vendorEngine(storage, [server]))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(
    `the provider context of a connection on ${name}`,
    (it) => {
      it.effect("lists messages newest first, before a given message", () =>
        Effect.gen(function* () {
          const { context } = yield* visited(3)
          const all = yield* context.history("ada", null, 100)
          expect(all.map(({ body }) => body)).toEqual(["hello 2", "hello 1", "hello 0"])
          const [newest] = all
          const before = yield* context.history(" ada ", newest?.id.toUpperCase() ?? "", 1)
          expect(before.map(({ body }) => body)).toEqual(["hello 1"])
          expect(yield* context.history("ada", "no id", 100)).toEqual([])
          expect(yield* context.history("zoe", null, 100)).toEqual([])
        })
      )

      it.effect("reads messages by id, of the handle only", () =>
        Effect.gen(function* () {
          const { context } = yield* visited(2)
          yield* context.receive([vendorMessage("other", "bob", "hello from bob")])
          const [mine] = yield* context.history("ada", null, 1)
          const [theirs] = yield* context.history("bob", null, 1)
          const ids = [mine?.id.toUpperCase() ?? "", theirs?.id ?? "", "odd"]
          expect(yield* context.messages("ada", ids)).toEqual(new Map([[mine?.id, mine]]))
          expect(yield* context.messages("an unknown handle", ids)).toEqual(new Map())
        })
      )

      it.effect("shows agents of its own workspace only, with the same image URL all day", () =>
        Effect.gen(function* () {
          const { connection, context } = yield* visited(0)
          const { connection: other } = yield* visited(0)
          const ids = yield* Ids
          const own = anAgent({ id: ids.next(0), workspaceId: connection.workspaceId, name: "Ada" })
          const avatar = { key: "a", contentType: "image/png", size: 1 }
          const seen = anAgent({ id: ids.next(0), workspaceId: connection.workspaceId, name: "Bo", avatar })
          const foreign = anAgent({ id: ids.next(0), workspaceId: other.workspaceId, name: "Eve" })
          for (const agent of [own, seen, foreign]) {
            yield* (yield* Storage).commit(changes(agent.workspaceId, { inserts: [row("agents", agent)] }))
          }
          const agents = [own.id, seen.id, foreign.id, ids.next(0)]
          const noon = Date.UTC(2026, 4, 4, 12)
          const expires = Date.UTC(2026, 4, 6) / 1_000
          const avatarUrl = expect.stringContaining(`../media/${seen.id}?expires=${expires}&signature=`)
          const shown = yield* context.agents(agents, noon)
          expect(shown).toEqual(
            new Map([
              [own.id, { name: "Ada", avatarUrl: null }],
              [seen.id, { name: "Bo", avatarUrl }]
            ])
          )
          expect(yield* context.agents(agents, noon + 11 * 3_600_000)).toEqual(shown)
        })
      )

      it.effect("signs URLs of files for a day", () =>
        Effect.gen(function* () {
          const { context } = yield* visited(0)
          const id = "01900000-0000-7000-8000-000000000001"
          const url = new URL(context.fileUrl(id, 1_000), "https://parley.example/base/inbound/one")
          const { sign } = yield* SecretBox
          expect(`${url.origin}${url.pathname}`).toBe(`https://parley.example/base/media/${id}`)
          expect(url.searchParams.get("expires")).toBe("86401")
          expect(url.searchParams.get("signature")).toBe(sign(`media ${id} 86401`))
        })
      )

      it.effect("assigns consecutive feed positions", () =>
        Effect.gen(function* () {
          const { connection, context } = yield* visited(3)
          for (const n of [2, 0, 1]) yield* feed(connection, context, `hello ${n}`)
          const all = [
            [1, "hello 2"],
            [2, "hello 0"],
            [3, "hello 1"]
          ]
          expect(yield* context.latestFed("ada")).toBe(3)
          expect(bodies(yield* context.fed("ada", 0, 100))).toEqual(all)
          expect(bodies(yield* context.fed("ada", 1, 1))).toEqual([all[1]])
          expect(bodies(yield* context.fed("ada", -5, 2))).toEqual(all.slice(0, 2))
          for (const after of [3, 4, 1e9]) expect((yield* context.fed("ada", after, 100)).messages).toEqual([])
          expect([yield* context.latestFed("zoe"), yield* context.fed("zoe", 0, 100)]).toEqual([
            0,
            { feed: null, messages: [] }
          ])
        })
      )

      it.effect("assigns a feed position once under concurrent commits", () =>
        Effect.gen(function* () {
          const { connection, context } = yield* visited(5)
          const outcomes = yield* feed(connection, context, "hello 0", "hello 1", "hello 2", "hello 3", "hello 4")
          expect(outcomes.filter(({ _tag }) => _tag === "Committed")).toHaveLength(1)
          expect((yield* context.fed("ada", 0, 100)).messages).toHaveLength(1)
        })
      )

      it.scoped("signals news at once and after an append by this process", () =>
        Effect.gen(function* () {
          const { connection, context } = yield* visited(0)
          const news = yield* FeedUpdates
          const queue = yield* received(context.news("ada"))
          yield* Queue.take(queue)
          news.notify({ connectionId: connection.id, handle: "zoe" }, 7)
          expect(yield* Queue.size(queue)).toBe(0)
          news.notify({ connectionId: connection.id, handle: "ada" }, 7)
          yield* Queue.take(queue)
        })
      )
    }
  )
}

type Behind = Storage | Ids | Inbound | FeedUpdates | SecretBox

/** Two hosts on one database. */
class Two extends Context.Tag("test/Two")<Two, readonly [Context.Context<Behind>, Context.Context<Behind>]>() {}

for (const [name, open] of sharedDatabases) {
  const live = Layer.scoped(
    Two,
    Effect.gen(function* () {
      const hosts = yield* Effect.forEach(yield* open, (storage) =>
        Layer.build(
          Layer.provideMerge(
            Layer.fresh(Layer.scoped(FeedUpdates, makeFeedUpdates)),
            Layer.fresh(vendorEngine(storage, [server]))
          )
        )
      )
      const [one, other] = hosts
      if (one === undefined || other === undefined) return yield* Effect.dieMessage("two hosts are wanted")
      return [one, other] as const
    })
  )
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a feed on two hosts on ${name}`, (it) => {
    it.scoped("signals on one host what the other host appended", () =>
      Effect.gen(function* () {
        const [here, there] = yield* Two
        const { connection, context } = yield* Effect.provide(visited(2), here)
        const queue = yield* received(context.news("ada"))
        const reads = (after: number) =>
          Effect.gen(function* () {
            for (;;) {
              yield* Queue.take(queue)
              const fed = yield* context.fed("ada", after, 100)
              if (fed.messages.length > 0) return bodies(fed)
            }
          })
        yield* Effect.provide(feed(connection, context, "hello 0"), there)
        expect(yield* reads(0)).toEqual([[1, "hello 0"]])
        yield* Effect.provide(feed(connection, context, "hello 1"), there)
        expect(yield* reads(1)).toEqual([[2, "hello 1"]])
      })
    )
  })
}
