import { Effect, Layer } from "effect"
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
import type { Blobs } from "./ports/Blobs.js"
import { endJob } from "./ports/Changes.js"
import type { ChannelProviders } from "./ports/ChannelProvider.js"
import type { Entitlements } from "./ports/Entitlements.js"
import type { HttpSender } from "./ports/HttpSender.js"
import type { Ids } from "./ports/Ids.js"
import type { Notifier } from "./ports/Notifier.js"
import type { SecretBox } from "./ports/SecretBox.js"
import type { Storage } from "./ports/Storage.js"
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

const handlers = Layer.effect(
  Handlers.Handlers,
  Effect.gen(function* () {
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
    return {
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
    }
  })
)

const countsByApplication = Layer.unwrapEffect(
  Effect.map(EngineSettings, ({ metricsApplications }) => applicationMetrics.layer(metricsApplications))
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
export const layer: Layer.Layer<Engine, never, Ports> = Layer.mergeAll(
  Access.layer,
  AccessTokens.layer,
  Contacts.layer,
  Leads.layer,
  BusinessEvents.layer,
  Conversations.layer,
  Templates.layer,
  Channels.layer,
  Messages.layer,
  Files.layer,
  Uploads.layer,
  ProviderHooks.layer,
  ChoiceLinks.layer,
  Unsubscribes.layer,
  Subscriptions.layer
).pipe(
  Layer.provideMerge(Dispatcher.layer),
  Layer.provide(handlers),
  Layer.provide(Layer.mergeAll(Sends.layer, Webhooks.layer, Fetches.layer, Bots.layer, ParkedJobs.layer)),
  Layer.provide(SubscriptionHandlers.layer),
  Layer.provideMerge(
    Layer.mergeAll(
      Inbound.layer,
      Housekeeping.layer,
      RateBuckets.layer,
      Runs.layer,
      Layer.provide(Enqueued.layer, BusinessEvents.layer)
    )
  ),
  Layer.provide(Layer.merge(Verdicts.layer, FeedUpdates.layer)),
  Layer.provideMerge(Layer.merge(Decider.layer, RequestLog.layer)),
  Layer.provide(applicationMetrics.countedCommits),
  Layer.provide(DispatcherHooks.layer),
  Layer.provide(countsByApplication)
)

/** Claims and runs the jobs of all lanes in the engine's dispatcher, and purges history. */
export const worker: Layer.Layer<never, never, Storage | Wakeup | Dispatcher.Dispatcher | Housekeeping.Housekeeping> =
  Layer.merge(Worker.layer(), Housekeeping.purging)
