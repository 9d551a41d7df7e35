import { type Changes, changes, type Event, type Lane, newJob, type RowOf, row, type TableName } from "@parley/core"
import { AesSecretBox, UuidIds } from "@parley/node"
import { aDelivery, anEndpoint, anEvent } from "@parley/testkit/rows"
import { applicationId, connectionId, secretKey, workspaceId } from "./seed.js"
import { renderedBody } from "./traffic.js"

/** Signing secret of every endpoint. */
export const signingSecret = "whsec_0123456789abcdefghijklmnopqrstuv"

const ids = UuidIds.make()

/** Endpoints at these URLs. */
export const endpointsAt = (urls: ReadonlyArray<string>) => {
  const secret = AesSecretBox.make(secretKey).seal(signingSecret)
  return urls.map((url) => anEndpoint({ id: ids.next(Date.now()), workspaceId, applicationId, url, secret }))
}

/**
 * One event about a message, the delivery to this endpoint that waits, and its job, as a commit of the engine writes
 * them.
 */
const waitingDelivery = (endpointId: string, lane: Lane, now: number): ReadonlyArray<RowOf<TableName>> => {
  const subjectId = ids.next(now)
  const event: Event = anEvent({
    id: ids.next(now),
    workspaceId,
    applicationId,
    connectionId,
    subjectId,
    externalReference: "order-4711",
    data: JSON.stringify({ message: { id: subjectId, status: "queued", channel: "whatsapp", body: renderedBody } }),
    createdAt: now
  })
  const id = ids.next(now)
  return [
    row("events", event),
    row("deliveries", aDelivery({ id, workspaceId, applicationId, endpointId, eventId: event.id, createdAt: now })),
    row(
      "jobs",
      newJob({
        id,
        workspaceId,
        lane,
        subject: endpointId,
        reference: id,
        payload: { eventId: event.id, applicationId },
        runAt: now,
        createdAt: now
      })
    )
  ]
}

/** A number of deliveries, to the endpoints in turn. */
export const waitingDeliveries = (
  endpointIds: ReadonlyArray<string>,
  count: number,
  now: number,
  lane: Lane = "deliveries"
): Changes =>
  changes(workspaceId, {
    inserts: Array.from({ length: count }, (_, n) =>
      waitingDelivery(endpointIds[n % endpointIds.length] as string, lane, now)
    ).flat()
  })
