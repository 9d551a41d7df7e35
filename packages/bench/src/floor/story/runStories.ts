import { randomUUID } from "node:crypto"
import type { Changes, Connection, Ids, Job, Message } from "@parley/core"
import { callers } from "../../measuring/RoundResult.js"
import { bodyOf, type Handles, handleNumbers, handleOf } from "../../world/traffic.js"
import { leaseMs } from "../BatchQueue.js"
import { batches } from "../batches.js"
import { rowsOf, webhookDeliverer } from "./deliverWebhooks.js"
import type { DueReceipt, Receivers, StoryDatabase } from "./StoryDatabase.js"
import type { HandedOver, Send, StoryRules } from "./StoryRules.js"

/** Time in ms between looks for due receipts. */
const receiptsEvery = 10
const leaseLimit = 256
/** Delays in ms of the sandbox's receipts. */
const [deliveredAfter, readAfter] = [200, 600]
/** Webhooks of one message: queued, sent, delivered, read. */
const webhooksOfOne = 4

/** What a send waits for. */
interface Accepting extends Send {
  readonly onAccepted: () => void
}

/** Accepts a number of messages and carries each on from memory, until the last of their webhooks is recorded. */
export type RunStories = (count: number, handles: Handles) => Promise<void>

/**
 * A program by hand that does what the engine does for a whole message: accept, hand over, two receipts, four webhooks.
 * Each step is written in batches. What a commit inserted goes on from memory; receipts come from the queue when due.
 */
export const storyRunner = (database: StoryDatabase, rules: StoryRules, ids: Ids): RunStories => {
  const owner = randomUUID()
  const next = handleNumbers()
  let receivers: Receivers = { endpoints: [], applications: [] }
  let connections: ReadonlyArray<Connection> = []
  let [left, receiptsLeft] = [0, 0]
  let onEnd: () => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const failed = (error: unknown) => fail(error)

  const leaseFrom = (now: number) => ({ owner, until: now + leaseMs })
  const { carryOn, leased } = webhookDeliverer(
    database,
    rules,
    ids,
    owner,
    (recorded) => {
      left -= recorded
      if (left === 0) onEnd()
    },
    failed
  )

  const recordReceipt = async (due: ReadonlyArray<DueReceipt>): Promise<void> => {
    // A message's receipts one after the other, each on the version that the last one left.
    const [now, later]: [Array<DueReceipt>, Array<DueReceipt>] = [[], []]
    const seen = new Set<string>()
    for (const one of due) {
      if (seen.has(one.message.id)) later.push(one)
      else now.push(one)
      seen.add(one.message.id)
    }
    const at = Date.now()
    const decided = now.map((one) => leased(rules.receipt(one, receivers, at), at))
    await database.write("receipt", decided)
    receiptsLeft -= decided.length
    for (const changes of decided) carryOn(changes, receivers)
    if (later.length === 0) return
    const after = new Map(now.map(({ message }, i) => [message.id, afterSets(message, decided[i] as Changes)]))
    await recordReceipt(later.map((one) => ({ ...one, message: after.get(one.message.id) as Message })))
  }
  const takeReceipts = async (): Promise<void> => {
    const due = await database.leaseReceipts(leaseFrom(Date.now()), leaseLimit)
    if (due.length > 0) await recordReceipt(due)
    if (receiptsLeft > 0) setTimeout(() => takeReceipts().catch(failed), due.length === leaseLimit ? 0 : receiptsEvery)
  }

  const recordOutcome = batches<HandedOver>(async (batch) => {
    const now = Date.now()
    const decided = batch.map((handed) => leased(rules.outcome(handed, receivers, now), now))
    await database.write("outcome", decided)
    for (const changes of decided) carryOn(changes, receivers)
  }, failed)

  /** Hands a message to the sandbox, which accepts it at once. */
  const handOver = (changes: Changes): void => {
    const [message] = rowsOf<Message>("messages", changes)
    const job = rowsOf<Job>("jobs", changes).find(({ lane }) => lane === "sends")
    const connection = connections.find(({ id }) => id === message?.connectionId)
    if (message === undefined || job === undefined || connection === undefined) throw new Error("A row is missing")
    const at = Date.now()
    recordOutcome({
      ...{ message, job, connection, at },
      providerMessageId: `sandbox-${message.id}`,
      deliveredAt: at + deliveredAfter,
      readAt: at + readAfter
    })
  }

  const accept = batches<Accepting>(async (batch) => {
    const rows = await database.readSends(
      batch.map(({ body }) => body.to),
      batch.map(({ key }) => key)
    )
    receivers = rows
    connections = rows.connections
    const now = Date.now()
    const decided = batch.map((send) => leased(rules.accept(send, rows, leaseFrom(now), now), now))
    await database.write("accept", decided)
    for (const { onAccepted } of batch) onAccepted()
    for (const changes of decided) {
      handOver(changes)
      carryOn(changes, receivers)
    }
  }, failed)

  const send = (handles: Handles): Promise<void> =>
    new Promise((resolve) => {
      const body = bodyOf(handleOf(next(handles)))
      accept({ body, key: randomUUID(), requestId: randomUUID(), onAccepted: resolve })
    })

  return (count, handles) =>
    new Promise((resolve, reject) => {
      onEnd = resolve
      fail = reject
      left = count * webhooksOfOne
      receiptsLeft = count * 2
      setTimeout(() => takeReceipts().catch(failed), deliveredAfter)
      let unsent = count
      const caller = async () => {
        while (unsent-- > 0) await send(handles)
      }
      Promise.all(Array.from({ length: callers }, caller)).catch(reject)
    })
}

/** The message after the sets of a commit. */
const afterSets = (message: Message, { sets }: Changes): Message => ({
  ...message,
  ...(sets[0]?.values as Partial<Message>),
  version: message.version + 1
})
