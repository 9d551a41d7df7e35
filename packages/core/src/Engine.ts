import { Context, Effect, Layer } from "effect"
import * as Bots from "./flows/bots/Bots.js"
import * as Enqueued from "./flows/enqueued/Enqueued.js"
import * as Fetches from "./flows/fetches/Fetches.js"
import * as ChoiceLinks from "./flows/inbound/ChoiceLinks.js"
import * as Inbound from "./flows/inbound/Inbound.js"
import * as ProviderHooks from "./flows/inbound/ProviderHooks.js"
import * as Unsubscribes from "./flows/inbound/Unsubscribes.js"
import * as ParkedJobs from "./flows/jobs/ParkedJobs.js"
import * as Sends from "./flows/sends/Sends.js"
import { scheduledReceipt } from "./flows/sends/scheduledReceipt.js"
import * as SubscriptionHandlers from "./flows/webhooks/SubscriptionHandlers.js"
import * as Subscriptions from "./flows/webhooks/Subscriptions.js"
import * as Webhooks from "./flows/webhooks/Webhooks.js"
import * as BusinessEvents from "./flows/workflows/BusinessEvents.js"
import * as Runs from "./flows/workflows/runs/Runs.js"
import * as Housekeeping from "./housekeeping/Housekeeping.js"
import * as Decider from "./kernel/Decider.js"
import { EngineSettings } from "./kernel/EngineSettings.js"
import * as applicationMetrics from "./kernel/metrics/applicationMetrics.js"
import { Services } from "./kernel/Services.js"
import type { Blobs } from "./ports/Blobs.js"
import { endJob } from "./ports/Changes.js"
import type { ChannelProviders } from "./ports/ChannelProvider.js"
import type { Entitlements } from "./ports/Entitlements.js"
import type { HttpSender } from "./ports/HttpSender.js"
import type { Ids } from "./ports/Ids.js"
import type { Notifier } from "./ports/Notifier.js"
import type { SecretBox } from "./ports/SecretBox.js"
import { Storage } from "./ports/Storage.js"
import type { Wakeup } from "./ports/Wakeup.js"
import * as Dispatcher from "./queue/Dispatcher.js"
import * as DispatcherHooks from "./queue/DispatcherHooks.js"
import * as Handlers from "./queue/Handlers.js"
import * as Worker from "./queue/Worker.js"
import * as Access from "./resources/access/Access.js"
import * as AccessTokens from "./resources/access/AccessTokens.js"
import * as RateBuckets from "./resources/access/RateBuckets.js"
import * as Files from "./resources/attachments/Files.js"
import * as Uploads from "./resources/attachments/Uploads.js"
import * as Channels from "./resources/channels/Channels.js"
import * as Contacts from "./resources/contacts/Contacts.js"
import * as Conversations from "./resources/conversations/Conversations.js"
import * as FeedUpdates from "./resources/conversations/FeedUpdates.js"
import * as Leads from "./resources/leads/Leads.js"
import * as Messages from "./resources/messages/Messages.js"
import * as Verdicts from "./resources/messages/Verdicts.js"
import * as RequestLog from "./resources/requestLog/RequestLog.js"
import * as Templates from "./resources/templates/Templates.js"

/** The ports that a host provides. */
export type Ports =
  | Storage
  | Ids
  | ChannelProviders
  | HttpSender
  | SecretBox
  | Blobs
  | Wakeup
  | Notifier
  | Entitlements
  | EngineSettings

/** The services of an engine. */
export type Engine =
  | Access.Access
  | AccessTokens.AccessTokens
  | RateBuckets.RateBuckets
  | Contacts.Contacts
  | Leads.Leads
  | Conversations.Conversations
  | Templates.Templates
  | Channels.Channels
  | Messages.Messages
  | Files.Files
  | Uploads.Uploads
  | BusinessEvents.BusinessEvents
  | Enqueued.Enqueued
  | Runs.Runs
  | Inbound.Inbound
  | ProviderHooks.ProviderHooks
  | ChoiceLinks.ChoiceLinks
  | Unsubscribes.Unsubscribes
  | Subscriptions.Subscriptions
  | RequestLog.RequestLog
  | Decider.Decider
  | Dispatcher.Dispatcher
  | Housekeeping.Housekeeping

