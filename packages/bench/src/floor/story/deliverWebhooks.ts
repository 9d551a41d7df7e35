import type { Changes, Delivery, Event, Ids, Job } from "@parley/core"
import { Agent } from "undici"
import { callers } from "../../measuring/RoundResult.js"
import { leaseMs } from "../BatchQueue.js"
import { batches } from "../batches.js"
import { postWebhook } from "../postWebhook.js"
import { addedTo, type Receivers, type StoryDatabase } from "./StoryDatabase.js"
import type { StoryRules, Webhook } from "./StoryRules.js"

/** Delivers the webhooks of commits from memory. */
export interface WebhookDeliverer {
  /** The commit with leases for its deliveries, which this process starts at once. */
  readonly leased: (changes: Changes, now: number) => Changes
  /**
   * Posts the webhooks that a commit inserted, at most {@link callers} at once, and records the attempts in batches.
   */
  readonly carryOn: (changes: Changes, receivers: Receivers) => void
}

/** `owner`: of the leases. `onRecorded` gets the number of attempts that became durable. */
export const webhookDeliverer = (
  database: Pick<StoryDatabase, "write">,
  rules: Pick<StoryRules, "attempt" | "post">,
  ids: Ids,
  owner: string,
  onRecorded: (count: number) => void,
  onError: (error: unknown) => void
): WebhookDeliverer => {
  const agent = new Agent({ connections: callers, headersTimeout: 10_000, bodyTimeout: 10_000 })
  const waiting: Array<readonly [Webhook, Receivers]> = []
  let posting = 0

  const record = batches<Changes>(async (batch) => {
    await database.write("attempt", batch)
    onRecorded(batch.length)
  }, onError)
  const post = (): void => {
    while (posting < callers && waiting.length > 0) {
      const [webhook, receivers] = waiting.shift() as (typeof waiting)[number]
      const startedAt = Date.now()
      const id = ids.next(startedAt)
      posting++
      postWebhook(agent, rules.post(webhook, receivers, id, startedAt), (status) => {
        posting--
        const now = Date.now()
        const { id: deliveryId, endpointId, workspaceId } = webhook.delivery
        const made = { id, workspaceId, deliveryId, endpointId, number: 1, startedAt, durationMs: now - startedAt }
        record(rules.attempt(webhook, { ...made, status, error: null, answer: "" }, now))
        post()
      })
    }
  }

  return {
    leased: (changes, now) => ({
      ...changes,
      inserts: changes.inserts.map((one) =>
        one.table === "jobs" && one.row.lane === "deliveries"
          ? { table: "jobs", row: { ...one.row, leaseUntil: now + leaseMs, leaseOwner: owner, attempts: 1 } }
          : one
      )
    }),
    carryOn: (changes, receivers) => {
      const events = new Map(rowsOf<Event>("events", changes).map((event) => [event.id, event]))
      const jobs = new Map(rowsOf<Job>("jobs", changes).map((job) => [job.id, job]))
      for (const delivery of rowsOf<Delivery>("deliveries", changes)) {
        const event = events.get(delivery.eventId)
        const job = jobs.get(delivery.id)
        const endpoint = receivers.endpoints.find(({ id }) => id === delivery.endpointId)
        if (event !== undefined && job !== undefined && endpoint !== undefined) {
          waiting.push([{ delivery, event, job, endpoint }, receivers])
        }
      }
      post()
    }
  }
}

/** The rows that a commit adds to a table. */
export const rowsOf = <A>(table: string, changes: Changes): ReadonlyArray<A> =>
  addedTo(table, changes) as unknown as ReadonlyArray<A>
