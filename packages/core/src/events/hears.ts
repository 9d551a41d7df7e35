import { Schema } from "effect"
import type { Application } from "../access/Application.js"
import { type Endpoint, isActive } from "../webhooks/Endpoint.js"
import { whyNotSent } from "../webhooks/whyNotSent.js"
import type { Event, EventType } from "./Event.js"

/** What decides who is told of an event. */
export type Heard = Pick<Event, "type" | "applicationId" | "connectionId">

/** Why an endpoint is not told of an event. */
export const Unheard = Schema.Literal(
  "not_subscribed",
  "connection_not_allowed",
  "other_application",
  "scope_missing",
  "application_suspended",
  "endpoint_disabled"
)
export type Unheard = typeof Unheard.Type

/**
 * The first reason why an endpoint of this application is not told of an event, as all three are; null where it is (spec,
 * Channel allow-list; decisions.md §9). A test is told to the endpoint that it is for, and heard by no list.
 */
export const whyUnheard = (endpoint: Endpoint, application: Application, event: Heard): Unheard | null => {
  const { applicationId, connectionId } = event
  // First what nobody can change, so that nobody is told to open a list that would not help.
  if (applicationId !== null && applicationId !== application.id) return "other_application"
  if (connectionId !== null && !application.connectionIds.includes(connectionId)) return "connection_not_allowed"
  if (!lists(endpoint, event.type)) return "not_subscribed"
  return whyNotSent(application) ?? (isActive(endpoint) ? null : "endpoint_disabled")
}

const lists = ({ events }: Endpoint, type: EventType): boolean =>
  type !== "webhook.test" && (events.includes("*") || events.includes(type))

/** Whether an endpoint of this application is told of it. */
export const hears = (endpoint: Endpoint, application: Application, event: Heard): boolean =>
  whyUnheard(endpoint, application, event) === null
