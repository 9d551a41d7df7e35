import { expect, it } from "@effect/vitest"
import { MemoryBlobs } from "@parley/node"
import {
  aConnection,
  aContact,
  aConversation,
  aJob,
  aMessage,
  anApplication,
  anIdempotencyRecord,
  aTemplate,
  channelsNamed,
  someTime
} from "@parley/testkit/rows"
import { plainSecretBox, testIds } from "@parley/testkit/services"
import { Context, Effect, Either, Fiber, Layer, Logger, Schema, Stream, TestClock } from "effect"
import { describe } from "vitest"
import type { SendProgress } from "../../../src/flows/sends/SendProgress.js"
import * as Sends from "../../../src/flows/sends/Sends.js"
import * as Decider from "../../../src/kernel/Decider.js"
import { layer as engineSettings } from "../../../src/kernel/EngineSettings.js"
import { recorded } from "../../../src/kernel/metrics/recorded.js"
import type { Connection } from "../../../src/model/Connection.js"
import type { Contact } from "../../../src/model/Contact.js"
import type { IdempotencyRecord } from "../../../src/model/IdempotencyRecord.js"
import { day, minute, second } from "../../../src/model/Instant.js"
import type { Job } from "../../../src/model/Job.js"
import type { Message } from "../../../src/model/Message.js"
import type { Template } from "../../../src/model/Template.js"
import type { Changes } from "../../../src/ports/Changes.js"
import {
  type ChannelProvider,
  ChannelProviders,
  type OutboundMessage,
  SendOutcome
} from "../../../src/ports/ChannelProvider.js"
import { CommitOutcome, type Lookups, lookup, Storage, StorageUnavailable } from "../../../src/ports/Storage.js"
import type { StoredAnswer } from "../../../src/resources/access/idempotency.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"
import * as FeedUpdates from "../../../src/resources/conversations/FeedUpdates.js"
import { make as makeVerdicts, Verdicts } from "../../../src/resources/messages/Verdicts.js"
import { quietWakeup } from "../../quietWakeup.js"
import { type Script, scriptedStorage } from "../../scriptedStorage.js"

const connection = aConnection({ provider: "scripted", status: "active", config: {}, heldUntil: 0, heldMs: 0 })
const message = aMessage({
  id: "01900000-0000-7000-8000-0000000000aa",
  direction: "outbound",
  status: "queued",
  connectionId: connection.id,
  createdAt: someTime
})
const job = aJob({
  id: "01900000-0000-7000-8000-0000000000bb",
  lane: "sends",
  subject: connection.id,
  reference: message.id,
  payload: { to: "+1" },
  attempts: 0,
  createdAt: someTime,
  epoch: 7
})
const committed = CommitOutcome.Committed({ bumped: [] })
const accepted = SendOutcome.Accepted({ providerMessageId: "p1", receipts: [] })
const tenPerSecond = { messages: 10, per: second, burst: 1 }

interface Given {
  readonly message?: Message | null
  readonly connection?: Connection | null
  readonly isContactErased?: boolean
  /** Default: none. */
  readonly contact?: Contact
  readonly templates?: ReadonlyArray<Template>
  readonly provider?: Partial<ChannelProvider>
  readonly outcome?: SendOutcome
  readonly script?: Script
  /** State of the idempotency record. Default: `awaiting`. */
  readonly record?: IdempotencyRecord["state"]
}

