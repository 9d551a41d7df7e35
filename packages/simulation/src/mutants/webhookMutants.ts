import type { Mutant } from "./Mutant.js"

/** Faults of webhooks. */
export const webhookMutants: ReadonlyArray<Mutant> = [
  {
    name: "webhook-schedule-shorter",
    fault: "The schedule of retries lacks its second delay.",
    promise: "webhook-schedule",
    file: "core/src/flows/webhooks/retrySchedule.ts",
    find: "[minute, 5 * minute, 15 * minute, hour, 6 * hour, 24 * hour]",
    replacement: "[minute, 15 * minute, hour, 6 * hour, 24 * hour]"
  },
  {
    name: "webhook-schedule-off-by-one",
    fault: "The first retry waits as long as the second one.",
    promise: "webhook-schedule",
    file: "core/src/flows/webhooks/recordAttempt.ts",
    find: "schedule[Math.max(round - 1, 0)]",
    replacement: "schedule[Math.max(round, 0)]"
  },
  {
    name: "webhook-one-try-more",
    fault: "A delivery is tried once more than its schedule says.",
    promise: "webhook-schedule",
    file: "core/src/flows/webhooks/retrySchedule.ts",
    find: "6 * hour, 24 * hour]",
    replacement: "6 * hour, 24 * hour, 24 * hour]"
  },
  {
    name: "webhook-redirect-is-success",
    fault: "An answer 404 counts as success.",
    promise: "event-delivered",
    file: "core/src/flows/webhooks/recordAttempt.ts",
    find: "status >= 200 && status < 300",
    replacement: "status >= 200 && status < 500"
  },
  {
    name: "webhook-204-is-failure",
    fault: "An answer 204 counts as failure.",
    promise: "webhook-ends-with-success",
    file: "core/src/flows/webhooks/recordAttempt.ts",
    find: "status >= 200 && status < 300",
    replacement: "status === 200"
  },
  {
    name: "webhook-not-retried",
    fault: "A delivery fails after its first attempt.",
    promise: "event-delivered",
    file: "core/src/flows/webhooks/recordAttempt.ts",
    find: "const delay = isTest || isDeleted ? undefined :",
    replacement: "const delay = attempt.number > 0 ? undefined :"
  },
  {
    name: "webhook-disabled-at-26",
    fault: "The 26th failure in a row disables an endpoint.",
    promise: "endpoint-disabled-at-25",
    file: "core/src/model/Endpoint.ts",
    find: "export const failuresThatDisable = 25",
    replacement: "export const failuresThatDisable = 26"
  },
  {
    name: "webhook-disabled-at-24",
    fault: "The 24th failure in a row disables an endpoint.",
    promise: "endpoint-disabled-at-25",
    file: "core/src/model/Endpoint.ts",
    find: "export const failuresThatDisable = 25",
    replacement: "export const failuresThatDisable = 24"
  },
  {
    name: "webhook-success-does-not-reset",
    fault: "A success does not reset the failures of its endpoint.",
    promise: "endpoint-disabled-at-25",
    file: "core/src/flows/webhooks/countAttempt.ts",
    find: "reset: { consecutiveFailures: 0 }",
    replacement: "add: { consecutiveFailures: 0 }"
  },
  {
    name: "webhook-signature-without-time",
    fault: "The signature does not cover the timestamp.",
    promise: "webhook-signature",
    file: "core/src/flows/webhooks/signature.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text.
    find: ".update(`${timestamp}.${body}`)",
    replacement: ".update(body)"
  },
  {
    name: "webhook-secret-not-rotated",
    fault: "A rotated secret is returned but not stored.",
    promise: "webhook-signature",
    file: "core/src/flows/webhooks/rotateSecret.ts",
    find: `sets: [set("endpoints", { id }, { secret: sealed })]`,
    replacement: `sets: [set("endpoints", { id }, {})]`
  },
  {
    name: "webhook-unsubscribed-type",
    fault: "Endpoints receive events of types to which they are not subscribed.",
    promise: "webhook-audience",
    file: "core/src/resources/events/isSubscribed.ts",
    find: `if (!listsType(endpoint, event.type)) return "not_subscribed"`,
    replacement: `if (!listsType(endpoint, event.type) && event.type === "webhook.test") return "not_subscribed"`
  },
  {
    name: "webhook-other-application",
    fault: "Endpoints receive events of messages of other applications.",
    promise: "webhook-audience",
    file: "core/src/resources/events/isSubscribed.ts",
    find: `applicationId !== null && applicationId !== application.id) return "other_application"`,
    replacement: `applicationId === "" && applicationId !== application.id) return "other_application"`
  },
  {
    name: "webhook-other-connection",
    fault: "Endpoints receive events of connections that their application may not use.",
    promise: "webhook-audience",
    file: "core/src/resources/events/isSubscribed.ts",
    find: "connectionId !== null && !isAllowListed(application, connectionId))",
    replacement: `connectionId === "" && !isAllowListed(application, connectionId))`
  },
  {
    name: "webhook-event-not-delivered",
    fault: "The last endpoint of a workspace receives no events.",
    promise: "event-delivered",
    file: "core/src/resources/events/Outbox.ts",
    find: "for (const endpoint of subscribers.endpoints) {",
    replacement: "for (const endpoint of subscribers.endpoints.slice(0, -1)) {"
  },
  {
    name: "webhook-event-doubled",
    fault: "The event of a status is emitted twice, with two ids.",
    promise: "event-once",
    file: "core/src/resources/messages/recordProgress.ts",
    find: "inserts: reached.flatMap(",
    replacement: "inserts: [...reached, ...reached].flatMap("
  },
  {
    name: "webhook-attempts-not-exclusive",
    fault: "A delivery that a concurrent attempt ended is tried again.",
    promise: "webhook-ends-with-success",
    file: "core/src/flows/webhooks/dueDelivery.ts",
    find: `if (delivery.status !== "pending") {`,
    replacement: `if (delivery.status === "failed") {`
  },
  {
    name: "webhook-lost-while-disabled",
    fault: "The pending deliveries of a disabled endpoint do not continue when it is enabled.",
    promise: "event-delivered",
    file: "core/src/flows/webhooks/resumeDeliveries.ts",
    find: "ensures: waiting.map((delivery) =>",
    replacement: "ensures: waiting.slice(1).map((delivery) =>"
  },
  {
    name: "webhook-to-disabled-endpoint",
    fault: "Pending deliveries are sent to a disabled endpoint.",
    promise: "webhook-audience",
    file: "core/src/flows/webhooks/dueDelivery.ts",
    find: `(event.type !== "webhook.test" && !isActive(endpoint))`,
    replacement: `(event.type === "webhook.test" && !isActive(endpoint))`
  },
  {
    name: "webhook-recover-sends-delivered",
    fault: "A recovery delivers events again that were delivered.",
    promise: "webhook-ends-with-success",
    file: "core/src/flows/webhooks/recoverDeliveries.ts",
    find: `return delivery.status === "failed" ? [redeliver(`,
    replacement: "return delivery !== null ? [redeliver("
  },
  {
    name: "webhook-outcome-tried-once",
    fault: "An attempt is made again if the storage is away when it is recorded.",
    promise: "webhook-ends-with-success",
    file: "core/src/flows/webhooks/Webhooks.ts",
    find: "return retryWhileUnavailable(",
    replacement: "return (<A>(recorded: A): A => recorded)("
  },
  {
    name: "webhook-conflict-not-reloaded",
    fault: "After a conflict, an attempt is recorded with the rows that were read before it.",
    promise: "webhook-ends-with-success",
    file: "core/src/kernel/Decider.ts",
    find: "    isRead = false\n",
    replacement: ""
  },
  {
    name: "webhooks-of-a-claim-share-rows",
    fault: "All webhooks of one claim or commit are attempted with the rows of the first.",
    promise: "event-delivered",
    file: "core/src/flows/webhooks/Webhooks.ts",
    find: "deliverOne(job, worlds[i] as DueWorld)",
    replacement: "deliverOne(job, worlds[0] as DueWorld)"
  },
  {
    name: "webhook-success-after-failure-conflicts",
    fault: "A success after a single failure of its endpoint cannot be recorded.",
    promise: "webhook-ends-with-success",
    file: "core/src/flows/webhooks/countAttempt.ts",
    find: "if (succeeded && consecutiveFailures === 0)",
    replacement: "if (succeeded && consecutiveFailures < 2)"
  }
]
