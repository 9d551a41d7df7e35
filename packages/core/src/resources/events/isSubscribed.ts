import { Schema } from "effect"
import type { Application } from "../../model/Application.js"
import { isAllowListed } from "../../model/Application.js"
import { type Endpoint, isActive, isOfWorkspace } from "../../model/Endpoint.js"
import type { Event, EventType } from "../../model/Event.js"
import { webhookBlocker } from "./webhookBlocker.js"

/** The fields of an event that decide who receives it. */
export type RoutedEvent = Pick<Event, "type" | "applicationId" | "connectionId">

/** Reason why an endpoint does not receive an event. */
export const SkipReason = Schema.Literal(
  "not_subscribed",
  "connection_not_allowed",
  "other_application",
  "scope_missing",
  "application_suspended",
  "endpoint_disabled"
)
export type SkipReason = typeof SkipReason.Type

/**
 * The first rule by which an endpoint of this application does not receive an event; null if it receives it. A null
 * application: an endpoint of the workspace, which receives the events of all
 * (docs/reference/events.md#who-receives-an-event). A `webhook.test` reports `not_subscribed`: it is delivered to its
 * endpoint without this check.
 */
export const skipReason = (
  endpoint: Endpoint,
  application: Application | null,
  event: RoutedEvent
): SkipReason | null => {
  const { applicationId, connectionId } = event
  // Rules that no setting can change come first, so that the report does not suggest a setting that would not help.
  if (application !== null && applicationId !== null && applicationId !== application.id) return "other_application"
  if (application !== null && connectionId !== null && !isAllowListed(application, connectionId))
    return "connection_not_allowed"
  if (!listsType(endpoint, event.type)) return "not_subscribed"
  const blocker = application === null ? null : webhookBlocker(application)
  return blocker ?? (isActive(endpoint) ? null : "endpoint_disabled")
}

const listsType = ({ events }: Endpoint, type: EventType): boolean =>
  type !== "webhook.test" && (events.includes("*") || events.includes(type))

/**
 * The application of an endpoint; null for one of the workspace, undefined if the application is not among the given
 * ones.
 */
export const receiverOf = (
  endpoint: Endpoint,
  applications: ReadonlyArray<Application>
): Application | null | undefined =>
  isOfWorkspace(endpoint) ? null : applications.find(({ id }) => id === endpoint.applicationId)

/** Whether an endpoint of this application, or of the workspace, receives the event. */
export const isSubscribed = (endpoint: Endpoint, application: Application | null, event: RoutedEvent): boolean =>
  skipReason(endpoint, application, event) === null
