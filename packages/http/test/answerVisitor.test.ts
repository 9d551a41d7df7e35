import { expect, layer } from "@effect/vitest"
import { scopes } from "@parley/core"
import { Effect } from "effect"
import { administer, Hosts, hosts, post } from "./hosts.js"

const hello = (to: string) => ({ channel: "webchat", to, type: "text", message: { body: "How can we help?" } })

/** An application with access to a web chat, and a visitor who wrote. */
const newChat = Effect.gen(function* () {
  const workspace_id = (yield* administer(201, "POST", "/workspaces", { name: "Bakery" })).id
  const account = { workspace_id, channel: "webchat", provider: "sandbox", is_test: true }
  const mine = yield* administer(201, "POST", "/connections", { ...account, name: "Shop", handle: "shop" })
  const theirs = yield* administer(201, "POST", "/connections", { ...account, name: "Blog", handle: "blog" })
  const application = yield* administer(201, "POST", "/applications", {
    workspace_id,
    name: "Shop",
    mode: "test",
    scopes,
    connection_ids: [mine.id]
  })
  const { key } = yield* administer(201, "POST", `/applications/${application.id}/api-keys`)
  const write = (connection: string) =>
    administer(201, "POST", `/connections/${connection}/simulate-inbound`, { from: "visitor:1", body: "Hello" })
  const caller = { workspaceId: workspace_id as string, applicationId: application.id as string, key: key as string }
  return { caller, seen: yield* write(mine.id), unseen: yield* write(theirs.id) }
})

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`an answer to a web chat visitor on ${name}`, (it) => {
    it.effect("reaches the visitor by conversation id", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const { caller, seen } = yield* newChat
        const sent = yield* post(one, caller, "/messages", hello(seen.conversation_id.toUpperCase()), "one")
        expect([sent.status, sent.error]).toEqual([202, null])
        const { message_id: id } = (sent.json as { readonly data: { readonly message_id: string } }).data
        expect(yield* administer(200, "GET", `/messages/${id}`)).toMatchObject({
          conversation_id: seen.conversation_id,
          contact_id: seen.contact_id
        })
      })
    )
    it.effect("does not reach a visitor by the id of an invisible conversation", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const { caller, unseen } = yield* newChat
        const sent = yield* post(one, caller, "/messages", hello(unseen.conversation_id), "one")
        const { message_id: id } = (sent.json as { readonly data: { readonly message_id: string } }).data
        const message = yield* administer(200, "GET", `/messages/${id}`)
        // The sandbox accepts any text as a handle: this creates a new contact.
        expect(message.conversation_id).not.toBe(unseen.conversation_id)
        expect(message.contact_id).not.toBe(unseen.contact_id)
      })
    )
  })
}
