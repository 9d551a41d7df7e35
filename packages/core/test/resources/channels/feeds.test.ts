import { expect, layer } from "@effect/vitest"
import { scriptedServer, vendorMessage } from "@parley/testkit"
import { databases } from "@parley/testkit/databases"
import { Effect, Layer, Queue, Stream } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import { decodeReplyInput } from "../../../src/flows/agentReplies/ReplyInput.js"
import { AdminMessages } from "../../../src/flows/messageAdmin/AdminMessages.js"
import type { ProviderContext } from "../../../src/ports/ChannelProvider.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import * as Worker from "../../../src/queue/Worker.js"
import { ask, connectionsWith, vendorEngine } from "./vendorEngine.js"

const doors: Array<ProviderContext> = []
const server = scriptedServer((_connection, _credentials, _request, context) => {
  doors.push(context)
  return Effect.succeed({ status: 200, headers: {}, body: "" })
})

/** The provider context of a new connection on which `ada` has written. */
const visited = Effect.gen(function* () {
  const [connection] = yield* connectionsWith({ channel: "webchat", provider: "server" })
  yield* ask(connection.id, { method: "GET", path: "/anything" })
  const context = doors.at(-1)
  if (context === undefined) return yield* Effect.dieMessage("the provider was not called")
  yield* context.receive([vendorMessage("1", "ada", "hello")])
  const { conversations } = yield* (yield* Storage).read({
    conversations: lookup("conversations", { connectionId: connection.id, handle: "ada" })
  })
  return { connection, context, conversationId: conversations[0]?.id ?? "" }
})

for (const [name, storage] of databases) {
  const worker = Worker.layer(["sends"])
  const live = Layer.merge(Administration.layer, worker).pipe(Layer.provideMerge(vendorEngine(storage, [server])))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the feed of a web chat customer on ${name}`, (it) => {
    it.scoped("has each sent message once, in one order, and notifies the customer", () =>
      Effect.gen(function* () {
        const { conversationId, context } = yield* visited
        const news = yield* Stream.toQueueOfElements(context.news("ada"))
        const bodies = Array.from({ length: 20 }, (_, n) => `answer ${n}`)
        const messages = yield* AdminMessages
        yield* Effect.forEach(bodies, (body) => messages.reply(conversationId, decodeReplyInput({ body })), {
          concurrency: "unbounded"
        })
        const fed = Effect.zipRight(
          Queue.take(news),
          Effect.map(context.fed("ada", 0, 100), ({ messages }) => messages)
        )
        const all = yield* Effect.repeat(fed, { until: (fed) => fed.length === bodies.length })
        expect(all.map(({ sequence }) => sequence)).toEqual(bodies.map((_, n) => n + 1))
        expect(all.map(({ message }) => message.body).sort()).toEqual([...bodies].sort())
        expect(all.every(({ message }) => message.status === "sent")).toBe(true)
      })
    )
  })
}