const makeHandlers = Effect.gen(function* () {
  const sends = yield* Sends.Sends
  const webhooks = yield* Webhooks.Webhooks
  const inbound = yield* Inbound.Inbound
  const fetches = yield* Fetches.Fetches
  const runs = yield* Runs.Runs
  const bots = yield* Bots.Bots
  const enqueued = yield* Enqueued.Enqueued
  const housekeeping = yield* Housekeeping.Housekeeping
  const parkedJobs = yield* ParkedJobs.ParkedJobs
  const { each } = Handlers
  return Handlers.Handlers.of({
    sends: each(sends.handOver),
    deliveries: webhooks.deliver,
    retries: webhooks.deliver,
    subscriptions: webhooks.deliver,
    receipts: each((job) =>
      inbound.applyReceipt({
        workspaceId: job.workspaceId,
        connectionId: job.subject,
        providerMessageId: job.reference,
        receipt: scheduledReceipt(job),
        settle: endJob(job)
      })
    ),
    fetches: each(fetches.run),
    downloads: each(fetches.run),
    runs: (jobs) => {
      const ofBots = jobs.map((job) => {
        switch (job.payload?.task) {
          case "converse":
            return Effect.suspend(() => bots.answer(job))
          case "time_out_bot":
            return Effect.suspend(() => bots.timeOut(job))
          default:
            return null
        }
      })
      const others = jobs.filter((_, i) => ofBots[i] === null)
      const advances = others.length === 0 ? Effect.succeed([]) : runs.advance(others)
      return Effect.map(advances, ([...left]) => ofBots.map((work) => work ?? (left.shift() as Handlers.Run)))
    },
    calls: runs.advance,
    enqueued: each(enqueued.accept),
    housekeeping: each(housekeeping.run),
    parked: each(parkedJobs.giveUp)
  })
})

/** Lowest first: each service may use those above it. */
const services = Services.none
  // Kernel
  .add(DispatcherHooks.DispatcherHooks, DispatcherHooks.make)
  .add(Storage, DispatcherHooks.hookedCommits)
  .add(
    applicationMetrics.ApplicationMetrics,
    Effect.map(EngineSettings, ({ metricsApplications }) => applicationMetrics.make(metricsApplications))
  )
  .add(Storage, applicationMetrics.countedCommits)
  .add(Decider.Decider, Decider.make)
  // Resources
  .add(Access.Access, Access.make)
  .add(AccessTokens.AccessTokens, AccessTokens.make)
  .add(RateBuckets.RateBuckets, RateBuckets.make)
  .add(RequestLog.RequestLog, RequestLog.make)
  .add(Channels.Channels, Channels.make)
  .add(Contacts.Contacts, Contacts.make)
  .add(Conversations.Conversations, Conversations.make)
  .add(FeedUpdates.FeedUpdates, FeedUpdates.make)
  .add(Templates.Templates, Templates.make)
  .add(Leads.Leads, Leads.make)
  .add(Files.Files, Files.make)
  .add(Uploads.Uploads, Uploads.make)
  .add(Verdicts.Verdicts, Verdicts.make)
  // Flows
  .add(BusinessEvents.BusinessEvents, BusinessEvents.make)
  .add(Runs.Runs, Runs.make)
  .add(Inbound.Inbound, Inbound.make)
  .add(ProviderHooks.ProviderHooks, ProviderHooks.make)
  .add(ChoiceLinks.ChoiceLinks, ChoiceLinks.make)
  .add(Unsubscribes.Unsubscribes, Unsubscribes.make)
  .add(Sends.Sends, Sends.make)
  .add(SubscriptionHandlers.SubscriptionHandlers, SubscriptionHandlers.make)
  .add(Webhooks.Webhooks, Webhooks.make)
  .add(Fetches.Fetches, Fetches.make)
  .add(Bots.Bots, Bots.make)
  .add(Enqueued.Enqueued, Enqueued.make)
  .add(ParkedJobs.ParkedJobs, ParkedJobs.make)
  .add(Housekeeping.Housekeeping, Housekeeping.make)
  // The queue, which runs the flows' jobs, and what uses it
  .add(Handlers.Handlers, makeHandlers)
  .add(Dispatcher.Dispatcher, Dispatcher.make)
  .add(Messages.Messages, Messages.make)
  .add(Subscriptions.Subscriptions, Subscriptions.make)

/**
 * The engine: all services over the ports of a host. It hands the messages that it accepts to their providers itself;
 * all other jobs need a {@link worker}.
 *
 * @example
 * ```ts
 * import { Engine, Messages } from "@parley/core"
 * const live = Engine.layer.pipe(Layer.provide(ports))
 * const program = Effect.flatMap(Messages, (messages) => messages.send(caller, command))
 * ```
 */
export const layer: Layer.Layer<Engine, never, Ports> = Layer.scopedContext(
  // Outside of the engine, the storage is the host's.
  Effect.map(services.made, Context.omit(Storage))
)

/** Claims and runs the jobs of all lanes in the engine's dispatcher, and purges history. */
export const worker: Layer.Layer<never, never, Storage | Wakeup | Dispatcher.Dispatcher | Housekeeping.Housekeeping> =
  Layer.scopedDiscard(Effect.zipRight(Worker.work(), Housekeeping.purging))
