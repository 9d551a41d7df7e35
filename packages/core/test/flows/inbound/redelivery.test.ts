import { expect, it, layer } from "@effect/vitest"
import { databases, sharedDatabases } from "@parley/testkit/databases"
import { aMessage, someTime } from "@parley/testkit/rows"
import { Effect, FastCheck as fc, Layer } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage, StorageUnavailable } from "../../../src/ports/Storage.js"
import { failingCommits } from "../../failingCommits.js"
import { engine, newTenant, send, type Tenant } from "../../harness.js"

const message = (from: string, providerMessageId: string) =>
  InboundEvent.Message({
    providerMessageId,
    from,
    body: `text ${providerMessageId}`,
    subject: null,
    displayName: null,
    attachments: [],
    automatic: false
  })
const [ada, grace] = ["+491701000001", "+491701000002"]

const take = (connection: Tenant["connection"], events: ReadonlyArray<InboundEvent>) =>
  Effect.flatMap(Inbound, (inbound) => inbound.take(connection, events))

/** The final rows, without ids and times. */
const endState = ({ workspace }: Tenant) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const page = { where: { workspaceId: workspace.id }, after: null, limit: 1_000 }
    const contacts = yield* storage.list({ from: "contacts", ...page })
    const messages = yield* storage.list({ from: "messages", ...page })
    const events = yield* storage.list({ from: "events", ...page })
    const conversations = yield* storage.list({ from: "conversations", ...page })
    const unknown = yield* storage.list({ from: "unknownEvents", ...page })
    const handleOf = (id: string) => contacts.find((contact) => contact.id === id)?.identities[0]?.handle
    return {
      contacts: contacts.map(({ identities, optedOut }) => [identities.map(({ handle }) => handle), optedOut]).sort(),
      conversations: conversations
        .map(({ contactId, handle, readUpTo }) => [handle, handleOf(contactId), readUpTo])
        .sort(),
      messages: messages
        .map(({ body, contactId, direction, status }) => `${handleOf(contactId)} ${direction} ${status} ${body}`)
        .sort(),
      events: events.map(({ type }) => type).sort(),
      // A log: a redelivered event is stored again.
      unknown: [...new Set(unknown.map(({ kind, raw }) => `${kind} ${raw}`))].sort()
    }
  })

/** Events of two customers with one sent message each. Repetition and order must not change the result. */
const story = (sent: ReadonlyArray<string>): ReadonlyArray<InboundEvent> => {
  const receipts = sent.flatMap((id) =>
    (["sent", "delivered", "read"] as const).map((status) =>
      InboundEvent.Receipt({
        providerMessageId: `p-${id}`,
        messageId: id,
        receipt: { status, at: someTime, error: null }
      })
    )
  )
  const parked = (["delivered", "read"] as const).map((status) =>
    InboundEvent.Receipt({
      providerMessageId: "of no message",
      messageId: null,
      receipt: { status, at: someTime, error: null }
    })
  )
  return [
    ...receipts,
    ...parked,
    message(ada, "a1"),
    message(ada, "a2"),
    message(grace, "g1"),
    InboundEvent.OptOut({ handle: grace, scope: "all", optedOut: true }),
    InboundEvent.Watermark({ handle: ada, status: "delivered", upTo: someTime }),
    InboundEvent.Watermark({ handle: ada, status: "read", upTo: someTime }),
    InboundEvent.Unknown({ kind: "reaction", raw: "{}" })
  ]
}

const begin = Effect.gen(function* () {
  const tenant = yield* newTenant
  const sent = yield* Effect.forEach([ada, grace], (to) => Effect.map(send(tenant, to, to), ({ id }) => id))
  return { tenant, events: story(sent) }
})

const timeout = { timeout: 120_000 }

