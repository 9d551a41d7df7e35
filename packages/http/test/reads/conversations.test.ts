import { expect, layer } from "@effect/vitest"
import { type Conversation, hour, type Message, row } from "@parley/core"
import { databases } from "@parley/testkit/databases"
import { aConversation, aMessage, someTime } from "@parley/testkit/rows"
import { Effect } from "effect"
import { column, newApplication, newId, newShop, readAllPages, type Shop, serveReads, write } from "./serveReads.js"

const unknownId = "01900000-0000-7000-8000-00000000dead"

/** A conversation of the shop, by default on WhatsApp. */
const lastConversation = (shop: Shop, parts: Partial<Conversation> = {}) =>
  Effect.gen(function* () {
    const id = yield* newId()
    const conversation = aConversation({
      id,
      workspaceId: shop.workspaceId,
      connectionId: shop.whatsapp.id,
      handle: id,
      contactId: yield* newId(),
      ...parts
    })
    yield* write(shop.workspaceId, [row("conversations", conversation)])
    return conversation
  })

/** A message in a conversation; `n` orders it in time. */
const say = (shop: Shop, { id, connectionId, contactId }: Conversation, n: number, parts: Partial<Message> = {}) =>
  Effect.gen(function* () {
    const message = aMessage({
      id: yield* newId(someTime + n),
      workspaceId: shop.workspaceId,
      applicationId: shop.application.id,
      conversationId: id,
      connectionId,
      contactId,
      createdAt: someTime + n,
      body: `message ${n}`,
      ...parts
    })
    yield* write(shop.workspaceId, [row("messages", message)])
    return message
  })
const inbound = { applicationId: null, direction: "inbound", status: "delivered", receivedAt: someTime } as const
const isoOf = (time: number) => new Date(time).toISOString()
const cursorOf = (link: string) => new URL(link).searchParams.get("cursor")

