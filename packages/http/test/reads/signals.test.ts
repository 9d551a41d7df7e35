import { expect, layer } from "@effect/vitest"
import { type Connection, type Message, row } from "@parley/core"
import { databases } from "@parley/testkit/databases"
import { aConnection, aConversation, aMessage, someTime } from "@parley/testkit/rows"
import { Effect } from "effect"
import { Api, newApplication, newId, newShop, serveReads, write } from "./serveReads.js"

/** A conversation on a connection that shows typing, with the messages of these provider ids, oldest first. */
const newConversation = (
  messages: ReadonlyArray<Partial<Message>>,
  parts: Partial<Connection> = {},
  scopes: ReadonlyArray<"messages.send" | "messages.read"> = ["messages.send"]
) =>
  Effect.gen(function* () {
    const { workspaceId } = yield* newShop
    const of = { workspaceId, contactId: yield* newId() }
    const connection = aConnection({ ...of, id: yield* newId(), provider: "signalling", ...parts })
    const conversation = aConversation({ ...of, id: yield* newId(), connectionId: connection.id })
    const written = { ...of, conversationId: conversation.id, connectionId: connection.id }
    const rows = yield* Effect.forEach(messages, (message, n) =>
      Effect.map(newId(someTime + n), (id) =>
        row("messages", aMessage({ ...written, id, direction: "inbound", status: "delivered", ...message }))
      )
    )
    yield* write(workspaceId, [row("connections", connection), row("conversations", conversation), ...rows])
    const { key } = yield* newApplication(workspaceId, { connectionIds: [connection.id], scopes })
    const { call } = yield* Api
    const { key: stranger } = yield* newApplication(workspaceId)
    const post = (kind: "typing" | "read", as = key) => call(as, "POST", `/conversations/${conversation.id}/${kind}`)
    return { conversation, post, stranger }
  })

const hello = { providerMessageId: "hello" }

for (const [name, storage] of databases) {
  layer(serveReads(storage), { excludeTestServices: true })(`signals to customers on ${name}`, (it) => {
    it.effect("are shown once, and answered with whether the vendor took them", () =>
      Effect.gen(function* () {
        const { conversation, post } = yield* newConversation([hello])
        const data = { conversation_id: conversation.id, taken: true }
        expect(yield* post("typing")).toEqual({ status: 200, json: { data } })
        const refused = yield* newConversation([hello, { providerMessageId: "lost" }])
        expect((yield* refused.post("typing")).json.data.taken).toBe(false)
      })
    )

    it.effect("are about the customer's last message, not about a reaction or the business's own", () =>
      Effect.gen(function* () {
        const reaction = { providerMessageId: "lost", type: "reaction" } as const
        const own = { providerMessageId: "lost", direction: "outbound" } as const
        const { post } = yield* newConversation([hello, reaction, own])
        expect((yield* post("typing")).json.data.taken).toBe(true)
      })
    )

    it.effect("are refused where the channel has none, or the customer has not written", () =>
      Effect.gen(function* () {
        const { post } = yield* newConversation([hello])
        const { json, status } = yield* post("read")
        expect([status, json.error.code]).toEqual([422, "validation_failed"])
        expect(json.error.details).toEqual({ channel: ["marking messages as read is not possible on this channel"] })
        const empty = yield* newConversation([{ ...hello, direction: "outbound" }])
        expect((yield* empty.post("typing")).json.error.details).toEqual({
          messages: ["has no recent message of the customer"]
        })
        const sandbox = yield* newConversation([hello], { provider: "sandbox" })
        expect((yield* sandbox.post("typing")).json.error.details).toEqual({
          channel: ["showing that the business types is not possible on this channel"]
        })
      })
    )

    it.effect("need an active connection, the scope messages.send and a visible conversation", () =>
      Effect.gen(function* () {
        for (const parts of [{ status: "paused" }, { provider: "carrier_pigeon" }] as const) {
          const { post } = yield* newConversation([hello], parts)
          expect((yield* post("typing")).json.error.code).toBe("channel_unavailable")
        }
        const reader = yield* newConversation([hello], {}, ["messages.read"])
        expect((yield* reader.post("typing")).json.error.details).toEqual({ required_scope: "messages.send" })
        const { post, stranger } = yield* newConversation([hello])
        expect((yield* post("typing", stranger)).status).toBe(404)
      })
    )
  })
}
