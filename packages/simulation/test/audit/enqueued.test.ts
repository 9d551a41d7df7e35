import { expect, test } from "vitest"
import type { EnqueuedOutcome } from "../../src/audit/Journal.js"
import { type HandWritten, newId, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

interface Written {
  readonly id: string
  readonly key: string
  readonly body: object
}

/** A send that the shop writes in a transaction. */
const write = (history: HandWritten, { commits = true, key = newId(), text = "Hello" } = {}): Written => {
  const id = newId()
  const body = {
    channel: "whatsapp",
    to: "+49301234567",
    type: "text",
    message: { body: text },
    external_reference: `reference of ${key}`
  }
  const operation = "POST /messages"
  history.add({ kind: "enqueue", id, operation, process: "one", caller: "shop", idempotencyKey: key, body, commits })
  return { id, key, body }
}
/** A business event that the shop writes in a transaction. */
const writeOrder = (history: HandWritten, order: string, commits = true): Written => {
  const [id, key] = [newId(), newId()]
  const body = { event: "order.shipped", contact_id: newId(), dedupe_key: `order ${order}`, data: { order } }
  const operation = "POST /events"
  history.add({ kind: "enqueue", id, operation, process: "one", caller: "shop", idempotencyKey: key, body, commits })
  return { id, key, body }
}
const readRun = (history: HandWritten, order: string) => {
  const id = newId()
  const run = {
    id,
    workspace_id: shop.workspaceId,
    workflow_id: newId(),
    application_id: shop.applicationId,
    contact_id: newId(),
    event: { name: "order.shipped", data: { order } },
    status: "completed",
    steps: []
  }
  history.call("administrator", "GET", `/admin/v1/workflow-runs/${id}`, null, 200, { data: run })
}
const commit = (history: HandWritten, { id }: Written) => history.add({ kind: "enqueued", id })
const readOutcome = (
  history: HandWritten,
  { id }: Written,
  status: EnqueuedOutcome["status"],
  result: unknown = null
) => {
  const [accepted, refused] = [
    { status: 202, body: { data: result } },
    { status: 422, body: { error: { code: result } } }
  ]
  const answer = status === "accepted" ? accepted : status === "refused" ? refused : null
  history.add({ kind: "enqueued-outcome", id, status, answer })
}

const acceptance = (messageId: string) => ({
  message_id: messageId,
  status: "queued",
  conversation_id: newId(),
  contact_id: newId(),
  connection_id: shop.connectionId
})

/** What a history breaks that ends after these entries. */
const brokenAtEndBy = (script: (history: HandWritten) => void) =>
  brokenBy((history) => {
    script(history)
    history.wait(120_000)
    history.add({ kind: "end" })
  })

/** The outcome that is read of a committed request. */
const outcome = (status: EnqueuedOutcome["status"], result: unknown = null) =>
  brokenAtEndBy((history) => {
    history.add({ kind: "quiet" })
    const written = write(history)
    commit(history, written)
    readOutcome(history, written, status, result)
  })

test("a committed request that is waiting or unknown at the end", () => {
  expect(outcome("waiting")).toContain("enqueued-request-is-decided")
  expect(outcome(null)).toContain("enqueued-request-is-decided")
})

test("a committed request that is refused, with an event for its application", () => {
  expect(outcome("refused", "validation_failed")).toEqual(["event-delivered"])
  const withEvent = brokenAtEndBy((history) => {
    history.add({ kind: "quiet" })
    const written = write(history)
    commit(history, written)
    readOutcome(history, written, "refused", "validation_failed")
    history.webhook("enqueued.failed", { enqueued: { id: written.id } })
  })
  expect(withEvent).toEqual([])
})

test("a temporary refusal that is final", () => {
  expect(outcome("refused", "service_unavailable")).toContain("temporary-refusal-is-tried-again")
})

test("an accepted request whose message is never read", () => {
  expect(outcome("accepted", acceptance(newId()))).toContain("accepted-message-ends")
})

test("a transaction that was rolled back has no outcome and no message", () => {
  const rolledBack = (status: EnqueuedOutcome["status"], reference: string | null) =>
    brokenBy((history) => {
      const written = write(history, { commits: false, key: "one" })
      readOutcome(history, written, status, status === "accepted" ? acceptance(newId()) : null)
      if (reference !== null) history.read(newId(), "queued", { external_reference: reference })
    })
  expect(rolledBack(null, null)).toEqual([])
  expect(rolledBack(null, "reference of two")).toEqual([])
  expect(rolledBack("waiting", null)).toEqual(["rolled-back-request-has-no-effect"])
  expect(rolledBack("accepted", null)).toEqual(["rolled-back-request-has-no-effect"])
  expect(rolledBack(null, "reference of one")).toEqual(["rolled-back-request-has-no-effect"])
})

test("an event whose transaction was rolled back starts no run", () => {
  const readAfterRollback = (order: string, alsoCommitted: boolean) =>
    brokenBy((history) => {
      writeOrder(history, "7", false)
      if (alsoCommitted) commit(history, writeOrder(history, "7"))
      readRun(history, order)
    })
  expect(readAfterRollback("7", false)).toEqual(["rolled-back-request-has-no-effect"])
  expect(readAfterRollback("8", false)).toEqual([])
  expect(readAfterRollback("7", true)).toEqual([])
})

test("an accepted event starts a run of each workflow that it matched", () => {
  const started = (runs: number) =>
    brokenAtEndBy((history) => {
      const written = writeOrder(history, "7")
      commit(history, written)
      readOutcome(history, written, "accepted", { workflows_matched: 1 })
      history.add({ kind: "quiet" })
      history.wait(120_000)
      const path = `/admin/v1/workflow-runs?workspace_id=${shop.workspaceId}&limit=100`
      history.call("administrator", "GET", path, null, 200, { data: [], meta: { has_more: false } })
      for (let n = 0; n < runs; n++) readRun(history, "7")
    })
  expect(started(1)).toEqual([])
  expect(started(0)).toEqual(["event-starts-a-run"])
})

test("a transaction whose process ended may be either", () => {
  const either = (status: EnqueuedOutcome["status"]) =>
    brokenAtEndBy((history) => readOutcome(history, write(history), status))
  expect(either(null)).toEqual([])
  expect(either("refused")).toEqual([])
})

test("a key stands for one request, in a transaction or not", () => {
  const both = (text: string, other: string, messages: readonly [string, string]) =>
    brokenBy((history) => {
      const first = write(history, { key: "one", text })
      commit(history, first)
      readOutcome(history, first, "accepted", acceptance(messages[0]))
      const second = write(history, { key: "one", text: other })
      commit(history, second)
      readOutcome(history, second, "accepted", acceptance(messages[1]))
    })
  const [one, two] = [newId(), newId()]
  expect(both("Hello", "Hello", [one, two])).toContain("one-effect-per-key")
  expect(both("Hello", "Bye", [one, two])).toContain("one-effect-per-key")
})

test("a conflict that an enqueued request causes", () => {
  const conflict = (commits: boolean) =>
    brokenBy((history) => {
      const written = write(history, { commits, key: "one" })
      if (commits) commit(history, written)
      const request = history.sendRequest({ key: "one" })
      history.respond(request, 409, { error: { code: "idempotency_conflict" } })
    })
  expect(conflict(true)).not.toContain("idempotency-conflict-has-a-cause")
  expect(conflict(false)).toContain("idempotency-conflict-has-a-cause")
})

test("the replay of a request after its customer opted out", () => {
  const replayed = (isReplay: boolean) =>
    brokenBy((history) => {
      const written = write(history)
      const answer = acceptance(newId())
      const accept = (written: Written, answer: object) => {
        commit(history, written)
        readOutcome(history, written, "accepted", answer)
      }
      accept(written, answer)
      history.customerWrites("STOP", { from: "+49301234567" })
      const { key } = written
      accept(write(history, isReplay ? { key } : {}), isReplay ? answer : acceptance(newId()))
    })
  expect(replayed(true)).not.toContain("opted-out-contact-gets-nothing")
  expect(replayed(false)).toContain("opted-out-contact-gets-nothing")
})
