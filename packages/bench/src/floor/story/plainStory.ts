import {
  type Changes,
  changes,
  check,
  type Event,
  expect,
  type Ids,
  type Message,
  type RowOf,
  row,
  set,
  signature
} from "@parley/core"
import { signingSecret } from "../../world/deliveries.js"
import { applicationId, workspaceId } from "../../world/seed.js"
import { delivery, event, job, messageRows, wireMessage } from "../messageRows.js"
import type { Receivers } from "./StoryDatabase.js"
import type { StoryRules } from "./StoryRules.js"

/** A story without the rules of the engine: it checks nothing that it read, and builds the same rows. */
export const plainStory = (ids: Ids): StoryRules => {
  /** An event of a message in its present state, with a delivery and its job for each endpoint. */
  const emitted = (
    message: Message,
    type: Event["type"],
    { endpoints }: Receivers,
    now: number
  ): ReadonlyArray<RowOf<"events" | "deliveries" | "jobs">> => {
    const stored = event(ids, now, message.id, type, message.externalReference, wireMessage(message))
    return [
      row("events", stored),
      ...endpoints.flatMap((endpoint) => {
        const waiting = { ...delivery(ids, now, stored), endpointId: endpoint.id }
        const payload = { eventId: stored.id, applicationId }
        return [
          row("deliveries", waiting),
          row("jobs", job(waiting.id, now, "deliveries", endpoint.id, waiting.id, payload))
        ]
      })
    ]
  }

  /** A message that reached a status, its event, and the end of the job. */
  const reached = (
    before: Message,
    values: Partial<Message>,
    settled: { readonly id: string; readonly epoch: number },
    receivers: Receivers,
    now: number,
    more: Partial<Changes> = {}
  ): Changes => {
    const after = { ...before, ...values }
    const { deliveredAt, error, readAt, sentAt, status } = after
    return changes(workspaceId, more, {
      expects: [expect("messages", { id: before.id }, { version: before.version })],
      sets: [set("messages", { id: before.id }, { status, error, sentAt, deliveredAt, readAt, ...values })],
      inserts: emitted(after, `message.${status}` as Event["type"], receivers, now),
      settle: { jobId: settled.id, epoch: settled.epoch, again: null }
    })
  }

  return {
    accept: ({ body, key, requestId }, { recipients }, lease, now) => {
      const found = recipients.get(body.to)
      if (found === undefined) throw new Error("The recipient is not known")
      const { contact, conversation } = found
      const known = { contactId: contact.id, conversationId: conversation.id }
      const { inserts } = messageRows(body, key, known, ids, requestId)
      const rows = inserts.flatMap(({ rows, table }) => rows.map((one) => row(table, one)))
      return changes(workspaceId, {
        claims: rows.filter((one) => one.table === "idempotency") as Changes["claims"],
        expects: [
          expect("contacts", { id: contact.id }),
          expect("conversations", { id: conversation.id }, { contactId: contact.id })
        ],
        inserts: rows.flatMap((one) => {
          if (one.table === "idempotency") return []
          if (one.table !== "jobs" || one.row.lane !== "sends") return [one]
          return [row("jobs", { ...one.row, leaseUntil: lease.until, leaseOwner: lease.owner, attempts: 1 })]
        }),
        bumps: [
          { table: "contacts", id: contact.id, greatest: { lastActivityAt: now } },
          { table: "conversations", id: conversation.id, greatest: { lastActivityAt: now } }
        ]
      })
    },
    outcome: ({ connection, deliveredAt, job: sent, message, providerMessageId, readAt }, receivers, now) => {
      const receipt = (status: "delivered" | "read", at: number) => {
        const payload = { receipt: { status, at, error: null } }
        const waiting = job(ids.next(now), now, "receipts", connection.id, providerMessageId, payload)
        return row("jobs", { ...waiting, runAt: at })
      }
      const known = {
        connectionId: connection.id,
        providerMessageId,
        workspaceId,
        messageId: message.id,
        parked: [],
        createdAt: now,
        version: 1
      }
      const values = { status: "sent" as const, sentAt: now, providerMessageId }
      return reached(message, values, sent, receivers, now, {
        claims: [row("providerMessages", known)],
        inserts: [receipt("delivered", deliveredAt), receipt("read", readAt)]
      })
    },
    receipt: ({ job: due, message }, receivers, now) => {
      const { receipt } = due.payload as { readonly receipt: { status: "delivered" | "read"; at: number } }
      const at = receipt.status === "read" ? { readAt: receipt.at } : { deliveredAt: receipt.at }
      return reached(message, { status: receipt.status, ...at }, due, receivers, now)
    },
    post: ({ endpoint, event }, _receivers, attemptId, now) => {
      const seconds = Math.floor(now / 1_000)
      const { createdAt, data, externalReference, id, type } = event
      const head = { id, type, created_at: new Date(createdAt).toISOString(), external_reference: externalReference }
      const body = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
      return {
        url: endpoint.url,
        body,
        timeoutMs: 10_000,
        headers: {
          "content-type": "application/json",
          "user-agent": "Parley-Webhooks/1.0",
          "x-webhook-id": id,
          "x-webhook-timestamp": `${seconds}`,
          "x-webhook-signature": signature(signingSecret, seconds, body),
          "x-delivery-attempt": "1",
          "x-event-id": id,
          "x-event-type": type,
          "x-event-timestamp": `${seconds}`,
          "x-delivery-id": attemptId
        }
      }
    },
    attempt: ({ delivery: { id, version }, endpoint, job: due }, attempt, now) =>
      changes(workspaceId, {
        expects: [
          expect("deliveries", { id }, { version }),
          check("endpoints", { id: endpoint.id }, { consecutiveFailures: 0 })
        ],
        sets: [set("deliveries", { id }, { status: "delivered", attempts: 1, round: 1, completedAt: now })],
        inserts: [row("attempts", attempt)],
        settle: { jobId: due.id, epoch: due.epoch, again: null }
      })
  }
}
