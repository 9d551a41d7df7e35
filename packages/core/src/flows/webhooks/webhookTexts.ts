import { Schema } from "effect"
import type { Event } from "../../model/Event.js"
import { timestamp } from "../../model/Instant.js"
import type { JobFailure } from "../../model/Job.js"
import { SkipReason } from "../../resources/events/isSubscribed.js"
import type { AttemptedDelivery, WaitingFor } from "./KnownDelivery.js"

/** Why an endpoint has no delivery of an event. */
export const Absence = Schema.Literal(
  ...SkipReason.literals,
  "registered_later",
  "no_longer_known",
  "not_received_then"
)
export type Absence = typeof Absence.Type

const absences: { readonly [A in Absence]: (event: Pick<Event, "type">) => string } = {
  not_subscribed: ({ type }) => `the endpoint does not list ${type}`,
  connection_not_allowed: () => "the connection is not on the application's allow-list",
  other_application: () => "the message belongs to another application",
  scope_missing: () => "the application lacks the scope webhooks.receive",
  application_suspended: () => "the application is suspended",
  endpoint_disabled: () => "the endpoint is disabled",
  registered_later: () => "the endpoint was registered after it happened",
  no_longer_known: () => "deliveries of that time are no longer kept, so it is unknown whether there was one",
  not_received_then: () =>
    "the endpoint would receive it now, but it or its application was disabled, suspended or set otherwise when it happened"
}

/** An English sentence that says why there is no delivery. */
export const absenceText = (absence: Absence, event: Pick<Event, "type">): string =>
  `no delivery: ${absences[absence](event)}`

const waits: { readonly [W in WaitingFor]: string } = {
  endpoint_enabled: "waits until the endpoint is enabled",
  application_active: "waits until the application is active again",
  scope_granted: "waits until the application has the scope webhooks.receive again",
  job_retried: "waits until its job is retried",
  secret_key: "waits until a host has the key",
  earlier_delivery: "waits until the earlier events of its conversation are delivered or failed"
}

/** An English sentence about the state of a delivery. */
export const deliveryText = ({ attempts, delivery, failure, nextAttemptAt, waitingFor }: AttemptedDelivery): string => {
  const count = delivery.attempts === 1 ? "1 attempt" : `${delivery.attempts} attempts`
  if (delivery.status === "delivered")
    return `delivered at ${timeOf(delivery.completedAt)} (attempt ${delivery.attempts})`
  const last = [...attempts].sort((one, other) => one.number - other.number).at(-1)
  const error = last === undefined ? "" : `, the last one: ${last.error ?? answered(last.status)}`
  if (delivery.status === "failed") return `failed after ${count}${error}`
  const tried = delivery.attempts === 0 ? "not tried yet" : `${count} failed${error}`
  if (waitingFor !== null) return `${tried}; ${failure === null ? "" : because(failure)}${waits[waitingFor]}`
  return nextAttemptAt === null ? tried : `${tried}; next attempt at ${timeOf(nextAttemptAt)}`
}

const because = ({ count, error }: JobFailure): string =>
  count === 0 ? `${error}; ` : `its job failed ${count} times and is parked: ${error}; `

const answered = (status: number | null): string =>
  `answered ${status}${status !== null && status >= 300 && status < 400 ? ", and redirects are not followed" : ""}`

const timeOf = (instant: number | null): string => (instant === null ? "-" : timestamp(instant))
