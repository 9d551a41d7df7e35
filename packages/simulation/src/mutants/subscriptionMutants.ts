import type { Mutant } from "./Mutant.js"

/** Faults of subscriptions. */
export const subscriptionMutants: ReadonlyArray<Mutant> = [
  {
    name: "subscription-claimed-by-all",
    fault: "A process that handles no subscription claims the events of all of them.",
    promise: "subscription-waits-for-its-processes",
    file: "core/src/queue/LaneCapacity.ts",
    find: "      if (ofLane !== undefined) {",
    replacement: "      if (ofLane !== undefined && ofLane.size > 0) {"
  },
  {
    name: "subscription-failure-is-success",
    fault: "An attempt is recorded as a success although the function failed.",
    promise: "delivery-state-has-a-cause",
    file: "core/src/flows/webhooks/Webhooks.ts",
    find: "error: storableText(error, maxErrorLength), answer: null }",
    replacement: "error: null, answer: null }"
  },
  {
    name: "subscription-attempt-lost",
    fault: "An attempt of which nothing was recorded does not count.",
    promise: "subscription-attempt-counts",
    file: "core/src/resources/events/deliveryJob.ts",
    find: "return settled !== undefined && unsettledClaims(job, settled) > 1",
    replacement: "return settled !== undefined && unsettledClaims(job, settled) < 0"
  },
  {
    name: "subscription-of-all-applications",
    fault: "Applications share the subscriptions of a name.",
    promise: "webhook-audience",
    file: "core/src/flows/webhooks/subscribe.ts",
    find: "derivedId(ownerId, subscriptionUrl(name))",
    replacement: "derivedId(ownerId.slice(0, 13), subscriptionUrl(name))"
  },
  {
    name: "subscription-disabled-by-early-failures",
    fault: "All failures at a subscription count towards the 25 that disable it.",
    promise: "endpoint-disabled-at-25",
    file: "core/src/flows/webhooks/retrySchedule.ts",
    find: "export const firstCountedRound = 8",
    replacement: "export const firstCountedRound = 1"
  },
  {
    name: "subscription-retried-as-webhook",
    fault: "Attempts at a subscription have the delays of webhooks.",
    promise: "webhook-schedule",
    file: "core/src/flows/webhooks/recordAttempt.ts",
    find: "ofSubscription ? subscriptionSchedule : retrySchedule",
    replacement: "ofSubscription ? retrySchedule : retrySchedule"
  },
  {
    name: "subscription-released-event-lost",
    fault: "An event that a process claimed before it stopped is not handled by another one.",
    promise: "event-delivered",
    file: "core/src/flows/webhooks/Webhooks.ts",
    find: "{ settle: settleJob(job, again) }",
    replacement: "{ settle: settleJob(job, again.runAt > 0 ? null : again) }"
  },
  {
    name: "subscription-without-earlier-events",
    fault: "A new subscription gets no events of the time before it.",
    promise: "event-delivered",
    file: "core/src/flows/webhooks/subscribe.ts",
    find: "command.since === null ? catchUpJob",
    replacement: "command.since !== 0 ? catchUpJob"
  },
  {
    name: "subscription-not-served",
    fault: "A process that subscribes claims no events.",
    promise: "event-delivered",
    file: "core/src/queue/LaneCapacity.ts",
    find: "served.get(lane)?.set(subject, concurrency)",
    replacement: "served.get(lane)?.set(lane, concurrency)"
  },
  {
    name: "subscription-waiting-unstated",
    fault: "The service status does not name subscriptions whose events wait.",
    promise: "waiting-subscription-is-named",
    file: "core/src/administration/status/AdminStatus.ts",
    find: "const unhandledAfterMs = minute",
    replacement: "const unhandledAfterMs = minute * 1_000"
  },
  {
    name: "subscription-order-of-started-events",
    fault: "An event begins while an earlier one of its conversation is handled or waits for its retry.",
    promise: "subscription-keeps-order",
    file: "core/src/flows/webhooks/deliveryOrder.ts",
    find: "if (order === null) return { starts: true, changes: [] }",
    replacement: "if (order === null || order.others.length > 0) return { starts: true, changes: [] }"
  },
  {
    name: "subscription-order-forgets-next",
    fault: "The end of an event gives the next one of its conversation no job.",
    promise: "event-delivered",
    file: "core/src/flows/webhooks/recordAttempt.ts",
    find: "next === null ? enqueueNext(following, endpoint, now) : {}",
    replacement: "next === 0 ? enqueueNext(following, endpoint, now) : {}"
  },
  {
    name: "subscription-of-workspace-names-none",
    fault: "The events of a subscription of a workspace do not say which application they belong to.",
    promise: "webhook-audience",
    file: "core/src/flows/webhooks/webhookRequest.ts",
    find: "...(namesApplication ? { application_id: event.applicationId } : {})",
    replacement: "...(namesApplication ? { application_id: null } : {})"
  },
  {
    name: "subscription-of-workspace-by-application",
    fault: "A subscription of a workspace gets the events of no application only.",
    promise: "event-delivered",
    file: "core/src/resources/events/isSubscribed.ts",
    find: "if (application !== null && applicationId !== null && applicationId !== application.id)",
    replacement: "if (applicationId !== null && applicationId !== application?.id)"
  }
]