for (const [name, storage] of databases) {
  const commits = failingCommits()
  layer(engine(commits.over(storage), 30_000), { excludeTestServices: true })(`redelivered events on ${name}`, (it) => {
    it.effect(
      "have the same result in any order, batches and repetitions",
      () =>
        Effect.gen(function* () {
          const once = yield* begin
          yield* take(once.tenant.connection, once.events)
          const expected = yield* endState(once.tenant)
          expect(expected.messages.filter((text) => text.includes("inbound"))).toHaveLength(3)
          expect(expected.messages.filter((text) => text.includes("outbound read"))).toHaveLength(2)
          const indexes = once.events.map((_, index) => index)
          const shuffled = fc.tuple(
            fc.shuffledSubarray(indexes, { minLength: indexes.length }),
            fc.array(fc.constantFrom(...indexes), { maxLength: 15 }),
            fc.integer({ min: 1, max: indexes.length }),
            fc.boolean()
          )
          for (const [order, more, size, together] of fc.sample(shuffled, { numRuns: 10, seed: 7 })) {
            const { tenant, events } = yield* begin
            const selected = [...order, ...more].flatMap((index) => events[index] ?? [])
            const batches = Array.from({ length: Math.ceil(selected.length / size) }, (_, n) =>
              selected.slice(n * size, (n + 1) * size)
            )
            const concurrency = together ? "unbounded" : 1
            yield* Effect.forEach(batches, (batch) => take(tenant.connection, batch), { concurrency })
            expect(yield* endState(tenant)).toEqual(expected)
          }
        }),
      timeout
    )

    it.effect(
      "are neither lost nor duplicated after storage failures",
      () =>
        Effect.gen(function* () {
          const once = yield* begin
          yield* take(once.tenant.connection, once.events)
          const expected = yield* endState(once.tenant)
          const faults = fc.uniqueArray(fc.tuple(fc.nat(20), fc.constantFrom("before" as const, "after" as const)), {
            minLength: 1,
            maxLength: 8,
            selector: ([place]) => place
          })
          let failed = 0
          for (const places of fc.sample(faults, { numRuns: 10, seed: 7 })) {
            const { tenant, events } = yield* begin
            commits.failAt(new Map(places))
            const first = yield* Effect.either(take(tenant.connection, events))
            commits.failAt(new Map())
            if (first._tag === "Left") {
              expect(first.left).toBeInstanceOf(StorageUnavailable)
              failed += 1
            }
            yield* take(tenant.connection, events)
            expect(yield* endState(tenant)).toEqual(expected)
          }
          expect(failed).toBeGreaterThan(5)
        }),
      timeout
    )

    it.effect(
      "advance all messages of a watermark after an interrupted first try",
      () =>
        Effect.gen(function* () {
          const { tenant } = yield* begin
          const storage = yield* Storage
          const ids = yield* Ids
          const { connection, workspace } = tenant
          const where = { connectionId: connection.id, handle: ada }
          const { found } = yield* storage.read({ found: lookup("conversations", where) })
          const { contactId = "", id: conversationId = "" } = found[0] ?? {}
          const sent = Array.from({ length: 150 }, () =>
            aMessage({
              id: ids.next(Date.now()),
              workspaceId: workspace.id,
              connectionId: connection.id,
              conversationId,
              contactId,
              status: "sent",
              sentAt: someTime
            })
          )
          yield* storage.commit(changes(workspace.id, { ensures: sent.map((one) => row("messages", one)) }))
          const mark = take(connection, [InboundEvent.Watermark({ handle: ada, status: "read", upTo: someTime })])
          // The first commit raises the watermark; this one is in the second page of messages.
          commits.failAt(new Map([[120, "before"]]))
          expect(yield* Effect.flip(mark)).toBeInstanceOf(StorageUnavailable)
          commits.failAt(new Map())
          yield* mark
          const { messages } = yield* endState(tenant)
          expect(messages.filter((text) => text.includes("outbound read"))).toHaveLength(sent.length)
        }),
      timeout
    )

    it.effect(
      "are applied if another event of their batch fails",
      () =>
        Effect.gen(function* () {
          const { tenant } = yield* begin
          commits.failAt(new Map([[0, "before"]]))
          const batch = Array.from({ length: 5 }, (_, n) => message(`+49170200000${n}`, `${n}`))
          expect(yield* Effect.flip(take(tenant.connection, batch))).toBeInstanceOf(StorageUnavailable)
          commits.failAt(new Map())
          const { messages } = yield* endState(tenant)
          expect(messages.filter((text) => text.includes("inbound"))).toHaveLength(4)
        }),
      timeout
    )
  })
}

for (const [name, open] of sharedDatabases) {
  it.scopedLive(
    `concurrent first messages on two hosts create one contact and one conversation on ${name}`,
    () =>
      Effect.gen(function* () {
        const hosts = yield* open
        const engines = yield* Effect.forEach(hosts, (storage) => Layer.build(engine(storage)))
        const [one, other] = engines as unknown as readonly [(typeof engines)[number], (typeof engines)[number]]
        const tenant = yield* Effect.provide(newTenant, one)
        const firsts = Array.from({ length: 20 }, (_, n) => `+4917030000${n.toString().padStart(2, "0")}`)
        yield* Effect.forEach(
          [one, other],
          (host, index) =>
            Effect.provide(
              take(
                tenant.connection,
                firsts.map((from) => message(from, `${from} ${index}`))
              ),
              host
            ),
          { concurrency: "unbounded" }
        )
        const { contacts, conversations, events, messages } = yield* Effect.provide(endState(tenant), one)
        expect(contacts).toHaveLength(firsts.length)
        expect(conversations).toHaveLength(firsts.length)
        expect(messages).toHaveLength(2 * firsts.length)
        expect(events.filter((type) => type === "contact.created")).toHaveLength(firsts.length)
      }),
    timeout
  )
}
