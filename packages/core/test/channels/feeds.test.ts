import { expect, layer } from "@effect/vitest"
import { databases, scriptedServer, vendorMessage } from "@parley/testkit"
import { Effect, Layer, Queue, Stream } from "effect"
import * as Administration from "../../src/admin/Administration.js"
import { AdminMessages } from "../../src/admin/messages/AdminMessages.js"
import { replyDraft } from "../../src/messages/ReplyInput.js"
import type { ConnectionDoor } from "../../src/ports/ChannelProvider.js"
import { lookup, Storage } from "../../src/ports/Storage.js"
import { ask, connectionsWith, vendorEngine } from "./vendorEngine.js"

const doors: Array<ConnectionDoor> = []
const server = scriptedServer((_connection, _credentials, _request, door) => {
  doors.push(door)
  return Effect.succeed({ status: 200, headers: {}, body: "" })
})

/** A new connection's door, as its provider is given it, at which `ada` has written. */
const visited = Effect.gen(function* () {
  const [connection] = yield* connectionsWith({ channel: "webchat", provider: "server" })
  yield* ask(connection.id, { method: "GET", path: "/anything" })
  const door = doors.at(-1)
  if (door === undefined) return yield* Effect.dieMessage("nobody was at the door")
  yield* door.receive([vendorMessage("1", "ada", "hello")])
  const { conversations } = yield* (yield* Storage).read({
    conversations: lookup("conversations", { connectionId: connection.id, handle: "ada" })
  })
  return { connection, door, conversationId: conversations[0]?.id ?? "" }
})

for (const [name, storage] of databases) {
  const live = Administration.layer.pipe(Layer.provideMerge(vendorEngine(storage, [server])))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(
    `what is sent to a customer who is served here on ${name}`,
    (it) => {
      it.scoped("is in their feed once each, in one order, and they are told", () =>
        Effect.gen(function* () {
          const { conversationId, door } = yield* visited
          const news = yield* Stream.toQueueOfElements(door.news("ada"))
          const bodies = Array.from({ length: 20 }, (_, n) => `answer ${n}`)
          const messages = yield* AdminMessages
          yield* Effect.forEach(
            bodies,
            (body) => messages.reply(conversationId, { draft: replyDraft({ body }), idempotency: null }),
            { concurrency: "unbounded" }
          )
          const fed = Effect.zipRight(Queue.take(news), door.fed("ada", 0, 100))
          const all = yield* Effect.repeat(fed, { until: (fed) => fed.length === bodies.length })
          expect(all.map(({ sequence }) => sequence)).toEqual(bodies.map((_, n) => n + 1))
          expect(all.map(({ message }) => message.body).sort()).toEqual([...bodies].sort())
          expect(all.every(({ message }) => message.status === "sent")).toBe(true)
        })
      )
    }
  )
}
