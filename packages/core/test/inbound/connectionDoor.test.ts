import { expect, layer } from "@effect/vitest"
import { databases, scriptedServer, sharedDatabases, vendorMessage } from "@parley/testkit"
import { Context, Effect, Layer, Queue, Stream } from "effect"
import type { Connection } from "../../src/channels/Connection.js"
import { FeedNews, layer as feedNews } from "../../src/conversations/FeedNews.js"
import { fedNext } from "../../src/conversations/feed.js"
import { type BehindDoor, connectionDoor } from "../../src/inbound/connectionDoor.js"
import { Inbound } from "../../src/inbound/Inbound.js"
import { type Changes, changes } from "../../src/ports/Changes.js"
import type { ConnectionDoor } from "../../src/ports/ChannelProvider.js"
import type { Ids } from "../../src/ports/Ids.js"
import { lookup, Storage } from "../../src/ports/Storage.js"
import { connectionsWith, vendorEngine } from "../channels/vendorEngine.js"

const server = scriptedServer(() => Effect.dieMessage("nobody asks"))
const served = { channel: "webchat", provider: "server" } as const

const doorOf = (connection: Connection) =>
  Effect.gen(function* () {
    const behind: BehindDoor = { storage: yield* Storage, inbound: yield* Inbound, news: yield* FeedNews }
    return connectionDoor(behind, server, connection)
  })

/** A new connection with its door, at which so many messages of `ada` were taken in. */
const visited = (messages: number) =>
  Effect.gen(function* () {
    const [connection] = yield* connectionsWith(served)
    const door = yield* doorOf(connection)
    yield* door.receive(Array.from({ length: messages }, (_, n) => vendorMessage(`${n}`, "ada", `hello ${n}`)))
    return { connection, door }
  })

/** Puts the messages of a handle into its feed, oldest first, as many at once as are given; answers what it came to. */
const feed = (connection: Connection, door: ConnectionDoor, ...ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const found = yield* storage.read({
      conversations: lookup("conversations", { connectionId: connection.id, handle: "ada" })
    })
    const conversation = found.conversations[0]
    if (conversation === undefined) return yield* Effect.dieMessage("there is no conversation")
    const history = yield* door.history("ada", null, 100)
    const puts: ReadonlyArray<Changes> = ids.map((id) => {
      const message = history.find(({ body }) => body === id)
      if (message === undefined) throw new Error(`there is no ${id}`)
      return changes(connection.workspaceId, fedNext(conversation, message))
    })
    return yield* Effect.forEach(puts, storage.commit, { concurrency: "unbounded" })
  })

const bodies = (fed: Effect.Effect.Success<ReturnType<ConnectionDoor["fed"]>>) =>
  fed.map(({ message, sequence }) => [sequence, message.body])

/** What a stream has said so far, and how to wait for the next. */
const heard = (news: Stream.Stream<void>) => Stream.toQueueOfElements(news)

for (const [name, storage] of databases) {
  const live = Layer.provideMerge(feedNews, vendorEngine(storage, [server]))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the door of a connection on ${name}`, (it) => {
    it.effect("shows what was said, newest first, from a message on", () =>
      Effect.gen(function* () {
        const { door } = yield* visited(3)
        const all = yield* door.history("ada", null, 100)
        expect(all.map(({ body }) => body)).toEqual(["hello 2", "hello 1", "hello 0"])
        const [newest] = all
        const before = yield* door.history(" ada ", newest?.id.toUpperCase() ?? "", 1)
        expect(before.map(({ body }) => body)).toEqual(["hello 1"])
        expect(yield* door.history("ada", "no id", 100)).toEqual([])
        expect(yield* door.history("zoe", null, 100)).toEqual([])
      })
    )

    it.effect("gives places in the feed one after the other", () =>
      Effect.gen(function* () {
        const { connection, door } = yield* visited(3)
        for (const n of [2, 0, 1]) yield* feed(connection, door, `hello ${n}`)
        const all = [
          [1, "hello 2"],
          [2, "hello 0"],
          [3, "hello 1"]
        ]
        expect(yield* door.latestFed("ada")).toBe(3)
        expect(bodies(yield* door.fed("ada", 0, 100))).toEqual(all)
        expect(bodies(yield* door.fed("ada", 1, 1))).toEqual([all[1]])
        expect(bodies(yield* door.fed("ada", -5, 2))).toEqual(all.slice(0, 2))
        for (const after of [3, 4, 1e9]) expect(yield* door.fed("ada", after, 100)).toEqual([])
        expect([yield* door.latestFed("zoe"), yield* door.fed("zoe", 0, 100)]).toEqual([0, []])
      })
    )

    it.effect("gives one place once, whoever wants it at the same time", () =>
      Effect.gen(function* () {
        const { connection, door } = yield* visited(5)
        const outcomes = yield* feed(connection, door, "hello 0", "hello 1", "hello 2", "hello 3", "hello 4")
        expect(outcomes.filter(({ _tag }) => _tag === "Committed")).toHaveLength(1)
        expect(yield* door.fed("ada", 0, 100)).toHaveLength(1)
      })
    )

    it.scoped("says at once that there may be news, and again when this process put something in", () =>
      Effect.gen(function* () {
        const { connection, door } = yield* visited(0)
        const news = yield* FeedNews
        const queue = yield* heard(door.news("ada"))
        yield* Queue.take(queue)
        news.tell({ connectionId: connection.id, handle: "zoe" }, 7)
        expect(yield* Queue.size(queue)).toBe(0)
        news.tell({ connectionId: connection.id, handle: "ada" }, 7)
        yield* Queue.take(queue)
      })
    )
  })
}

type Behind = Storage | Ids | Inbound | FeedNews

/** Two hosts on one database. */
class Two extends Context.Tag("test/Two")<Two, readonly [Context.Context<Behind>, Context.Context<Behind>]>() {}

for (const [name, open] of sharedDatabases) {
  const live = Layer.scoped(
    Two,
    Effect.gen(function* () {
      const hosts = yield* Effect.forEach(yield* open, (storage) =>
        Layer.build(Layer.provideMerge(Layer.fresh(feedNews), Layer.fresh(vendorEngine(storage, [server]))))
      )
      const [one, other] = hosts
      if (one === undefined || other === undefined) return yield* Effect.dieMessage("two hosts are wanted")
      return [one, other] as const
    })
  )
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a feed on two hosts on ${name}`, (it) => {
    it.scoped("is known to have more on the one when the other put it there", () =>
      Effect.gen(function* () {
        const [here, there] = yield* Two
        const { connection, door } = yield* Effect.provide(visited(2), here)
        const queue = yield* heard(door.news("ada"))
        const reads = (after: number) =>
          Effect.gen(function* () {
            for (;;) {
              yield* Queue.take(queue)
              const fed = yield* door.fed("ada", after, 100)
              if (fed.length > 0) return bodies(fed)
            }
          })
        yield* Effect.provide(feed(connection, door, "hello 0"), there)
        expect(yield* reads(0)).toEqual([[1, "hello 0"]])
        yield* Effect.provide(feed(connection, door, "hello 1"), there)
        expect(yield* reads(1)).toEqual([[2, "hello 1"]])
      })
    )
  })
}
