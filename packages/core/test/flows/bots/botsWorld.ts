import { aBot, aProviderMessage } from "@parley/testkit/rows"
import { Clock, Effect, Layer, TestClock } from "effect"
import * as AdminConversations from "../../../src/flows/agentReplies/AdminConversations.js"
import * as Bots from "../../../src/flows/bots/Bots.js"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import * as AdminMessages from "../../../src/flows/messageAdmin/AdminMessages.js"
import type { Bot } from "../../../src/model/Bot.js"
import { type Job, neverDue } from "../../../src/model/Job.js"
import type { Message } from "../../../src/model/Message.js"
import type { Script } from "../../../src/model/Script.js"
import { BotResponder } from "../../../src/ports/BotResponder.js"
import { changes, expect as expects, row, set } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { leaseMs } from "../../../src/queue/HeldLease.js"
import { engine, newTenant, type Tenant } from "../../harness.js"

const handle = "+491701000001"

/** An engine without a worker: tests claim and run bot jobs themselves. */
export const botsWorld = <E>(storage: Layer.Layer<Storage | Wakeup, E>, responder: BotResponder | null = null) =>
  Layer.mergeAll(
    Layer.effect(Bots.Bots, Bots.make),
    Layer.effect(AdminMessages.AdminMessages, AdminMessages.make),
    Layer.effect(AdminConversations.AdminConversations, AdminConversations.make)
  ).pipe(
    Layer.provideMerge(engine(storage)),
    Layer.provide(responder === null ? Layer.empty : Layer.succeed(BotResponder, responder))
  )

/** A tenant with an active bot of this script. */
export const newBotTenant = (script: Script, given: Partial<Bot> = {}) =>
  Effect.gen(function* () {
    const tenant = yield* newTenant
    const bot = yield* addBot(tenant, script, given)
    return { ...tenant, bot }
  })

export const addBot = (tenant: Tenant, script: Script, given: Partial<Bot> = {}) =>
  Effect.gen(function* () {
    const id = (yield* Ids).next(yield* Clock.currentTimeMillis)
    const bot = aBot({ id, workspaceId: tenant.workspace.id, script, ...given })
    const inserts = [row("bots", bot)]
    yield* (yield* Storage).commit(
      changes(tenant.workspace.id, { expects: [expects("workspaces", { id: tenant.workspace.id })], inserts })
    )
    return bot
  })

/** Receives a message of the customer. */
export const write = ({ connection }: Tenant, providerMessageId: string, body: string, automatic = false) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.receive(connection, { providerMessageId, from: handle, body, displayName: "Ada", automatic })
  )

/** Receives a message that the business wrote to the customer elsewhere. */
export const writeElsewhere = ({ connection }: Tenant, providerMessageId: string, body: string, mayBeOwn = false) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.mirror(connection, { providerMessageId, to: handle, at: 1_000, body, mayBeOwn })
  )

/** Receives the edit of a message that the business wrote elsewhere. */
export const editElsewhere = ({ connection }: Tenant, providerMessageId: string, body: string, edited: string) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.mirror(connection, {
      ...{ providerMessageId, to: handle, at: 1_000, body, content: { type: "edit" } },
      quoted: { providerMessageId: edited }
    })
  )

/** Receives the business's reaction, made elsewhere, to a message. */
export const reactElsewhere = ({ connection }: Tenant, providerMessageId: string, to: string) =>
  Effect.flatMap(Inbound, (inbound) =>
    inbound.mirror(connection, {
      ...{ providerMessageId, to: handle, at: 1_000, body: "👍", content: { type: "reaction", emoji: "👍" } },
      quoted: { providerMessageId: to }
    })
  )

/** Receives the press of an option of a message of ours. */
export const press = (
  { connection }: Tenant,
  providerMessageId: string,
  id: string,
  title: string,
  question: Message
) =>
  Effect.gen(function* () {
    const accepted = `accepted ${question.id}`
    const { connectionId, workspaceId } = question
    const known = { connectionId, providerMessageId: accepted }
    const store = yield* Storage
    const { rows } = yield* store.read({ rows: lookup("providerMessages", known) })
    if (rows.length === 0) {
      const claims = [row("providerMessages", aProviderMessage({ ...known, workspaceId, messageId: question.id }))]
      yield* store.commit(changes(workspaceId, { claims }))
    }
    yield* (yield* Inbound).receive(connection, {
      providerMessageId,
      from: handle,
      body: title,
      content: { type: "choice", id, title },
      quoted: { providerMessageId: accepted },
      displayName: "Ada"
    })
  })

/** Claims the tenant's due bot jobs. */
export const claim = (tenant: Tenant): Effect.Effect<ReadonlyArray<Job>, unknown, Storage> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const lanes = [{ lane: "runs" as const, limit: 1_000, perSubject: 1_000, except: [] }]
    const { jobs } = yield* (yield* Storage).claimJobs({ now, owner: "test", leaseMs, lanes })
    return jobs.filter(({ workspaceId }) => workspaceId === tenant.workspace.id)
  })

export const run = (job: Job) =>
  Effect.flatMap(Bots.Bots, (bots) => (job.payload?.task === "time_out_bot" ? bots.timeOut(job) : bots.answer(job)))

/** Runs all due jobs in sequence. */
export const work = (tenant: Tenant): Effect.Effect<void, unknown, Storage | Bots.Bots> =>
  Effect.gen(function* () {
    const jobs = yield* claim(tenant)
    yield* Effect.forEach(jobs, run, { discard: true })
    if (jobs.length > 0) yield* work(tenant)
  })

/** Parks the tenant's bot jobs that match, as after many failures. */
export const park = (tenant: Tenant, matches: (job: Job) => boolean) =>
  Effect.gen(function* () {
    const { jobs } = yield* seen(tenant)
    for (const { id } of jobs.filter(matches)) {
      const sets = [set("jobs", { id }, { lane: "parked", runAt: neverDue })]
      yield* (yield* Storage).commit(changes(tenant.workspace.id, { expects: [expects("jobs", { id })], sets }))
    }
  })

/** Runs all due jobs after the leases of crashed hosts expire. */
export const takeOver = (tenant: Tenant) => Effect.zipRight(TestClock.adjust(leaseMs + 1), work(tenant))

/** The rows of the tenant's only conversation. */
export const seen = (tenant: Tenant) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { conversations } = yield* storage.read({
      conversations: lookup("conversations", { connectionId: tenant.connection.id, handle })
    })
    const [conversation] = conversations
    const { events, jobs, sessions } = yield* storage.read({
      events: conversation === undefined ? null : lookup("events", { subjectId: conversation.id }),
      sessions: conversation === undefined ? null : lookup("botSessions", { conversationId: conversation.id }),
      jobs: conversation === undefined ? null : lookup("jobs", { lane: "runs", subject: conversation.id })
    })
    const newestFirst = yield* storage.list({
      from: "messages",
      where: { conversationId: conversation?.id ?? "" },
      after: null,
      limit: 1_000
    })
    const messages = [...newestFirst].reverse()
    const inOrder = <R extends { readonly id: string }>(rows: ReadonlyArray<R>) =>
      [...rows].sort((one, other) => (one.id < other.id ? -1 : 1))
    return {
      conversation,
      messages,
      said: messages.filter(({ direction }) => direction === "outbound").map(({ body }) => body),
      sessions: inOrder(sessions),
      events: inOrder(events).map(({ applicationId, data, type }) => ({ type, applicationId, data: JSON.parse(data) })),
      jobs
    }
  })

export const notifications = (tenant: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list({ from: "notifications", where: { workspaceId: tenant.workspace.id }, after: null, limit: 10 })
  )
