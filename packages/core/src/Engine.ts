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
import { addService } from "./kernel/addService.js"
import * as Decider from "./kernel/Decider.js"
import { EngineSettings } from "./kernel/EngineSettings.js"
import * as applicationMetrics from "./kernel/metrics/applicationMetrics.js"
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
const services = DispatcherHooks.make
  // Kernel
  .pipe(
    addService(
      applicationMetrics.ApplicationMetrics,
      Effect.map(EngineSettings, ({ metricsApplications }) => applicationMetrics.make(metricsApplications))
    ),
    addService(Storage, applicationMetrics.countedCommits),
    addService(Decider.Decider, Decider.make)
  )
  // Resources
  .pipe(
    addService(Access.Access, Access.make),
    addService(AccessTokens.AccessTokens, AccessTokens.make),
    addService(RateBuckets.RateBuckets, RateBuckets.make),
    addService(RequestLog.RequestLog, RequestLog.make),
    addService(Channels.Channels, Channels.make),
    addService(Contacts.Contacts, Contacts.make),
    addService(Conversations.Conversations, Conversations.make),
    addService(FeedUpdates.FeedUpdates, FeedUpdates.make),
    addService(Templates.Templates, Templates.make),
    addService(Leads.Leads, Leads.make),
    addService(Files.Files, Files.make),
    addService(Uploads.Uploads, Uploads.make),
    addService(Verdicts.Verdicts, Verdicts.make)
  )
  // Flows
  .pipe(
    addService(BusinessEvents.BusinessEvents, BusinessEvents.make),
    addService(Runs.Runs, Runs.make),
    addService(Inbound.Inbound, Inbound.make),
    addService(ProviderHooks.ProviderHooks, ProviderHooks.make),
    addService(ChoiceLinks.ChoiceLinks, ChoiceLinks.make),
    addService(Unsubscribes.Unsubscribes, Unsubscribes.make),
    addService(Sends.Sends, Sends.make),
    addService(SubscriptionHandlers.SubscriptionHandlers, SubscriptionHandlers.make),
    addService(Webhooks.Webhooks, Webhooks.make),
    addService(Fetches.Fetches, Fetches.make),
    addService(Bots.Bots, Bots.make),
    addService(Enqueued.Enqueued, Enqueued.make),
    addService(ParkedJobs.ParkedJobs, ParkedJobs.make),
    addService(Housekeeping.Housekeeping, Housekeeping.make)
  )
  // The queue, which runs the flows' jobs, and what uses it
  .pipe(
    addService(Handlers.Handlers, makeHandlers),
    addService(Dispatcher.Dispatcher, Dispatcher.make),
    addService(Messages.Messages, Messages.make),
    addService(Subscriptions.Subscriptions, Subscriptions.make)
  )

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
  Effect.map(services, Context.omit(Storage))
)

/** Claims and runs the jobs of all lanes in the engine's dispatcher, and purges history. */
export const worker: Layer.Layer<never, never, Storage | Wakeup | Dispatcher.Dispatcher | Housekeeping.Housekeeping> =
  Layer.merge(Worker.layer(), Housekeeping.purging)
