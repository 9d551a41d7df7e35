import { Effect, Layer } from "effect"
import * as Access from "./access/Access.js"
import * as AccessTokens from "./access/AccessTokens.js"
import * as RateBuckets from "./access/RateBuckets.js"
import * as Files from "./attachments/Files.js"
import * as Bots from "./bots/Bots.js"
import * as Channels from "./channels/Channels.js"
import * as Fetches from "./channels/Fetches.js"
import * as Contacts from "./contacts/Contacts.js"
import * as Conversations from "./conversations/Conversations.js"
import * as FeedNews from "./conversations/FeedNews.js"
import * as Decider from "./Decider.js"
import type { EngineSettings } from "./EngineSettings.js"
import * as Inbound from "./inbound/Inbound.js"
import * as ProviderHooks from "./inbound/ProviderHooks.js"
import * as Leads from "./leads/Leads.js"
import * as Messages from "./messages/Messages.js"
import type { Blobs } from "./ports/Blobs.js"
import type { ChannelProviders } from "./ports/ChannelProvider.js"
import type { Entitlements } from "./ports/Entitlements.js"
import type { HttpSender } from "./ports/HttpSender.js"
import type { Ids } from "./ports/Ids.js"
import type { Notifier } from "./ports/Notifier.js"
import type { SecretBox } from "./ports/SecretBox.js"
import type { Storage } from "./ports/Storage.js"
import type { Wakeup } from "./ports/Wakeup.js"
import * as RequestLog from "./requests/RequestLog.js"
import { foretoldReceipt } from "./sends/foretoldReceipt.js"
import * as Sends from "./sends/Sends.js"
import * as Verdicts from "./sends/Verdicts.js"
import * as Templates from "./templates/Templates.js"
import * as Webhooks from "./webhooks/Webhooks.js"
import * as Dispatcher from "./worker/Dispatcher.js"
import * as Housekeeping from "./worker/Housekeeping.js"
import * as Worker from "./worker/Worker.js"
import * as BusinessEvents from "./workflows/BusinessEvents.js"
import * as Runs from "./workflows/runs/Runs.js"

/** What a host provides. */
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

/** What an engine offers. */
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
  | BusinessEvents.BusinessEvents
  | Runs.Runs
  | Inbound.Inbound
  | ProviderHooks.ProviderHooks
  | RequestLog.RequestLog
  | Decider.Decider
  | Dispatcher.Dispatcher
  | Housekeeping.Housekeeping

const handlers = Layer.effect(
  Dispatcher.Handlers,
  Effect.gen(function* () {
    const sends = yield* Sends.Sends
    const webhooks = yield* Webhooks.Webhooks
    const inbound = yield* Inbound.Inbound
    const fetches = yield* Fetches.Fetches
    const runs = yield* Runs.Runs
    const bots = yield* Bots.Bots
    const housekeeping = yield* Housekeeping.Housekeeping
    return {
      sends: sends.handOver,
      deliveries: webhooks.deliver,
      retries: webhooks.deliver,
      receipts: (job) =>
        inbound.receipt({
          workspaceId: job.workspaceId,
          connectionId: job.subject,
          providerMessageId: job.reference,
          receipt: foretoldReceipt(job),
          settle: { jobId: job.id, epoch: job.epoch, again: null }
        }),
      fetches: fetches.run,
      runs: (job) => {
        switch (job.payload?.task) {
          case "converse":
            return bots.converse(job)
          case "time_out_bot":
            return bots.timeOut(job)
          default:
            return runs.advance(job)
        }
      },
      calls: runs.advance,
      housekeeping: housekeeping.run
    }
  })
)

/**
 * Every service put together, over the ports that a host provides. It hands over what it accepts itself; all other work
 * waits for a {@link worker}.
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
  ProviderHooks.layer
).pipe(
  Layer.provideMerge(Dispatcher.layer),
  Layer.provide(handlers),
  Layer.provide(Layer.mergeAll(Sends.layer, Webhooks.layer, Fetches.layer, Bots.layer)),
  Layer.provideMerge(Layer.mergeAll(Inbound.layer, Housekeeping.layer, RateBuckets.layer, Runs.layer)),
  Layer.provide(Layer.merge(Verdicts.layer, FeedNews.layer)),
  Layer.provideMerge(Layer.merge(Decider.layer, RequestLog.layer))
)

/** Works off the queue, with the engine's own dispatcher, and purges history. */
export const worker: Layer.Layer<never, never, Storage | Wakeup | Dispatcher.Dispatcher | Housekeeping.Housekeeping> =
  Layer.merge(Worker.layer(), Housekeeping.purging)