/** A host that sends one message, with these stored rows; all commits succeed. */
const sending = (given: Given = {}) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(someTime)
    const rows: { readonly [table: string]: ReadonlyArray<unknown> } = {
      messages: given.message === null ? [] : [given.message ?? message],
      connections: given.connection === null ? [] : [given.connection ?? connection],
      applications: [anApplication()],
      idempotency: [anIdempotencyRecord({ key: "key", state: given.record ?? "awaiting" })],
      contacts: given.contact === undefined ? [] : [given.contact],
      templates: given.templates ?? [],
      conversations: given.isContactErased
        ? []
        : [aConversation({ id: message.conversationId, connectionId: connection.id, handle: "+1", fed: 4 })]
    }
    const read = (queries: Lookups) =>
      Effect.succeed(
        Object.fromEntries(
          Object.entries(queries).map(([name, query]) => [name, query ? (rows[query.from] ?? []) : []])
        )
      )
    const { callsOf, storage } = yield* scriptedStorage({
      read,
      commit: () => Effect.succeed(committed),
      beginAttempt: () => Effect.succeed(true),
      ...given.script
    })
    const handed: Array<OutboundMessage> = []
    const provider: ChannelProvider = {
      kind: "scripted",
      channels: channelsNamed("whatsapp"),
      config: Schema.Unknown,
      credentials: Schema.Unknown,
      capabilities: () => ({
        textMaxLength: null,
        templates: true,
        deliveryReceipts: true,
        readReceipts: true,
        serviceWindowHours: null
      }),
      parseHandle: (_, handle) => Either.right(handle),
      dedupes: false,
      send: (_connection, _credentials, message) =>
        Effect.sync(() => {
          handed.push(message)
          return given.outcome ?? accepted
        }),
      ...given.provider
    }
    const ports = Layer.mergeAll(
      Layer.succeed(Storage, storage),
      Layer.succeed(ChannelProviders, channelProviders([provider])),
      plainSecretBox,
      MemoryBlobs.layer,
      engineSettings(),
      testIds,
      quietWakeup()
    )
    const context = yield* Layer.build(
      Layer.effect(Sends.Sends, Sends.make).pipe(
        Layer.provideMerge(
          Layer.mergeAll(
            Layer.effect(Verdicts, makeVerdicts),
            Layer.scoped(FeedUpdates.FeedUpdates, FeedUpdates.make),
            Layer.scoped(Decider.Decider, Decider.make)
          )
        ),
        Layer.provide(ports)
      )
    )
    const { handOver } = Context.get(context, Sends.Sends)
    const written = () => callsOf("commit").map(({ given }) => given[0] as Changes)
    const again = () => written().at(-1)?.settle?.again
    const statusSet = () =>
      written().flatMap(({ sets }) => sets.map(({ values }) => (values as Partial<Message>).status))
    return {
      handOver,
      handed,
      written,
      again,
      statusSet,
      callsOf,
      verdicts: Context.get(context, Verdicts),
      feedUpdates: Context.get(context, FeedUpdates.FeedUpdates)
    }
  })
const claimed = (attempts: number, progress: Partial<SendProgress> = {}): Job => ({
  ...job,
  attempts,
  payload: { to: "+1", ...progress }
})
/** Runs an effect while the test clock advances by at most `ms`. */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>, ms: number) =>
  Effect.raceFirst(effect, Effect.zipRight(TestClock.adjust(ms), Effect.never))
const postponed = (by: string, channel?: string): number =>
  recorded("parley_sends_postponed_total")
    .flatMap(({ samples }) => samples)
    .filter(({ labels }) => labels.by === by && (channel === undefined || labels.channel === channel))
    .reduce((sum, { value }) => sum + value, 0)

/** The response of the record that the storage finds. */
const stored = (key: StoredAnswer["key"]): StoredAnswer => ({ key, body: anIdempotencyRecord({}).body })

