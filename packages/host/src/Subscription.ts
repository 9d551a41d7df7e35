import type { WebhookEventOf, WebhookEventType } from "@parley/client"

/** The types of events that a subscription can have. */
export type SubscribedType = Exclude<WebhookEventType, "webhook.test">

/** Event types of a subscription: one, several, or `*` for all of them. */
export type SubscribedTypes<Type extends SubscribedType> = Type | ReadonlyArray<Type> | "*"

/** Options of all subscriptions. */
interface SubscriptionSettings {
  /**
   * Time of the first events, if the subscription is new. It reaches back as far as deliveries are kept. Default:
   * events from now on.
   */
  readonly from?: Date | undefined
  /**
   * `conversation`: the events of one conversation are handled one after another, in the order in which they happened,
   * over all processes. While one waits for its retry, the later ones wait too. Events of different conversations, and
   * those without one, are handled beside each other. It applies to events from then on, and is stored: give all
   * processes the same value. Default: no order.
   */
  readonly ordered?: "conversation" | undefined
  /** Maximum number of events that this process handles at once, 1 to 256. Default: 16. */
  readonly concurrency?: number | undefined
  /** Time after which a handler that has not ended counts as failed, in ms. Default: 60,000. */
  readonly timeoutMs?: number | undefined
}

/** Options of `parley.on` and `parley.events`. */
export interface SubscriptionOptions extends SubscriptionSettings {
  /** Id of the application whose events are received. It needs the scope `webhooks.receive`. */
  readonly application: string
  readonly workspace?: undefined
}

/**
 * Options of `parley.on` and `parley.events` for a subscription of administrators: the events of all applications of a
 * workspace, and those of none.
 */
export interface WorkspaceSubscriptionOptions extends SubscriptionSettings {
  /** Id of the workspace whose events are received, on all of its connections. */
  readonly workspace: string
  readonly application?: undefined
}

/** An event of a workspace. */
export type WorkspaceEventOf<Type extends SubscribedType> = WebhookEventOf<Type> & {
  /** The application that the event belongs to; null for one of the whole workspace, such as a received message. */
  readonly application_id: string | null
}

/** One attempt at an event. */
export interface EventAttempt {
  /**
   * The same for all attempts of this subscription at this event. Use it, or `event.id`, to recognise repeated events.
   */
  readonly deliveryId: string
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Aborted at the timeout, and when Parley closes before the handler has ended. */
  readonly signal: AbortSignal
}

/**
 * Handles one event. It has succeeded when it returns, or when its promise resolves. If it throws or rejects, the event
 * is retried.
 */
export type EventHandler<Type extends SubscribedType = SubscribedType> = (
  event: WebhookEventOf<Type>,
  attempt: EventAttempt
) => unknown

/** {@link EventHandler} of a subscription of a workspace. */
export type WorkspaceEventHandler<Type extends SubscribedType = SubscribedType> = (
  event: WorkspaceEventOf<Type>,
  attempt: EventAttempt
) => unknown

/** A handler of events of any type, of an application or a workspace. */
export type AnyEventHandler = (event: never, attempt: EventAttempt) => unknown

/** Options of a subscription of an application or a workspace. */
export type AnySubscriptionOptions = SubscriptionOptions | WorkspaceSubscriptionOptions

/** See `Parley.on`. */
export interface SubscribeFunction {
  <Type extends SubscribedType>(
    name: string,
    types: SubscribedTypes<Type>,
    handler: EventHandler<Type>,
    options: SubscriptionOptions
  ): Promise<Subscription>
  <Type extends SubscribedType>(
    name: string,
    types: SubscribedTypes<Type>,
    handler: WorkspaceEventHandler<Type>,
    options: WorkspaceSubscriptionOptions
  ): Promise<Subscription>
}

/** See `Parley.events`. */
export interface EventsFunction {
  <Type extends SubscribedType>(
    name: string,
    types: SubscribedTypes<Type>,
    options: Omit<SubscriptionOptions, "concurrency">
  ): AsyncIterable<WebhookEventOf<Type>>
  <Type extends SubscribedType>(
    name: string,
    types: SubscribedTypes<Type>,
    options: Omit<WorkspaceSubscriptionOptions, "concurrency">
  ): AsyncIterable<WorkspaceEventOf<Type>>
}

/** A subscription that this process handles. */
export interface Subscription {
  /** Id of its webhook endpoint in the admin API and the `parley endpoint` commands. */
  readonly id: string
  /**
   * The status when this process subscribed. 25 failures in a row or an administrator disable a subscription. No
   * process handles its events then, until `parley endpoint enable`. `parley endpoint recover` delivers what it missed.
   */
  readonly status: "active" | "disabled"
  /** Handles no further events in this process. Events wait for the next process that handles the subscription. */
  readonly stop: () => Promise<void>
  /** Deletes the subscription for all processes. Events that wait for it are not delivered. */
  readonly remove: () => Promise<void>
}