for (const [name, storage] of databases) {
  layer(serveReads(storage), { excludeTestServices: true })(`conversations on ${name}`, (it) => {
    it.effect("have every field, in a list and alone", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const made = yield* lastConversation(shop, {
          status: "pending",
          assignedUserId: unknownId,
          lastActivityAt: someTime + 2,
          lastInboundAt: someTime + 1
        })
        const resource = {
          id: made.id,
          contact_id: made.contactId,
          connection_id: shop.whatsapp.id,
          channel: "whatsapp",
          status: "pending",
          assigned_user_id: unknownId,
          assigned_team_id: null,
          last_activity_at: isoOf(someTime + 2),
          service_window_expires_at: isoOf(someTime + 1 + 24 * hour),
          created_at: isoOf(someTime)
        }
        expect((yield* shop.get("/conversations")).json).toEqual({
          data: [resource],
          meta: { per_page: 25, has_more: false },
          links: { next: null, prev: null }
        })
        expect((yield* shop.get(`/conversations/${made.id.toUpperCase()}`)).json).toEqual({ data: resource })
      })
    )

    it.effect("have no service window before the customer writes, nor on a channel without one", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* lastConversation(shop, { lastActivityAt: 3 })
        yield* lastConversation(shop, {
          lastActivityAt: 2,
          lastInboundAt: 2,
          connectionId: shop.email.id,
          channel: "email"
        })
        expect(column(yield* shop.get("/conversations"), "service_window_expires_at")).toEqual([null, null])
      })
    )

    it.effect("are ordered by last activity and id, newest first, and paged through once each", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const made = yield* Effect.forEach([5, 9, 9, 9, 1, 7, 9], (lastActivityAt, n) =>
          lastConversation(shop, {
            lastActivityAt,
            ...(n % 2 === 0 ? {} : { connectionId: shop.email.id, channel: "email" as const })
          })
        )
        const expected = [...made]
          .sort((a, b) => b.lastActivityAt - a.lastActivityAt || (a.id < b.id ? 1 : -1))
          .map(({ id }) => id)
        for (const limit of [1, 2, 3, 7, 100]) {
          const pages = yield* readAllPages(shop.get, `/conversations?limit=${limit}`)
          expect(pages.flatMap((page) => column(page, "id"))).toEqual(expected)
          expect(pages.map(({ json }) => json.meta)).toEqual(
            pages.map((_, n) => ({ per_page: limit, has_more: n < pages.length - 1 }))
          )
          expect(pages.every(({ json }) => json.links.prev === null)).toBe(true)
          expect(pages).toHaveLength(Math.ceil(7 / limit))
        }
      })
    )

    it.effect("are filtered by contact, connection and status, kept in links", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const contactId = yield* newId()
        const one = yield* lastConversation(shop, { contactId, status: "resolved", lastActivityAt: 4 })
        const two = yield* lastConversation(shop, {
          contactId,
          connectionId: shop.email.id,
          channel: "email",
          lastActivityAt: 3
        })
        const three = yield* lastConversation(shop, { status: "resolved", lastActivityAt: 2 })
        const four = yield* lastConversation(shop, { status: "closed", lastActivityAt: 1 })
        const find = (query: string) =>
          Effect.map(shop.get(`/conversations?${query}`), (answer) => column(answer, "id"))
        expect(yield* find(`contact_id=${contactId.toUpperCase()}`)).toEqual([one.id, two.id])
        expect(yield* find(`connection_id=${shop.whatsapp.id.toUpperCase()}`)).toEqual([one.id, three.id, four.id])
        expect(yield* find("status=resolved")).toEqual([one.id, three.id])
        expect(yield* find("status=pending")).toEqual([])
        expect(yield* find(`contact_id=${unknownId}`)).toEqual([])
        expect(yield* find("contact_id=&connection_id=&status=&cursor=")).toHaveLength(4)
        const all = `contact_id=${contactId}&connection_id=${shop.whatsapp.id}&status=resolved`
        expect(yield* find(all)).toEqual([one.id])
        const pages = yield* readAllPages(shop.get, "/conversations?status=resolved&limit=1&other=%zz")
        expect(pages.flatMap((page) => column(page, "id"))).toEqual([one.id, three.id])
      })
    )

    it.effect("are visible if the connection is on the allow-list", () =>
      Effect.gen(function* () {
        const [shop, foreign] = [yield* newShop, yield* newShop]
        const [chat, mail] = [
          yield* lastConversation(shop, { lastActivityAt: 2 }),
          yield* lastConversation(shop, { connectionId: shop.email.id, channel: "email", lastActivityAt: 1 })
        ]
        const elsewhere = yield* lastConversation(foreign)
        const { key } = yield* newApplication(shop.workspaceId, { connectionIds: [shop.email.id] })
        const get = (path: string) => shop.getAs(key, path)
        expect(column(yield* shop.get("/conversations"), "id")).toEqual([chat.id, mail.id])
        expect(column(yield* get("/conversations"), "id")).toEqual([mail.id])
        for (const id of [shop.whatsapp.id, foreign.whatsapp.id, unknownId]) {
          expect(column(yield* get(`/conversations?connection_id=${id}`), "id")).toEqual([])
        }
        expect((yield* get(`/conversations/${mail.id}`)).status).toBe(200)
        for (const id of [chat.id, elsewhere.id, unknownId, "none"]) {
          for (const path of [`/conversations/${id}`, `/conversations/${id}/messages`]) {
            const answer = yield* get(path)
            expect([path, answer.status, answer.json.error.code]).toEqual([path, 404, "not_found"])
          }
        }
        const { key: nothing } = yield* newApplication(shop.workspaceId)
        expect((yield* shop.getAs(nothing, "/conversations")).json.data).toEqual([])
      })
    )

    it.effect("require the scope messages.read", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const { id } = yield* lastConversation(shop)
        const { key } = yield* newApplication(shop.workspaceId, {
          scopes: ["messages.status", "messages.send"],
          connectionIds: [shop.whatsapp.id]
        })
        for (const path of ["/conversations?limit=0", `/conversations/${id}`, `/conversations/${id}/messages`]) {
          const answer = yield* shop.getAs(key, path)
          expect([path, answer.status, answer.json.error.details]).toEqual([
            path,
            403,
            { required_scope: "messages.read" }
          ])
        }
      })
    )

    it.effect("reject unknown filters and cursors of another list", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const one = yield* lastConversation(shop, { lastActivityAt: 2 })
        const other = yield* lastConversation(shop, { lastActivityAt: 1 })
        yield* say(shop, one, 1)
        yield* say(shop, one, 2)
        const refused = (path: string) =>
          Effect.map(shop.get(path), ({ json, status }) => {
            expect([path, status]).toEqual([path, 422])
            return json.error.details
          })
        expect(yield* refused("/conversations?contact_id=1&connection_id=2&status=new&limit=101&cursor=x")).toEqual({
          contact_id: ["must be a UUID"],
          connection_id: ["must be a UUID"],
          status: ["must be one of open, pending, resolved, closed"],
          limit: ["must be a whole number from 1 to 100"]
        })
        expect(yield* refused("/conversations?limit=0&cursor=x")).toEqual({
          limit: ["must be a whole number from 1 to 100"],
          cursor: ["must be a cursor of this list"]
        })
        expect(yield* refused(`/conversations/${one.id}/messages?cursor=%ff`)).toEqual({
          cursor: ["must be a cursor of this list"]
        })
        expect(yield* refused("/conversations?cursor=a&cursor=b")).toMatchObject({
          cursor: expect.arrayContaining(["must be given once"])
        })
        const elsewhere = { cursor: ["must be a cursor of this list"] }
        const otherwise = { cursor: ["must be used with the filters that it was made with"] }
        const talks = cursorOf((yield* shop.get("/conversations?limit=1&status=open")).json.links.next)
        expect(column(yield* shop.get(`/conversations?limit=100&status=open&cursor=${talks}`), "id")).toEqual([
          other.id
        ])
        expect(yield* refused(`/conversations?cursor=${talks}`)).toEqual(otherwise)
        expect(yield* refused(`/conversations?status=closed&cursor=${talks}`)).toEqual(otherwise)
        expect(yield* refused(`/conversations?status=open&contact_id=${unknownId}&cursor=${talks}`)).toEqual(otherwise)
        expect(yield* refused(`/conversations/${one.id}/messages?cursor=${talks}`)).toEqual(elsewhere)
        const said = cursorOf((yield* shop.get(`/conversations/${one.id}/messages?limit=1`)).json.links.next)
        expect(yield* refused(`/conversations/${other.id}/messages?cursor=${said}`)).toEqual(otherwise)
        expect(yield* refused(`/conversations?cursor=${said}`)).toEqual(elsewhere)
      })
    )

    it.effect("reject forged cursors", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* lastConversation(shop, { lastActivityAt: 2 })
        yield* lastConversation(shop, { lastActivityAt: 1 })
        const cursor = cursorOf((yield* shop.get("/conversations?limit=1")).json.links.next)
        const [version, hash, place] = JSON.parse(Buffer.from(cursor as string, "base64url").toString())
        for (const at of [-1, 0.5, 1e300, "1", null, {}]) {
          const forged = Buffer.from(JSON.stringify([version, hash, { ...place, at }])).toString("base64url")
          expect([at, (yield* shop.get(`/conversations?cursor=${forged}`)).status]).toEqual([at, 422])
        }
        const id = "x' OR 1=1 --"
        const forged = Buffer.from(JSON.stringify([version, hash, { ...place, id }])).toString("base64url")
        expect((yield* shop.get(`/conversations?cursor=${forged}`)).status).toBe(422)
      })
    )
  })

  layer(serveReads(storage), { excludeTestServices: true })(`the messages of a conversation on ${name}`, (it) => {
    it.effect("have every field, newest first", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const conversation = yield* lastConversation(shop)
        const ids = { conversation_id: conversation.id, contact_id: conversation.contactId }
        const failed = yield* say(shop, conversation, 1, {
          status: "failed",
          error: { code: "provider_error", message: "It was refused." },
          externalReference: "order-1"
        })
        const read = yield* say(shop, conversation, 2, {
          type: "template",
          status: "read",
          sentAt: someTime + 3,
          deliveredAt: someTime + 4,
          readAt: someTime + 5
        })
        const received = yield* say(shop, conversation, 6, { ...inbound, receivedAt: someTime + 6 })
        const common = {
          ...ids,
          connection_id: shop.whatsapp.id,
          attachments: [],
          error: null,
          content: null,
          subject: null
        }
        const untold = { sent_at: null, delivered_at: null, read_at: null }
        expect((yield* shop.get(`/conversations/${conversation.id}/messages`)).json).toEqual({
          data: [
            {
              ...common,
              ...untold,
              id: received.id,
              external_reference: null,
              direction: "inbound",
              origin: "customer",
              type: "text",
              status: "delivered",
              body: "message 6",
              received_at: isoOf(someTime + 6)
            },
            {
              ...common,
              id: read.id,
              external_reference: null,
              direction: "outbound",
              origin: "application",
              type: "template",
              status: "read",
              body: "message 2",
              sent_at: isoOf(someTime + 3),
              delivered_at: isoOf(someTime + 4),
              read_at: isoOf(someTime + 5)
            },
            {
              ...common,
              ...untold,
              id: failed.id,
              external_reference: "order-1",
              direction: "outbound",
              origin: "application",
              type: "text",
              status: "failed",
              body: "message 1",
              error: { code: "provider_error", message: "It was refused." }
            }
          ],
          meta: { per_page: 25, has_more: false },
          links: { next: null, prev: null }
        })
      })
    )

    it.effect("are the application's own and those of no application, in lists and alone", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const other = yield* newApplication(shop.workspaceId, { connectionIds: [shop.whatsapp.id] })
        const conversation = yield* lastConversation(shop)
        const mine = yield* say(shop, conversation, 1)
        const theirs = yield* say(shop, conversation, 2, { applicationId: other.application.id })
        const agents = yield* say(shop, conversation, 3, { applicationId: null })
        const customers = yield* say(shop, conversation, 4, inbound)
        const path = `/conversations/${conversation.id}/messages`
        expect(column(yield* shop.get(path), "id")).toEqual([customers.id, agents.id, mine.id])
        expect(column(yield* shop.getAs(other.key, path), "id")).toEqual([customers.id, agents.id, theirs.id])
        for (const { id } of [mine, theirs, agents, customers]) {
          expect((yield* shop.get(`/messages/${id}`)).status).toBe(id === theirs.id ? 404 : 200)
        }
      })
    )

    it.effect("of automations are visible to the application that sent the event, and those of other bots to all", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const other = yield* newApplication(shop.workspaceId, { connectionIds: [shop.whatsapp.id] })
        const watching = { connectionIds: [shop.whatsapp.id], scopes: ["messages.status"] as const }
        const conversation = yield* lastConversation(shop)
        const [runId, sessionId] = [yield* newId(), yield* newId()]
        const theirs = { applicationId: other.application.id, workflowRunId: runId, externalReference: null }
        const mine = yield* say(shop, conversation, 1, { workflowRunId: runId, externalReference: null })
        const ofTheirRun = yield* say(shop, conversation, 2, theirs)
        const ofTheirBot = yield* say(shop, conversation, 3, { ...theirs, botSessionId: sessionId })
        const ofABot = yield* say(shop, conversation, 4, { applicationId: null, botSessionId: sessionId })
        const path = `/conversations/${conversation.id}/messages`
        expect(column(yield* shop.get(path), "id")).toEqual([ofABot.id, mine.id])
        expect(column(yield* shop.getAs(other.key, path), "id")).toEqual([ofABot.id, ofTheirBot.id, ofTheirRun.id])
        for (const { id } of [ofTheirRun, ofTheirBot]) {
          expect((yield* shop.get(`/messages/${id}`)).status).toBe(404)
        }
        const { json, status } = yield* shop.get(`/messages/${mine.id}`)
        expect([status, json.data.external_reference]).toEqual([200, null])
        // the creator and the HTML are not public
        expect(json.data).not.toHaveProperty("workflow_run_id")
        expect(json.data).not.toHaveProperty("html")
        // A run's message is not one the application sent (docs/reference/authentication.md#visibility-of-messages).
        const watcher = yield* newApplication(shop.workspaceId, watching)
        const own = { applicationId: watcher.application.id }
        const [sent, ofItsRun] = [
          yield* say(shop, conversation, 5, own),
          yield* say(shop, conversation, 6, { ...own, workflowRunId: runId })
        ]
        expect((yield* shop.getAs(watcher.key, `/messages/${sent.id}`)).status).toBe(200)
        expect((yield* shop.getAs(watcher.key, `/messages/${ofItsRun.id}`)).status).toBe(404)
      })
    )

    it.effect("are paged through with any limit, without gaps, repeats or later messages", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const other = yield* newApplication(shop.workspaceId)
        const [conversation, neighbour] = [yield* lastConversation(shop), yield* lastConversation(shop)]
        const made = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (n) =>
          say(shop, conversation, n, n % 2 === 0 ? { applicationId: other.application.id } : {})
        )
        yield* say(shop, neighbour, 9)
        const seen = made.filter((_, n) => n % 2 === 0).map(({ id }) => id)
        const path = `/conversations/${conversation.id}/messages`
        const first = yield* shop.get(`${path}?limit=1`)
        yield* say(shop, conversation, 10)
        const rest = yield* readAllPages(shop.get, first.json.links.next.replace("limit=1", "limit=2"))
        const pages = [first, ...rest]
        expect(pages.map((page) => column(page, "id"))).toEqual([[seen[3]], [seen[2], seen[1]], [seen[0]]])
        expect(pages.map(({ json }) => json.meta)).toEqual([
          { per_page: 1, has_more: true },
          { per_page: 2, has_more: true },
          { per_page: 2, has_more: false }
        ])
      })
    )

    it.effect("are empty in an empty conversation", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const { id } = yield* lastConversation(shop)
        expect((yield* shop.get(`/conversations/${id}/messages?limit=100`)).json).toEqual({
          data: [],
          meta: { per_page: 100, has_more: false },
          links: { next: null, prev: null }
        })
      })
    )

    it.effect("are readable after sending, with their conversation first in the list", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* lastConversation(shop)
        const { json } = yield* shop.post("/messages", {
          channel: "email",
          to: "ada@shop.example",
          type: "text",
          message: { body: "Hello" }
        })
        const { conversation_id, message_id } = json.data
        expect(column(yield* shop.get("/conversations"), "id")[0]).toBe(conversation_id)
        // The response comes with the provider's verdict, which is stored meanwhile.
        const sent = yield* Effect.repeat(shop.get(`/messages/${message_id}`), {
          until: ({ json }) => json.data.status === "sent"
        })
        const said = yield* shop.get(`/conversations/${conversation_id}/messages`)
        expect(said.json.data).toEqual([sent.json.data])
      })
    )
  })
}
