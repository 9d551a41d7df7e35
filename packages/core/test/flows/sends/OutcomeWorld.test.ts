import { expect, it } from "@effect/vitest"
import {
  aConnection,
  aContact,
  aConversation,
  aMessage,
  anAddress,
  anApplication,
  anEndpoint,
  anIdempotencyRecord,
  aProviderMessage,
  channelsNamed,
  someWorkspaceId
} from "@parley/testkit/rows"
import { Effect } from "effect"
import { describe } from "vitest"
import { type AnsweredSend, loadOutcomeWorld, type OutcomeWorld } from "../../../src/flows/sends/OutcomeWorld.js"
import { SendOutcome } from "../../../src/ports/ChannelProvider.js"
import { type Lookups, lookup, lookupById } from "../../../src/ports/Storage.js"
import { addressOf } from "../../../src/resources/contacts/Handle.js"
import { scriptedStorage } from "../../scriptedStorage.js"

const message = aMessage({ id: "01900000-0000-7000-8000-0000000000aa" })
const channels = channelsNamed("whatsapp")
const key = { applicationId: "01900000-0000-7000-8000-0000000000ab", key: "key" }
const record = anIdempotencyRecord(key)
const awaited = { key, body: record.body }
const rows: { readonly [table: string]: unknown } = {
  messages: message,
  idempotency: record,
  endpoints: anEndpoint(),
  applications: anApplication(),
  providerMessages: aProviderMessage({ providerMessageId: "p1" }),
  conversations: aConversation({ id: message.conversationId, contactId: message.contactId }),
  connections: aConnection({ id: message.connectionId }),
  contacts: aContact({ id: message.contactId }),
  addresses: anAddress({ handle: "+491709999999" })
}
const accepted = SendOutcome.Accepted({ providerMessageId: "p1", receipts: [] })
const rejected = {
  scope: "recipient" as const,
  code: "provider_error" as const,
  providerCode: "1",
  providerMessage: "no"
}

/** Loads the world of an outcome from a storage that has a row for every lookup. */
const loading = (given: Partial<AnsweredSend> = {}, stored = rows) =>
  Effect.gen(function* () {
    const { callsOf, storage } = yield* scriptedStorage({
      read: (lookups: Lookups) =>
        Effect.succeed(
          Object.fromEntries(
            Object.entries(lookups).map(([name, query]) => {
              const found = query === null ? undefined : stored[query.from]
              const row = typeof found === "function" ? found(query) : found
              return [name, row === undefined ? [] : [row]]
            })
          )
        )
    })
    const world = yield* loadOutcomeWorld(storage, {
      message,
      connection: aConnection({ channel: "whatsapp" }),
      provider: { channels },
      outcome: accepted,
      answeredAt: 7,
      awaited: undefined,
      ...given
    })
    const lookups = callsOf("read").map(({ given }) => given[0] as { readonly [name: string]: unknown })
    return { world, lookups }
  })

/** The optional fields of the world that the outcome needs. */
const fieldsOf = (given: Partial<AnsweredSend>) =>
  Effect.map(loading(given), ({ world }) => {
    const optional = ["known", "watermarks", "feed", "connection", "contact", "holder"] as const
    return optional.filter((field) => (world as OutcomeWorld)[field] !== undefined)
  })

