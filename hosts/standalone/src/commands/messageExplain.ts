import {
  type Absence,
  MessageWebhooksResource,
  maskedUrl,
  type Sending,
  SendingResource,
  type WaitingFor
} from "@parley/core"
import { Console, Effect, Schema } from "effect"
import { apiCommand, argument } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { printOne } from "./output.js"
import { cell } from "./table.js"

type Webhooks = typeof MessageWebhooksResource.Type
type EndpointStatus = Webhooks["events"][number]["endpoints"][number]

/** The operator's remedies for an endpoint or application that gets no webhooks. */
const remedies = {
  enable: ({ endpointId }: EndpointStatus) => `parley endpoint enable ${endpointId}`,
  subscribe: ({ endpointId }: EndpointStatus) => `parley endpoint update ${endpointId} --events <types>`,
  allow: ({ applicationId }: EndpointStatus) => `parley app update ${applicationId} --connections <ids>`,
  grant: ({ applicationId }: EndpointStatus) =>
    `parley app update ${applicationId} --scopes <scopes, webhooks.receive among them>`,
  activate: ({ applicationId }: EndpointStatus) => `parley app update ${applicationId} --status active`
}

const forAbsence: { readonly [A in Absence]: ((status: EndpointStatus) => string) | null } = {
  not_subscribed: remedies.subscribe,
  connection_not_allowed: remedies.allow,
  scope_missing: remedies.grant,
  application_suspended: remedies.activate,
  endpoint_disabled: remedies.enable,
  other_application: null,
  registered_later: null,
  no_longer_known: null,
  not_received_then: null
}
const forWaiting: { readonly [W in WaitingFor]: (status: EndpointStatus) => string } = {
  endpoint_enabled: remedies.enable,
  application_active: remedies.activate,
  scope_granted: remedies.grant,
  // A delivery and its job have the same id.
  job_retried: ({ delivery }) => `parley job retry ${delivery?.id}`,
  secret_key: () => "parley secrets status",
  earlier_delivery: ({ endpointId }) => `parley delivery list --endpoint ${endpointId} --status pending`
}

/** The next commands; empty if nothing is wrong or nothing can be done. */
export const nextSteps = (status: EndpointStatus, happenedAt: string): ReadonlyArray<string> => {
  const { absence, delivery } = status
  if (delivery === null) {
    // An expired delivery may have succeeded: it is not recovered.
    if (absence === null || absence === "other_application" || absence === "no_longer_known") return []
    const first = forAbsence[absence]?.(status)
    // Most endpoints do not subscribe to every event, deliberately.
    if (absence === "not_subscribed") return first === undefined ? [] : [first]
    const recover = `parley endpoint recover ${status.endpointId} --since ${happenedAt}`
    return first === undefined ? [recover] : [first, recover]
  }
  if (delivery.status === "delivered") return []
  const see = delivery.attemptCount === 0 ? [] : [`parley delivery show ${delivery.id}`]
  if (delivery.waitingFor !== null) return [...see, forWaiting[delivery.waitingFor](status)]
  return status.status === "active" && (delivery.status === "failed" || see.length > 0)
    ? [...see, `parley delivery replay ${delivery.id}`]
    : see
}

/** The webhooks of a message as text: a line for each event and endpoint, and the remedy for a missing one. */
export const explanation = ({ events }: Webhooks): string => {
  if (events.length === 0) return "The events of this message have expired: see parley retention."
  const others = new Set<string>()
  const lines = events.flatMap(({ createdAt, endpoints, eventType }) => {
    const happenedAt = new Date(createdAt).toISOString()
    const relevant = endpoints.filter(({ absence }) => absence !== "other_application")
    for (const status of endpoints) if (!relevant.includes(status)) others.add(status.endpointId)
    if (relevant.length === 0) {
      return [`${eventType} (${cell(happenedAt)}): its application has no endpoint; see parley endpoint add`]
    }
    return relevant.flatMap((status) => [
      `${eventType} (${cell(happenedAt)}) → ${cell(maskedUrl(status.url))}: ${cell(status.explanation)}`,
      ...nextSteps(status, happenedAt).map((step) => `    ${step}`)
    ])
  })
  const left = others.size === 0 ? [] : [`(${others.size} of other applications, which get no events of this message)`]
  return [...lines, ...left].join("\n")
}

/** The operator's remedy for a message that is not handed over; null if nothing is wrong or nothing can be done. */
export const sendingRemedy = ({ connectionId, jobId, state }: Sending): string | null => {
  switch (state) {
    case "parked":
      return `parley job retry ${jobId}`
    case "connection_inactive":
      return `parley connection check ${connectionId}; then parley connection update ${connectionId} --status active, or give the message up: parley job drop ${jobId}`
    case "throttled":
    case "retrying":
      return `parley connection check ${connectionId}`
    case "due":
      return "parley status    # is a worker running, and is its lane full?"
    default:
      return null
  }
}

/** Where the message is on its way to the provider, with the remedy. */
export const sendingText = (sending: Sending): string => {
  const remedy = sendingRemedy(sending)
  const text = `${sending.state}: ${cell(sending.explanation)}`
  return remedy === null ? text : `${text}\n    ${remedy}`
}

const decoded = <A, I>(schema: Schema.Schema<A, I>, answer: unknown) =>
  Effect.mapError(
    Schema.decodeUnknown(schema)(answer),
    () => new CommandFailed({ message: "The host's answer has an unknown format: update this command." })
  )

/** Explains why a message was not sent, and why a webhook did not arrive. */
export const explain = apiCommand(
  "explain",
  "Explain a message: where it is on its way to the provider, and for each event and endpoint the webhook, or the reason for its absence; with what to do. Example: parley message explain <id>",
  { id: argument("id", "The message's id") },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const path = `/messages/${encodeURIComponent(id)}`
      const read = (what: "sending" | "webhooks") => client.call("GET", `${path}/${what}`)
      const [sending, webhooks] = yield* Effect.all([read("sending"), read("webhooks")], { concurrency: "unbounded" })
      if (json) return yield* printOne(json, { sending, ...webhooks })
      yield* Console.log(sendingText(yield* decoded(SendingResource, sending)))
      yield* Console.log(explanation(yield* decoded(MessageWebhooksResource, webhooks)))
    })
)
