import { MemoryBlobs, UuidIds } from "@parley/node"
import {
  aConnection,
  aContact,
  aConversation,
  aMessage,
  anApplication,
  aWorkspace,
  channelsNamed
} from "@parley/testkit/rows"
import { plainSecretBox } from "@parley/testkit/services"
import { Clock, Context, Effect, Either, Layer, Random, Schema, TestClock } from "effect"
import * as Sends from "../../../src/flows/sends/Sends.js"
import * as Decider from "../../../src/kernel/Decider.js"
import { layer as engineSettings } from "../../../src/kernel/EngineSettings.js"
import type { Connection } from "../../../src/model/Connection.js"
import { day } from "../../../src/model/Instant.js"
import { newJob } from "../../../src/model/Job.js"
import { changes, row } from "../../../src/ports/Changes.js"
import {
  type ChannelProvider,
  ChannelProviders,
  type OutboundMessage,
  type Rate,
  SendOutcome,
  type SendRates
} from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { leaseMs } from "../../../src/queue/HeldLease.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"
import * as FeedUpdates from "../../../src/resources/conversations/FeedUpdates.js"
import * as Verdicts from "../../../src/resources/messages/Verdicts.js"

/** A provider call: the message, its time and its outcome. */
export interface Handed {
  readonly message: OutboundMessage
  readonly connectionId: string
  readonly at: number
  readonly outcome: SendOutcome
}

/** A vendor with scripted outcomes. */
export class Vendor extends Context.Tag("test/Vendor")<
  Vendor,
  {
    script: (message: OutboundMessage, at: number, connection: Connection) => SendOutcome
    handed: Array<Handed>
    /** The claims: message and time. */
    claimed: Array<{ readonly id: string; readonly at: number }>
    provider: Partial<Pick<ChannelProvider, "dedupes" | "threads" | "maxConcurrentSends">>
    /** Runs in each call before its outcome. */
    answers: Effect.Effect<void>
  }
>() {}

export const accept = ({ id }: OutboundMessage): SendOutcome =>
  SendOutcome.Accepted({ providerMessageId: `p-${id}`, receipts: [] })

const providers = Layer.effect(
  ChannelProviders,
  Effect.map(Vendor, (vendor) => {
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
      get dedupes() {
        return vendor.provider.dedupes ?? true
      },
      get threads() {
        return vendor.provider.threads ?? false
      },
      sendTimeout: day,
      maxConcurrentSends: (connection, message) =>
        vendor.provider.maxConcurrentSends === undefined
          ? 1_000
          : vendor.provider.maxConcurrentSends(connection, message),
      rates: ({ config }) => (config.rates as SendRates | undefined) ?? { connection: null, recipient: null },
      send: (connection, _credentials, message, at) =>
        Effect.suspend(() => {
          const outcome = vendor.script(message, at, connection)
          vendor.handed.push({ message, connectionId: connection.id, at, outcome })
          return Effect.as(vendor.answers, outcome)
        })
    }
    return channelProviders([provider])
  })
)

/** Two hosts that share one queue. */
export class SendHosts extends Context.Tag("test/SendHosts")<SendHosts, ReadonlyArray<Sends.Sends>>() {}

const host = Layer.effect(Sends.Sends, Sends.make).pipe(
  Layer.provide(
    Layer.mergeAll(
      Layer.effect(Verdicts.Verdicts, Verdicts.make),
      Layer.scoped(FeedUpdates.FeedUpdates, FeedUpdates.make),
      Layer.scoped(Decider.Decider, Decider.make)
    )
  )
)
const hosts = Layer.scoped(
  SendHosts,
  Effect.map(Effect.all([Layer.build(Layer.fresh(host)), Layer.build(Layer.fresh(host))]), (built) =>
    built.map((context) => Context.get(context, Sends.Sends))
  )
)

/** Hosts with their vendor and storage; counts slot reservations. */
export const sendsWorld = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  hosts.pipe(
    Layer.provideMerge(providers),
    Layer.provideMerge(
      Layer.mergeAll(
        storage,
        UuidIds.layer,
        plainSecretBox,
        MemoryBlobs.layer,
        engineSettings(),
        Layer.sync(Vendor, () => ({ script: accept, handed: [], claimed: [], provider: {}, answers: Effect.void }))
      )
    )
  )