describe("the world of an outcome", () => {
  it.scoped("has the message, the time of the answer and the subscribers", () =>
    Effect.gen(function* () {
      const { lookups, world } = yield* loading()
      expect(world).toMatchObject({
        message,
        answeredAt: 7,
        awaitingRecord: undefined,
        subscribers: { endpoints: [rows.endpoints], applications: [rows.applications] }
      })
      expect(lookups[0]).toMatchObject({
        messages: lookup("messages", { id: message.id }),
        records: null,
        endpoints: { from: "endpoints" },
        applications: { from: "applications" }
      })
      expect(lookups[0]).toMatchObject({ conversations: null })
      expect(lookups).toHaveLength(1)
    })
  )
  it.scoped("is read again for the present contact if contacts were merged during the provider call", () =>
    Effect.gen(function* () {
      const merged = aContact({ id: "01900000-0000-7000-8000-0000000000ac" })
      const outcome = SendOutcome.Rejected({ ...rejected, optOut: "all" })
      const conversations = aConversation({ id: message.conversationId, contactId: merged.id })
      const stored = { ...rows, conversations, messages: { ...message, contactId: merged.id }, contacts: merged }
      const { lookups, world } = yield* loading({ outcome }, stored)
      expect(world).toMatchObject({ message: { contactId: merged.id }, contact: merged })
      expect(lookups.map(({ contacts }) => contacts)).toEqual([
        lookupById("contacts", message.contactId),
        lookupById("contacts", merged.id)
      ])
    })
  )
  it.scoped("has the contact of the conversation, which a merge moves before the messages", () =>
    Effect.gen(function* () {
      const merged = aContact({ id: "01900000-0000-7000-8000-0000000000ac" })
      const outcome = SendOutcome.Rejected({ ...rejected, optOut: "all" })
      const conversations = aConversation({ id: message.conversationId, contactId: merged.id })
      const { lookups, world } = yield* loading({ outcome }, { ...rows, conversations, contacts: merged })
      expect(world).toMatchObject({ message, contact: merged })
      expect(lookups.at(-1)).toEqual({ found: lookupById("contacts", merged.id) })
    })
  )
  it.scoped(
    "has the remaining contact if a merge came between the lookups of the conversation and of its contact",
    () =>
      Effect.gen(function* () {
        const merged = aContact({ id: "01900000-0000-7000-8000-0000000000ac" })
        const outcome = SendOutcome.Rejected({ ...rejected, optOut: "all" })
        const { id } = aConversation({ id: message.conversationId })
        let reads = 0
        const { world } = yield* loading(
          { outcome },
          {
            ...rows,
            conversations: () => aConversation({ id, contactId: reads++ === 0 ? message.contactId : merged.id }),
            contacts: (query: object) => (JSON.stringify(query).includes(merged.id) ? merged : undefined)
          }
        )
        expect(world).toMatchObject({ message, contact: merged })
      })
  )
  it.scoped("has only the idempotency record if the message was erased", () =>
    Effect.gen(function* () {
      const { lookups, world } = yield* loading({ awaited }, { ...rows, messages: undefined })
      expect(world).toEqual({ message: undefined, awaitingRecord: rows.idempotency })
      expect(lookups).toHaveLength(1)
    })
  )
  it.scoped("has the idempotency record of a request that waits", () =>
    Effect.gen(function* () {
      const { lookups, world } = yield* loading({ awaited })
      expect(world.awaitingRecord).toBe(rows.idempotency)
      expect(lookups[0]?.records).toEqual(lookup("idempotency", key))
    })
  )
  it.scoped("has no idempotency record of another request that used the key since", () =>
    Effect.gen(function* () {
      const { world } = yield* loading({ awaited: { key, body: "of this request" } })
      expect(world.awaitingRecord).toBeUndefined()
    })
  )
  it.scoped("of an acceptance has the row of its id, and the conversation if the provider needs it", () =>
    Effect.gen(function* () {
      expect(yield* fieldsOf({})).toEqual(["known"])
      expect(yield* fieldsOf({ provider: { channels, watermarks: true } })).toEqual(["known", "watermarks"])
      const serve = (() => Effect.die("not called")) as NonNullable<AnsweredSend["provider"]["serve"]>
      expect(yield* fieldsOf({ provider: { channels, serve } })).toEqual(["known", "feed"])
      const { lookups } = yield* loading({ provider: { channels, watermarks: true } })
      expect(lookups[0]).toMatchObject({
        known: lookup("providerMessages", { connectionId: message.connectionId, providerMessageId: "p1" }),
        conversations: lookupById("conversations", message.conversationId),
        connections: null,
        contacts: null,
        holders: null
      })
    })
  )
  it.scoped("of a throttle has the connection, unless only the recipient is throttled", () =>
    Effect.gen(function* () {
      const throttled = (scope?: "connection" | "recipient") =>
        SendOutcome.Throttled({ retryAfterMs: null, ...(scope === undefined ? {} : { scope }) })
      expect(yield* fieldsOf({ outcome: throttled() })).toEqual(["connection"])
      expect(yield* fieldsOf({ outcome: throttled("connection") })).toEqual(["connection"])
      expect(yield* fieldsOf({ outcome: throttled("recipient") })).toEqual([])
    })
  )
  it.scoped("of a rejection has the connection that it refuses, or the contact that opted out", () =>
    Effect.gen(function* () {
      expect(yield* fieldsOf({ outcome: SendOutcome.Rejected(rejected) })).toEqual([])
      expect(yield* fieldsOf({ outcome: SendOutcome.Rejected({ ...rejected, scope: "connection" }) })).toEqual([
        "connection"
      ])
      expect(yield* fieldsOf({ outcome: SendOutcome.Rejected({ ...rejected, optOut: "all" }) })).toEqual(["contact"])
    })
  )
  it.scoped("of a refusal has no connection whose settings were changed since", () =>
    Effect.gen(function* () {
      const connection = aConnection({ channel: "whatsapp", version: 1 })
      const changed = { ...rows, connections: { ...connection, version: 2 } }
      const outcome = SendOutcome.Rejected({ ...rejected, scope: "connection" })
      expect((yield* loading({ connection, outcome }, changed)).world).toMatchObject({ connection: undefined })
      const throttled = SendOutcome.Throttled({ retryAfterMs: null })
      expect((yield* loading({ connection, outcome: throttled }, changed)).world).toMatchObject({
        connection: { version: 2 }
      })
    })
  )
  it.scoped("of a new handle has the connection, the contact and the holder of the handle", () =>
    Effect.gen(function* () {
      const outcome = SendOutcome.Moved({ handle: "+491709999999" })
      expect(yield* fieldsOf({ outcome })).toEqual(["connection", "contact", "holder"])
      const { lookups } = yield* loading({ outcome })
      expect(lookups[0]).toMatchObject({
        known: null,
        conversations: lookupById("conversations", message.conversationId),
        connections: lookupById("connections", message.connectionId),
        contacts: lookupById("contacts", message.contactId),
        holders: lookup("addresses", { workspaceId: someWorkspaceId, ...addressOf("whatsapp", "+491709999999") })
      })
    })
  )
  it.scoped("of an unknown outcome or a transient failure needs nothing more", () =>
    Effect.gen(function* () {
      const provider = { channels, watermarks: true }
      expect(yield* fieldsOf({ provider, outcome: SendOutcome.Unknown({ reason: "timeout" }) })).toEqual([])
      expect(yield* fieldsOf({ provider, outcome: SendOutcome.Transient({ reason: "down" }) })).toEqual([])
    })
  )
})
