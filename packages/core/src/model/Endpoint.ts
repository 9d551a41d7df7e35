import type { EventType } from "./Event.js"
import type { Instant } from "./Instant.js"

/**
 * Where an application receives events: the URL of its webhooks (docs/reference/webhooks.md#endpoint-fields), or a
 * subscription, whose URL is {@link subscriptionUrl}.
 */
export interface Endpoint {
  readonly id: string
  readonly workspaceId: string
  /**
   * The application whose events it gets. The id of its workspace: a subscription to the events of all applications
   * ({@link isOfWorkspace}).
   */
  readonly applicationId: string
  /**
   * Sealed by the SecretBox, because many receivers have a secret in its query. Clear text for subscriptions, and in
   * rows of old versions.
   */
  readonly url: string
  readonly events: ReadonlyArray<EventType | "*">
  readonly description: string | null
  /** The signing secret (`whsec_…`), sealed by the SecretBox. */
  readonly secret: string
  /** `disabled`: by an administrator. 25 {@link consecutiveFailures} disable it too, without a change of status. */
  readonly status: "active" | "disabled" | "deleted"
  readonly consecutiveFailures: number
  /**
   * `conversation`: events of one conversation are delivered one after another, for subscriptions only
   * (docs/reference/webhooks.md#order-of-a-conversation). Null: without order.
   */
  readonly ordered: "conversation" | null
  readonly createdAt: Instant
  readonly version: number
}

/**
 * Number of consecutive failed attempts that disables an endpoint
 * (docs/reference/webhooks.md#disabling-after-25-failures).
 */
export const failuresThatDisable = 25

const subscriptionScheme = "subscription:"

/**
 * The URL of the endpoint of a subscription, by the name of the subscription
 * (docs/reference/webhooks.md#subscriptions).
 */
export const subscriptionUrl = (name: string): string => `${subscriptionScheme}${name}`

/** Whether a function of a process receives the events, not a URL. */
export const isSubscription = ({ url }: Pick<Endpoint, "url">): boolean => url.startsWith(subscriptionScheme)

type Owned = Pick<Endpoint, "applicationId" | "workspaceId">

/**
 * Whether a subscription, or a delivery to it, belongs to the workspace and not to an application
 * (docs/reference/webhooks.md#subscriptions-of-a-workspace).
 */
export const isOfWorkspace = ({ applicationId, workspaceId }: Owned): boolean => applicationId === workspaceId

/** The application of an endpoint or a delivery; null if it belongs to the workspace. */
export const applicationOf = (owned: Owned): string | null => (isOfWorkspace(owned) ? null : owned.applicationId)

/** Whether new deliveries are created for the endpoint and pending ones are sent. */
export const isActive = (endpoint: Pick<Endpoint, "status" | "consecutiveFailures">): boolean =>
  endpoint.status === "active" && endpoint.consecutiveFailures < failuresThatDisable