describe("a send to a provider without deduplication", () => {
  it.scoped("is sent once its first attempt is stored", () =>
    Effect.gen(function* () {
      const { callsOf, handOver, handed, statusSet, written } = yield* sending()
      yield* handOver(claimed(0))
      expect(callsOf("beginAttempt")).toMatchObject([{ given: [{ jobId: job.id, epoch: 7, attempt: 1 }] }])
      expect(handed).toMatchObject([{ id: message.id, to: "+1", attempt: 1 }])
      expect(statusSet()).toEqual(["sent"])
      expect(written().at(-1)?.settle).toEqual({ jobId: job.id, epoch: 7, again: null })
    })
  )
  for (const [outcome, dedupes, first, later] of [
    [SendOutcome.Transient({ reason: "refused" }), false, ["a send failed and is tried again: refused"], []],
    [SendOutcome.Unknown({ reason: "lost" }), true, ["the outcome of a send is unknown: lost"], []],
    [
      SendOutcome.Unknown({ reason: "lost" }),
      false,
      ["the outcome of a send is unknown: lost"],
      ["the outcome of a send is unknown: lost"]
    ],
    [accepted, false, [], []]
  ] as const) {
    it.scoped(`logs the reason of the first failure of a row, and of a hold: ${outcome._tag}, ${dedupes}`, () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const log = Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => void lines.push(`${message}`))
        )
        const { handOver } = yield* sending({ outcome, provider: { dedupes } })
        yield* Effect.provide(handOver(claimed(0)), log)
        yield* Effect.provide(handOver(claimed(0, { failingSince: someTime })), log)
        expect(lines).toEqual([...first, ...later])
      })
    )
  }
  it.scoped("is not sent without its lease", () =>
    Effect.gen(function* () {
      const script: Script = { beginAttempt: () => Effect.succeed(false) }
      const { handOver, handed, written } = yield* sending({ script })
      yield* handOver(claimed(0))
      expect(handed).toEqual([])
      expect(written()).toEqual([])
    })
  )
  it.scoped("that a shutdown interrupts while its attempt is stored takes the attempt back", () =>
    Effect.gen(function* () {
      const { callsOf, handOver, handed } = yield* sending({
        script: { beginAttempt: () => Effect.uninterruptible(Effect.as(Effect.sleep(100), true)) }
      })
      const running = yield* Effect.fork(handOver(claimed(0)))
      while (callsOf("beginAttempt").length === 0) yield* Effect.yieldNow()
      const stopping = yield* Effect.fork(Fiber.interrupt(running))
      yield* TestClock.adjust(200)
      yield* Fiber.join(stopping)
      expect(handed).toEqual([])
      expect(callsOf("beginAttempt")).toMatchObject([{ given: [{ attempt: 1 }] }, { given: [{ attempt: 0 }] }])
    })
  )
  it.scoped("settles no attempt that was not begun", () =>
    Effect.gen(function* () {
      const { again, handOver } = yield* sending({
        connection: { ...connection, credentials: "not JSON" },
        provider: { credentials: Schema.Struct({ token: Schema.String }) }
      })
      yield* handOver(claimed(0))
      expect(again()).toMatchObject({ payload: { settled: 0, tries: 1 } })
    })
  )
  it.scoped("is sent after an outage of the storage that ended before its attempt", () =>
    Effect.gen(function* () {
      const away = Effect.fail(new StorageUnavailable({ cause: "restarted" }))
      const { handOver, handed, statusSet } = yield* sending({
        script: { beginAttempt: [away, away, Effect.succeed(true)] }
      })
      yield* whileTimePasses(handOver(claimed(0)), minute)
      expect(handed).toHaveLength(1)
      expect(statusSet()).toEqual(["sent"])
    })
  )
  it.scoped("is sent again after attempts with an outcome", () =>
    Effect.gen(function* () {
      const { handOver, handed } = yield* sending()
      yield* handOver(claimed(3, { settled: 3, tries: 2 }))
      expect(handed).toMatchObject([{ attempt: 3 }])
    })
  )
  it.scoped("is not sent again after an attempt without an outcome, but waits for receipts", () =>
    Effect.gen(function* () {
      const { again, handOver, handed } = yield* sending()
      yield* handOver(claimed(1))
      expect(handed).toEqual([])
      expect(again()).toMatchObject({ runAt: someTime + day, payload: { held: true, settled: 1, tries: 1 } })
    })
  )
  it.scoped("is sent again after an attempt without an outcome with the policy resend", () =>
    Effect.gen(function* () {
      const { handOver, handed } = yield* sending({
        connection: { ...connection, config: { unknown_outcome: "resend" } }
      })
      yield* handOver(claimed(1))
      expect(handed).toHaveLength(1)
    })
  )
  it.scoped("fails when no receipt arrived in time", () =>
    Effect.gen(function* () {
      const { handOver, handed, statusSet, written } = yield* sending()
      yield* handOver(claimed(1, { held: true, settled: 1 }))
      expect(handed).toEqual([])
      expect(statusSet()).toEqual(["failed"])
      expect(written()[0]?.settle?.again).toBeNull()
    })
  )
})

