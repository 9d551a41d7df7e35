import { Context, Effect, Layer, type Scope } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { isUuid } from "../../kernel/input/Fields.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookupById, Storage } from "../../ports/Storage.js"
import { Dispatcher } from "../../queue/Dispatcher.js"
import { deleteEndpoint } from "./deleteEndpoint.js"
import { type Subscriber, SubscriptionHandlers } from "./SubscriptionHandlers.js"
import { decodeSubscriptionInput } from "./SubscriptionInput.js"
import { subscribe, subscriptionId } from "./subscribe.js"

/** A subscription to make, and its function in this process. */
export interface Subscribe {
  readonly applicationId: string
  readonly name: string
  readonly events: ReadonlyArray<string>
  /** Time in ms of the first events of a new subscription; null: now. */
  readonly since: Instant | null
  /** `conversation`: events of one conversation are handled one after another, in all processes. */
  readonly ordered: Endpoint["ordered"]
  /** Maximum number of events that this process handles at once. */
  readonly concurrency: number
  readonly subscriber: Subscriber
}

/** Subscriptions: events of an application for functions of processes (docs/reference/webhooks.md#subscriptions). */
export interface Subscriptions {
  /**
   * Stores the subscription, and handles its events in this process until the scope closes. Fails with `not_found` for
   * an unknown application, `forbidden` for one without the scope `webhooks.receive`, `validation_failed`, and with
   * `invalid_transition` if this process handles the subscription already.
   */
  readonly subscribe: (subscription: Subscribe) => Effect.Effect<Endpoint, Refusal | CommitError, Scope.Scope>
  /** Deletes the subscription for all processes. Its waiting deliveries fail. Fails with `not_found`. */
  readonly remove: (applicationId: string, name: string) => Effect.Effect<void, Refusal | CommitError>
}
export const Subscriptions = Context.GenericTag<Subscriptions>("@parley/core/Subscriptions")

const alreadyHandled = (name: string) =>
  refuse("invalid_transition", {}, `This process handles the events of the subscription ${name} already.`)

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const dispatcher = yield* Dispatcher
  const handlers = yield* SubscriptionHandlers
  const { seal } = yield* SecretBox
  const { decideAndCommit } = yield* Decider

  const load = (applicationId: string, name: string) =>
    Effect.map(
      storage.read({
        applications: isUuid(applicationId) ? lookupById("applications", applicationId) : null,
        endpoints: isUuid(applicationId) ? lookupById("endpoints", subscriptionId(applicationId, name)) : null
      }),
      ({ applications: [application], endpoints: [endpoint] }) => ({ application, endpoint })
    )

  return Subscriptions.of({
    subscribe: ({ applicationId, concurrency, events, name, ordered, since, subscriber }) =>
      Effect.gen(function* () {
        const command = { decoded: decodeSubscriptionInput({ name, events }), since, ordered, seal }
        const id = subscriptionId(applicationId, name)
        if (handlers.has(id)) return yield* alreadyHandled(name)
        yield* Effect.acquireRelease(
          Effect.sync(() => handlers.set(id, subscriber)),
          () => Effect.sync(() => handlers.delete(id))
        )
        const endpoint = yield* decideAndCommit(load(applicationId, name), (world, now, ids) =>
          subscribe(world, command, now, ids)
        )
        yield* dispatcher.serve("subscriptions", id, concurrency)
        return endpoint
      }),
    remove: (applicationId, name) =>
      Effect.asVoid(
        decideAndCommit(
          Effect.flatMap(load(applicationId, name), ({ endpoint }) =>
            orNotFound(endpoint?.status === "deleted" ? undefined : endpoint)
          ),
          deleteEndpoint
        )
      )
  })
})

export const layer: Layer.Layer<
  Subscriptions,
  never,
  Storage | Dispatcher | SubscriptionHandlers | SecretBox | Decider
> = Layer.effect(Subscriptions, make)
