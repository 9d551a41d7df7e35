import { type Absence, MessageWebhooksResource, type WaitingFor } from "@parley/core"
import { Console, Effect, Schema } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { argument, leaf } from "./leaf.js"
import { printOne } from "./output.js"
import { cell } from "./table.js"

type Webhooks = typeof MessageWebhooksResource.Type
type Told = Webhooks["events"][number]["endpoints"][number]

/** What an operator does about an endpoint or application that is told nothing. */
const remedies = {
  enable: ({ endpointId }: Told) => `parley endpoint enable ${endpointId}`,
  subscribe: ({ endpointId }: Told) => `parley endpoint update ${endpointId} --events <types>`,
  allow: ({ applicationId }: Told) => `parley app update ${applicationId} --connections <ids>`,
  grant: ({ applicationId }: Told) =>
    `parley app update ${applicationId} --scopes <scopes, webhooks.receive among them>`,
  activate: ({ applicationId }: Told) => `parley app update ${applicationId} --status active`
}

const forAbsence: { readonly [A in Absence]: ((told: Told) => string) | null } = {
  not_subscribed: remedies.subscribe,
  connection_not_allowed: remedies.allow,
  scope_missing: remedies.grant,
  application_suspended: remedies.activate,
  endpoint_disabled: remedies.enable,
  other_application: null,
  registered_later: null,
  no_longer_known: null,
  would_be_told_now: null
}
const forWaiting: { readonly [W in WaitingFor]: (told: Told) => string } = {
  endpoint_enabled: remedies.enable,
  application_active: remedies.activate,
  scope_granted: remedies.grant
}

/** What to do next, as commands; none where nothing is wrong, or nothing can be done. */
export const nextSteps = (told: Told, happenedAt: string): ReadonlyArray<string> => {
  const { absence, delivery } = told
  if (delivery === null) {
    // What is no longer known may have been delivered: it is not recovered.
    if (absence === null || absence === "other_application" || absence === "no_longer_known") return []
    const first = forAbsence[absence]?.(told)
    // Most lists leave events out on purpose.
    if (absence === "not_subscribed") return first === undefined ? [] : [first]
    const recover = `parley endpoint recover ${told.endpointId} --since ${happenedAt}`
    return first === undefined ? [recover] : [first, recover]
  }
  if (delivery.status === "delivered") return []
  const see = delivery.attemptCount === 0 ? [] : [`parley delivery show ${delivery.id}`]
  if (delivery.waitingFor !== null) return [...see, forWaiting[delivery.waitingFor](told)]
  return told.status === "active" && (delivery.status === "failed" || see.length > 0)
    ? [...see, `parley delivery replay ${delivery.id}`]
    : see
}

/** The webhooks of a message for a person: a line for each event and endpoint, and what to do where one is missing. */
export const explanation = ({ events }: Webhooks): string => {
  if (events.length === 0) return "No event of this message is kept: see parley retention for how long they are."
  const others = new Set<string>()
  const lines = events.flatMap(({ createdAt, endpoints, eventType }) => {
    const happenedAt = new Date(createdAt).toISOString()
    const concerned = endpoints.filter(({ absence }) => absence !== "other_application")
    for (const told of endpoints) if (!concerned.includes(told)) others.add(told.endpointId)
    if (concerned.length === 0) {
      return [`${eventType} (${cell(happenedAt)}): its application has no endpoint; see parley endpoint add`]
    }
    return concerned.flatMap((told) => [
      `${eventType} (${cell(happenedAt)}) → ${cell(told.url)}: ${cell(told.explanation)}`,
      ...nextSteps(told, happenedAt).map((step) => `    ${step}`)
    ])
  })
  const left = others.size === 0 ? [] : [`(${others.size} of other applications, which hear nothing of this message)`]
  return [...lines, ...left].join("\n")
}

const read = Schema.decodeUnknown(MessageWebhooksResource)

/** Why a webhook did not arrive. */
export const explain = leaf(
  "explain",
  "Explain what became of a message's webhooks: for each event and endpoint the delivery, or why there is none and what to do. Example: parley message explain <id>",
  { id: argument("id", "The message's id") },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const webhooks = yield* client.call("GET", `/messages/${encodeURIComponent(id)}/webhooks`)
      if (json) return yield* printOne(json, webhooks)
      const known = yield* Effect.mapError(
        read(webhooks),
        () => new CommandFailed({ message: "The host answered in a way that this command does not know: update it." })
      )
      yield* Console.log(explanation(known))
    })
)