describe("a send to a provider with deduplication", () => {
  it.scoped("is sent again after an attempt without an outcome, and stores no attempt", () =>
    Effect.gen(function* () {
      const { callsOf, handOver, handed } = yield* sending({ provider: { dedupes: true } })
      yield* handOver(claimed(1))
      expect(handed).toHaveLength(1)
      expect(callsOf("beginAttempt")).toEqual([])
    })
  )
})

describe("a send", () => {
  const done = { jobId: job.id, epoch: 7, again: null }

  it.scoped("of an erased message is dropped", () =>
    Effect.gen(function* () {
      const { handOver, handed, written } = yield* sending({ message: null })
      yield* handOver(job)
      expect(handed).toEqual([])
      expect(written()).toMatchObject([{ settle: done, sets: [], inserts: [] }])
    })
  )
  it.scoped("of an erased contact is dropped, where its message is not yet deleted", () =>
    Effect.gen(function* () {
      const provider = { dedupes: true }
      const { handOver, handed, written } = yield* sending({ isContactErased: true, provider })
      yield* handOver(claimed(1, { settled: 1, tries: 1 }))
      yield* handOver({ ...job, createdAt: someTime - 15 * second })
      expect(handed).toEqual([])
      const dropped = { settle: done, sets: [], inserts: [] }
      expect(written()).toMatchObject([dropped, dropped])
    })
  )
  it.scoped("fails if the contact opted out while the message waited", () =>
    Effect.gen(function* () {
      const contact = aContact({ optedOut: true })
      const marketing = aContact({ marketingOptedOut: true })
      const template = { ...message, templateName: "sale", templateLanguage: "en" }
      const sale = aTemplate({
        id: "01900000-0000-7000-8000-0000000000d1",
        name: "sale",
        language: "en",
        category: "Marketing"
      })
      const marketingConnection = { ...connection, config: { marketing: true } }
      const ofAgent = { ...message, applicationId: null }
      const ofBot = { ...message, botSessionId: message.id, workflowRunId: message.id }
      const waiting = { ...job, createdAt: someTime - 15 * second }
      const failing: ReadonlyArray<[Given, Job]> = [
        [{ contact }, waiting],
        [{ contact, provider: { dedupes: true } }, claimed(1, { settled: 1, tries: 1 })],
        [{ contact: marketing, message: template, templates: [sale] }, waiting],
        [{ contact: marketing, connection: marketingConnection }, waiting]
      ]
      for (const [given, job] of failing) {
        const { handOver, handed, written } = yield* sending(given)
        yield* handOver(job)
        expect(handed).toEqual([])
        const error = { code: "validation_failed", message: expect.stringMatching(/^The customer has opted out of/) }
        expect(written()).toMatchObject([{ settle: done, sets: [{ values: { status: "failed", error } }] }])
      }
      const sent: ReadonlyArray<[Given, Job]> = [
        [{ contact: aContact() }, waiting],
        // It was written with its contact a moment ago.
        [{ contact }, job],
        [{ contact: marketing }, waiting],
        [{ contact: marketing, message: template, templates: [{ ...sale, category: "utility" }] }, waiting],
        [{ contact: marketing, message: ofAgent, connection: marketingConnection }, waiting],
        [{ contact: marketing, message: ofBot, connection: marketingConnection }, waiting]
      ]
      for (const [given, job] of sent) {
        const { handOver, handed } = yield* sending(given)
        yield* handOver(job)
        expect(handed).toHaveLength(1)
      }
    })
  )
  it.scoped("that fails by an opt-out answers the waiting request", () =>
    Effect.gen(function* () {
      const { handOver, verdicts, written } = yield* sending({ contact: aContact({ optedOut: true }) })
      const key = { applicationId: message.applicationId ?? "", key: "key" }
      const waiting = yield* verdicts.expect(message.id, stored(key))
      yield* handOver({ ...job, createdAt: someTime - 15 * second })
      expect(yield* waiting.verdict).toEqual({ _tag: "Postponed" })
      expect(written()[0]?.sets).toMatchObject([
        { table: "idempotency", values: { state: "done" } },
        { table: "messages", values: { status: "failed" } }
      ])
    })
  )
  it.scoped("waits for a receipt if the contact opted out after a try of unknown outcome, whatever the policy", () =>
    Effect.gen(function* () {
      const contact = aContact({ optedOut: true })
      const resending = { ...connection, config: { unknown_outcome: "resend" } }
      const lost = { ...message, createdAt: someTime - 15 * second }
      const unknown = yield* sending({ connection: resending, outcome: SendOutcome.Unknown({ reason: "lost" }) })
      yield* unknown.handOver(claimed(0))
      const { payload } = unknown.again() ?? {}
      expect(payload).toMatchObject({ held: false, settled: 1, tries: 1 })
      const waiting = { ...claimed(1), createdAt: someTime - 15 * second }
      for (const [given, job] of [
        [{ connection: resending }, { ...waiting, payload: payload ?? null }],
        [{ provider: { dedupes: true } }, { ...waiting, payload: payload ?? null }],
        // A process ended during the call.
        [{ connection: resending }, waiting]
      ] as ReadonlyArray<[Given, Job]>) {
        const { again, handOver, handed, statusSet } = yield* sending({ ...given, contact, message: lost })
        yield* handOver(job)
        expect(handed).toEqual([])
        expect(statusSet()).toEqual([])
        expect(again()).toMatchObject({ runAt: someTime + day, payload: { held: true, slot: null } })
      }
    })
  )
  it.scoped("does not forget that a process ended during an earlier try", () =>
    Effect.gen(function* () {
      const resending = { ...connection, config: { unknown_outcome: "resend" } }
      const { again, handOver, handed } = yield* sending({
        connection: resending,
        outcome: SendOutcome.Transient({ reason: "busy" })
      })
      yield* handOver(claimed(1))
      expect(handed).toHaveLength(1)
      expect(again()).toMatchObject({ payload: { mayHaveArrived: true, settled: 2 } })
    })
  )
  it.scoped("of a message that a receipt advanced is dropped", () =>
    Effect.gen(function* () {
      const { handOver, handed, written } = yield* sending({ message: { ...message, status: "delivered" } })
      yield* handOver(job)
      expect(handed).toEqual([])
      expect(written()).toMatchObject([{ settle: done, sets: [], inserts: [] }])
    })
  )
  it.scoped("of an attempt without an outcome is of unknown outcome also while its connection is paused", () =>
    Effect.gen(function* () {
      const paused = { ...connection, status: "paused" as const }
      const { again, handOver, handed } = yield* sending({ connection: paused })
      yield* handOver(claimed(1))
      expect(handed).toEqual([])
      expect(again()).toMatchObject({ payload: { held: true } })
    })
  )
  it.scoped("of an attempt without an outcome keeps that while its provider is missing, or it may be repeated", () =>
    Effect.gen(function* () {
      const paused = { ...connection, status: "paused" as const }
      for (const given of [
        { connection: { ...connection, provider: "other" } },
        { connection: null },
        { connection: paused, provider: { dedupes: true } }
      ]) {
        const { again, handOver, handed } = yield* sending(given)
        yield* handOver(claimed(3, { settled: 2 }))
        expect(handed).toEqual([])
        expect(again()).toMatchObject({ runAt: someTime + minute, payload: { settled: 2 } })
      }
    })
  )
  it.scoped("is counted as postponed only if it is postponed", () =>
    Effect.gen(function* () {
      const before = (["connection", "rate", "hold"] as const).map((by) => postponed(by, "whatsapp"))
      const { handed, handOver } = yield* sending({})
      yield* handOver(job)
      expect(handed).toHaveLength(1)
      expect((["connection", "rate", "hold"] as const).map((by) => postponed(by, "whatsapp"))).toEqual(before)
    })
  )
  it.scoped("of a paused connection postpones the untried ones behind it, but not those of a missing provider", () =>
    Effect.gen(function* () {
      const paused = { ...connection, status: "paused" as const }
      const { callsOf, handOver } = yield* sending({ connection: paused, script: { postponeJobs: [Effect.void] } })
      yield* handOver(job)
      expect(callsOf("postponeJobs")).toMatchObject([{ given: [{ subject: connection.id, behind: null }] }])
      for (const elsewhere of [null, { ...paused, provider: "other" }]) {
        const { callsOf, handOver } = yield* sending({ connection: elsewhere })
        yield* handOver(job)
        expect(callsOf("postponeJobs")).toEqual([])
      }
    })
  )
  it.scoped("of a paused connection is due with others that were postponed in the same second", () =>
    Effect.gen(function* () {
      const paused = { ...connection, status: "paused" as const }
      const { again, callsOf, handOver } = yield* sending({
        connection: paused,
        script: { postponeJobs: [Effect.void] }
      })
      yield* TestClock.adjust("700 millis")
      yield* handOver(job)
      expect(again()).toMatchObject({ runAt: someTime + minute })
      expect(callsOf("postponeJobs")).toMatchObject([{ given: [{ notBefore: someTime + minute }] }])
    })
  )
  it.scoped("of a paused connection that was tried, or had a slot, postpones no others", () =>
    Effect.gen(function* () {
      const paused = { ...connection, status: "paused" as const }
      for (const tried of [claimed(3, { settled: 3 }), claimed(0, { slot: 5 })]) {
        const { callsOf, handOver } = yield* sending({ connection: paused })
        yield* handOver(tried)
        expect(callsOf("postponeJobs")).toEqual([])
      }
    })
  )
  it.scoped("waits a minute if the connection is paused or deleted, or its provider is missing", () =>
    Effect.gen(function* () {
      const before = postponed("connection", "whatsapp")
      const ofNone = postponed("connection", "none")
      const cases = [{ ...connection, status: "paused" as const }, null, { ...connection, provider: "other" }]
      for (const connection of cases) {
        const { again, handOver, handed } = yield* sending({ connection })
        yield* handOver(claimed(3, { settled: 3, slot: 5, recipientSlot: 6 }))
        expect(handed).toEqual([])
        expect(again()).toMatchObject({
          runAt: someTime + minute,
          lane: "sends",
          payload: { settled: 3, tries: 0, slot: null, recipientSlot: null }
        })
      }
      expect(postponed("connection", "whatsapp")).toBe(before + 2)
      expect(postponed("connection", "none")).toBe(ofNone + 1)
    })
  )
  it.scoped("reserves the next slot and waits for it", () =>
    Effect.gen(function* () {
      const before = postponed("rate")
      const { again, callsOf, handOver, handed } = yield* sending({
        provider: { rates: () => ({ connection: tenPerSecond, recipient: null }) },
        script: { reserveSlot: [Effect.succeed(someTime + 300)] }
      })
      yield* handOver(job)
      expect(handed).toEqual([])
      expect(callsOf("reserveSlot")).toMatchObject([
        { given: [{ ...tenPerSecond, key: connection.id, now: someTime }] }
      ])
      expect(again()).toMatchObject({ runAt: someTime + 300, payload: { slot: someTime + 300, settled: 0, tries: 0 } })
      expect(postponed("rate")).toBe(before + 1)
    })
  )
  it.scoped("that waits for its slot after a hold waits for the rate", () =>
    Effect.gen(function* () {
      const before = postponed("rate")
      const { handOver } = yield* sending({
        connection: { ...connection, heldUntil: someTime, heldMs: 0 },
        provider: { rates: () => ({ connection: tenPerSecond, recipient: null }) },
        script: { reserveSlot: [Effect.succeed(someTime + 300)] }
      })
      yield* handOver(job)
      expect(postponed("rate")).toBe(before + 1)
    })
  )
  it.scoped("that must wait answers the waiting request", () =>
    Effect.gen(function* () {
      const { callsOf, handOver, verdicts, written } = yield* sending({ connection: null })
      const key = { applicationId: message.applicationId ?? "", key: "key" }
      const waiting = yield* verdicts.expect(message.id, stored(key))
      yield* handOver(job)
      expect(yield* waiting.verdict).toEqual({ _tag: "Postponed" })
      expect(callsOf("read")[1]?.given[0]).toEqual({ records: lookup("idempotency", key) })
      expect(written()[0]?.sets).toMatchObject([{ table: "idempotency", values: { state: "done" } }])
    })
  )
  it.scoped("that must wait changes no idempotency record if no request waits, or if the record was replayed", () =>
    Effect.gen(function* () {
      const { callsOf, handOver, written } = yield* sending({ connection: null })
      yield* handOver(job)
      expect(callsOf("read")[1]?.given[0]).toEqual({ records: null })
      expect(written()[0]?.sets).toEqual([])
      const replayed = yield* sending({ connection: null, record: "done" })
      yield* replayed.verdicts.expect(message.id, stored({ applicationId: message.applicationId ?? "", key: "key" }))
      yield* replayed.handOver(job)
      expect(replayed.written()[0]?.sets).toEqual([])
    })
  )
  it.scoped("reads its own message and connection", () =>
    Effect.gen(function* () {
      const { callsOf, handOver } = yield* sending()
      yield* handOver(job)
      expect(callsOf("read")[0]?.given[0]).toEqual({
        messages: lookup("messages", { id: message.id }),
        connections: lookup("connections", { id: connection.id })
      })
    })
  )
  it.scoped("is sent at once if its slot is due", () =>
    Effect.gen(function* () {
      const { handOver, handed } = yield* sending({
        provider: { rates: () => ({ connection: tenPerSecond, recipient: null }) },
        script: { reserveSlot: [new StorageUnavailable({ cause: "cut off" }), Effect.succeed(someTime)] }
      })
      yield* whileTimePasses(handOver(job), minute)
      expect(handed).toHaveLength(1)
    })
  )
  it.scoped("that waits for the end of a hold postpones the queue behind it", () =>
    Effect.gen(function* () {
      const before = postponed("hold")
      const held = { ...connection, heldUntil: someTime + 5 * second, heldMs: 5 * second }
      const { again, callsOf, handOver } = yield* sending({
        connection: held,
        script: { postponeJobs: [Effect.void] }
      })
      yield* handOver(claimed(1, { settled: 1, slot: someTime }))
      expect(again()).toMatchObject({ runAt: someTime + 5 * second })
      expect(callsOf("postponeJobs")).toMatchObject([{ given: [{ subject: connection.id, behind: 5 * second }] }])
      expect(postponed("hold")).toBe(before + 1)
    })
  )
  it.scoped("that missed its slot by more than the limit rewinds the connection's virtual time first", () =>
    Effect.gen(function* () {
      const late = someTime - minute
      let current = { ...connection, heldUntil: 0, heldMs: 0 }
      const rows: { readonly [table: string]: () => unknown } = {
        messages: () => message,
        connections: () => current,
        applications: () => anApplication(),
        conversations: () => aConversation({ id: message.conversationId })
      }
      const { handOver, handed, written } = yield* sending({
        provider: { rates: () => ({ connection: tenPerSecond, recipient: null }) },
        script: {
          read: (queries: Lookups) =>
            Effect.sync(() =>
              Object.fromEntries(
                Object.entries(queries).map(([name, query]) => {
                  const found = query === null ? undefined : rows[query.from]?.()
                  return [name, found === undefined ? [] : [found]]
                })
              )
            ),
          commit: (changes) =>
            Effect.sync(() => {
              if (changes.bumps.length > 0) current = { ...current, heldMs: minute }
              return committed
            })
        }
      })
      yield* handOver(claimed(1, { settled: 1, slot: late }))
      expect(written()[0]?.bumps).toEqual([{ table: "connections", id: connection.id, greatest: { heldMs: minute } }])
      expect(handed).toHaveLength(1)
    })
  )
  it.scoped("resolves the waiting request with its verdict", () =>
    Effect.gen(function* () {
      const { handOver, verdicts, written } = yield* sending()
      const waiting = yield* verdicts.expect(
        message.id,
        stored({ applicationId: message.applicationId ?? "", key: "key" })
      )
      yield* handOver(job)
      expect(yield* waiting.verdict).toEqual({ _tag: "Accepted", feed: null })
      expect(written()[0]?.sets).toContainEqual(
        expect.objectContaining({ table: "idempotency", values: { state: "done" } })
      )
    })
  )
  it.scoped("is recorded after a long storage outage", () =>
    Effect.gen(function* () {
      const away = new StorageUnavailable({ cause: "cut off" })
      const { handOver, handed, written } = yield* sending({
        script: { commit: [...Array.from({ length: 30 }, () => away), Effect.succeed(committed)] }
      })
      yield* whileTimePasses(handOver(job), 5 * minute)
      expect(handed).toHaveLength(1)
      expect(written()).toHaveLength(31)
    })
  )
  it.scoped("whose message was erased during the provider call settles its job and completes the waiting key", () =>
    Effect.gen(function* () {
      let erased = false
      const record = anIdempotencyRecord({ key: "key", state: "awaiting" })
      const { handOver, verdicts, written } = yield* sending({
        provider: {
          send: () =>
            Effect.sync(() => {
              erased = true
              return accepted
            })
        },
        script: {
          read: (queries: Lookups) =>
            Effect.sync(() =>
              Object.fromEntries(
                Object.entries(queries).map(([name, query]) => {
                  if (query?.from === "messages") return [name, erased ? [] : [message]]
                  if (query?.from === "idempotency") return [name, [record]]
                  return [name, query?.from === "connections" ? [connection] : []]
                })
              )
            )
        }
      })
      const waiting = yield* verdicts.expect(
        message.id,
        stored({ applicationId: message.applicationId ?? "", key: "key" })
      )
      yield* handOver(job)
      const completed = { table: "idempotency", values: { state: "done" } }
      expect(written()).toMatchObject([{ settle: done, sets: [completed], inserts: [] }])
      expect(yield* waiting.verdict).toEqual({ _tag: "Accepted", feed: null })
    })
  )
  it.scoped("that is accepted notifies the readers of its feed", () =>
    Effect.gen(function* () {
      const serve: NonNullable<ChannelProvider["serve"]> = () => Effect.die("not called")
      const { feedUpdates, handOver } = yield* sending({ provider: { serve } })
      const updates: Array<void> = []
      const key = { connectionId: connection.id, handle: "+1" }
      yield* Effect.fork(Stream.runForEach(feedUpdates.of(key), (update) => Effect.sync(() => updates.push(update))))
      for (let i = 0; i < 20; i++) yield* Effect.yieldNow()
      const before = updates.length
      yield* handOver(job)
      for (let i = 0; i < 20; i++) yield* Effect.yieldNow()
      expect(updates.length).toBe(before + 1)
    })
  )
})

describe("a held send", () => {
  it.scoped("that a receipt advanced, or whose message was erased, meanwhile only settles its job", () =>
    Effect.gen(function* () {
      for (const meanwhile of [[{ ...message, status: "delivered" as const }], []]) {
        let reads = 0
        const { handOver, written } = yield* sending({
          script: {
            read: (queries: Lookups) =>
              Effect.sync(() => {
                const messages = reads++ === 0 ? [message] : meanwhile
                return Object.fromEntries(
                  Object.entries(queries).map(([name, query]) => [name, query?.from === "messages" ? messages : []])
                )
              })
          }
        })
        yield* handOver(claimed(1, { held: true, settled: 1 }))
        expect(written()).toMatchObject([{ settle: { again: null }, sets: [], inserts: [] }])
      }
    })
  )
})
