import { Context, Effect, type Scope } from "effect"
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

/** Whose events a subscription gets: those of one application, or all of a workspace. */
export type SubscriptionOwner = { readonly applicationId: string } | { readonly workspaceId: string }

/** A subscription to make, and its function in this process. */
export interface Subscribe {
  readonly owner: SubscriptionOwner
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

/**
 * Subscriptions: events of an application or a workspace for functions of processes
 * (docs/reference/webhooks.md#subscriptions).
 */
export interface Subscriptions {
  /**
   * Stores the subscription, and handles its events in this process until the scope closes. Fails with `not_found` for
   * an unknown application or workspace, `forbidden` for one without the scope `webhooks.receive`, `validation_failed`,
   * and with `invalid_transition` if this process handles the subscription already.
   */
  readonly subscribe: (subscription: Subscribe) => Effect.Effect<Endpoint, Refusal | CommitError, Scope.Scope>
  /** Deletes the subscription for all processes. Its waiting deliveries fail. Fails with `not_found`. */
  readonly remove: (owner: SubscriptionOwner, name: string) => Effect.Effect<void, Refusal | CommitError>
}
export const Subscriptions = Context.GenericTag<Subscriptions>("@parley/core/Subscriptions")

/** As it is stored: databases find an id in upper case too, and the id of the subscription is derived from it. */
const ownerIdOf = (owner: SubscriptionOwner): string =>
  ("applicationId" in owner ? owner.applicationId : owner.workspaceId).toLowerCase()

const alreadyHandled = (name: string) =>
  refuse("invalid_transition", {}, `This process handles the events of the subscription ${name} already.`)

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const dispatcher = yield* Dispatcher
  const handlers = yield* SubscriptionHandlers
  const { seal } = yield* SecretBox
  const { decideAndCommit } = yield* Decider

  const load = (owner: SubscriptionOwner, name: string) => {
    const id = ownerIdOf(owner)
    const isOfApplication = "applicationId" in owner
    return Effect.map(
      storage.read({
        applications: isUuid(id) && isOfApplication ? lookupById("applications", id) : null,
        workspaces: isUuid(id) && !isOfApplication ? lookupById("workspaces", id) : null,
        endpoints: isUuid(id) ? lookupById("endpoints", subscriptionId(id, name)) : null
      }),
      ({ applications: [application], endpoints: [endpoint], workspaces: [workspace] }) => ({
        application,
        workspace,
        endpoint
      })
    )
  }

  return Subscriptions.of({
    subscribe: ({ concurrency, events, name, ordered, owner, since, subscriber }) =>
      Effect.gen(function* () {
        const command = { decoded: decodeSubscriptionInput({ name, events }), since, ordered, seal }
        const id = subscriptionId(ownerIdOf(owner), name)
        if (handlers.has(id)) return yield* alreadyHandled(name)
        const handler: Subscriber = (body, attempt) => subscriber(body, attempt)
        yield* Effect.acquireRelease(
          Effect.sync(() => handlers.set(id, handler)),
          () => Effect.sync(() => handlers.delete(id))
        )
        const endpoint = yield* decideAndCommit(load(owner, name), (world, now, ids) =>
          subscribe(world, command, now, ids)
        )
        // If the scope closed during the commit, the process may have subscribed again, and must not stop serving that.
        if (handlers.get(id) === handler) yield* dispatcher.serve("subscriptions", id, concurrency)
        return endpoint
      }),
    remove: (owner, name) =>
      Effect.asVoid(
        decideAndCommit(
          Effect.flatMap(load(owner, name), ({ endpoint }) =>
            orNotFound(endpoint?.status === "deleted" ? undefined : endpoint)
          ),
          deleteEndpoint
        )
      )
  })
})