/** A connection in a new workspace with these rates. Resets the vendor's script. */
export const newLine = (rates: Partial<SendRates>, config: Connection["config"] = {}) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const now = yield* Clock.currentTimeMillis
    Object.assign(yield* Vendor, { script: accept, handed: [], claimed: [], provider: {}, answers: Effect.void })
    const workspace = aWorkspace({ id: ids.next(now) })
    const of = () => ({ id: ids.next(now), workspaceId: workspace.id })
    const contact = aContact({ ...of(), identities: [] })
    const connection = aConnection({
      ...of(),
      provider: "scripted",
      config: { ...config, rates: { connection: null, recipient: null, ...rates } }
    })
    const conversation = aConversation({ ...of(), connectionId: connection.id, contactId: contact.id })
    yield* storage.commit(
      changes(workspace.id, {
        inserts: [
          row("workspaces", workspace),
          row("applications", anApplication(of())),
          row("connections", connection),
          row("contacts", contact),
          row("conversations", conversation)
        ]
      })
    )
    return { workspace, connection, contact, conversationId: conversation.id }
  })
export type Line = Effect.Effect.Success<ReturnType<typeof newLine>>

/** Queued messages with their jobs, in order. */
export const queue = (
  { connection, contact, conversationId, workspace }: Line,
  count: number,
  to: (n: number) => string = toEach
) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const now = yield* Clock.currentTimeMillis
    const messages = Array.from({ length: count }, () =>
      aMessage({
        id: ids.next(now),
        workspaceId: workspace.id,
        connectionId: connection.id,
        contactId: contact.id,
        conversationId,
        direction: "outbound",
        status: "queued",
        createdAt: now
      })
    )
    const jobs = messages.map(({ id }, n) =>
      newJob({
        id: ids.next(now),
        workspaceId: workspace.id,
        lane: "sends",
        subject: connection.id,
        reference: id,
        payload: { to: to(n) },
        runAt: now,
        createdAt: now
      })
    )
    const inserts = [...messages.map((message) => row("messages", message)), ...jobs.map((job) => row("jobs", job))]
    yield* storage.commit(changes(workspace.id, { inserts }))
    return messages.map(({ id }) => id)
  })
const toEach = (n: number): string => `+4917012345${n}`

/** Claims the jobs of a line that are due. */
export const claim = (line: Line) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const only = [line.connection.id]
    const lanes = [{ lane: "sends" as const, limit: 200, perSubject: 200, except: [], only }]
    return (yield* (yield* Storage).claimJobs({ now, owner: "host", leaseMs, lanes })).jobs
  })

/** Runs all due jobs concurrently on either host. */
export const workOnce = Effect.gen(function* () {
  const storage = yield* Storage
  const hosts = yield* SendHosts
  const now = yield* Clock.currentTimeMillis
  const lanes = [{ lane: "sends" as const, limit: 200, perSubject: 200, except: [] }]
  const { jobs, nextDueAt } = yield* storage.claimJobs({ now, owner: "host", leaseMs, lanes })
  const { claimed } = yield* Vendor
  for (const { reference } of jobs) claimed.push({ id: reference, at: now })
  yield* Effect.forEach(
    jobs,
    (job) => Effect.flatMap(Random.nextIntBetween(0, hosts.length), (n) => (hosts[n] as Sends.Sends).handOver(job)),
    { concurrency: "unbounded", discard: true }
  )
  return { done: jobs.length, nextDueAt }
})

/** Runs jobs until a time or until none is left, each round `late` ms after the due time. */
export const workUntil = (
  end: number,
  late: () => number = () => 0
): Effect.Effect<void, unknown, Storage | SendHosts | Vendor> =>
  Effect.flatMap(workOnce, ({ done, nextDueAt }) => {
    if (done > 0) return workUntil(end, late)
    if (nextDueAt === null || nextDueAt > end)
      return end < Number.MAX_SAFE_INTEGER ? TestClock.setTime(end) : Effect.void
    return Effect.zipRight(TestClock.setTime(nextDueAt + late()), workUntil(end, late))
  })
export const workAll = (late?: () => number) => workUntil(Number.MAX_SAFE_INTEGER, late)

/** The accepted messages, in order. */
export const accepted = Effect.map(Vendor, ({ handed }) => handed.filter(({ outcome }) => outcome._tag === "Accepted"))

export const connectionNow = ({ connection }: Line) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.read({ found: lookup("connections", { id: connection.id }) }),
      ({ found }) => found[0] as Connection
    )
  )

export const perSecond = (messages: number, burst = 1): Rate => ({ messages, per: 1_000, burst })
