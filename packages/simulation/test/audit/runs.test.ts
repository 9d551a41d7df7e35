import { describe, expect, test } from "vitest"
import { type HandWritten, isoTime, newId, shop } from "./journalOf.js"
import { brokenBy } from "./promisesOf.js"

const workflow = newId()
const contact = newId()
const data = { order: "7" }
const actions = [
  { type: "send_message", body: "Shipped: {{data.order}}" },
  { type: "create_task", title: "Call about {{data.order}}" }
]

interface Given {
  readonly matched?: number
  readonly runs?: ReadonlyArray<string>
  readonly tasks?: number
  readonly outcome?: string
  readonly status?: string
  readonly handedOver?: number
  readonly erased?: boolean
  /** Status of a merge of the contact into one that is erased. */
  readonly mergeStatus?: number
}

/** An event, and what an administrator reads of its runs after the quiet. */
const readRuns = ({
  erased = false,
  handedOver = 1,
  matched = 1,
  mergeStatus,
  outcome = "done",
  runs = [newId()],
  status = "completed",
  tasks = 1
}: Given = {}) =>
  brokenBy((history) => {
    const admin = (path: string, answer: object) =>
      history.call("administrator", "GET", `/admin/v1${path}`, null, 200, answer)
    const page = (rows: ReadonlyArray<object>) => ({ data: rows, meta: { has_more: false } })
    history.call("administrator", "POST", "/admin/v1/workflows", { actions }, 201, { data: { id: workflow } })
    const body = { event: "order.shipped", contact_id: contact, dedupe_key: "order 7", data }
    const event = history.request("shop", "POST", "/api/v1/events", body, newId())
    history.respond(event, 202, { data: { workflows_matched: matched } })
    for (let n = 0; n < handedOver; n++) {
      history.endHandOver(history.beginHandOver(newId(), { text: "Shipped: 7" }), "accepted")
    }
    if (erased) history.call("administrator", "DELETE", `/admin/v1/contacts/${contact}`, null, 200, { data: {} })
    if (mergeStatus !== undefined) {
      const other = `/admin/v1/contacts/${newId()}`
      history.call("administrator", "POST", `${other}/merge`, { contact_id: contact }, mergeStatus, { code: "refused" })
      history.call("administrator", "DELETE", other, null, 200, { data: {} })
    }
    history.quiet()
    history.wait(120_000)
    admin(`/workflow-runs?workspace_id=${shop.workspaceId}&limit=100`, page(runs.map((id) => ({ id }))))
    for (const id of runs) readRun(history, id, status, [step(0, outcome), step(1, outcome)])
    const rows = Array.from({ length: tasks }, () => ({ id: newId(), title: "Call about 7" }))
    admin(`/tasks?workspace_id=${shop.workspaceId}&limit=100`, page(rows))
    history.end()
  })

const step = (position: number, outcome = "done") => ({
  position,
  type: actions[position]?.type,
  outcome,
  started_at: isoTime(0),
  ended_at: isoTime(0)
})

const readRun = (history: HandWritten, id: string, status: string, steps: ReadonlyArray<object>) =>
  history.call("administrator", "GET", `/admin/v1/workflow-runs/${id}`, null, 200, {
    data: {
      id,
      workspace_id: shop.workspaceId,
      workflow_id: workflow,
      application_id: shop.applicationId,
      contact_id: contact,
      event: { name: "order.shipped", data },
      status,
      pending: null,
      job: null,
      steps
    }
  })

describe("runs of workflows", () => {
  test("one for each event, whose actions happen once", () => {
    expect(readRuns()).toEqual([])
    expect(readRuns({ outcome: "failed", tasks: 0, handedOver: 0 })).toEqual([])
    expect(readRuns({ handedOver: 0 })).toEqual([])
  })

  test("none for an event that matched a workflow", () => {
    expect(readRuns({ runs: [], tasks: 0 })).toEqual(["event-starts-a-run"])
    expect(readRuns({ runs: [], tasks: 0, matched: 0 })).toEqual([])
    expect(readRuns({ runs: [], tasks: 0, erased: true })).toEqual([])
  })

  test("none, and perhaps no longer a contact", () => {
    expect(readRuns({ runs: [], tasks: 0, mergeStatus: 200 })).toEqual([])
    expect(readRuns({ runs: [], tasks: 0, mergeStatus: 503 })).toEqual([])
    expect(readRuns({ runs: [], tasks: 0, mergeStatus: 404 })).toEqual(["event-starts-a-run"])
  })

  test("two for an event", () => {
    expect(readRuns({ runs: [newId(), newId()], tasks: 2 })).toEqual(["event-starts-a-run-once"])
  })

  test("a task without its step, a step without its task, and a message twice", () => {
    expect(readRuns({ tasks: 2 })).toEqual(["run-effect-once"])
    expect(readRuns({ tasks: 0 })).toEqual(["run-effect-once"])
    expect(readRuns({ outcome: "failed", handedOver: 0 })).toEqual(["run-effect-once"])
    expect(readRuns({ handedOver: 2 })).toEqual(["run-effect-once"])
  })

  test("a run that does not end", () => {
    expect(readRuns({ status: "running" })).toEqual(["run-ends"])
  })

  test("steps that change or come twice", () => {
    const read = (...readings: ReadonlyArray<ReadonlyArray<object>>) =>
      brokenBy((history) => {
        const id = newId()
        for (const steps of readings) readRun(history, id, "running", steps)
      })
    expect(read([step(0)], [step(0), step(1)])).toEqual([])
    expect(read([step(0)], [step(0, "failed")])).toEqual(["run-actions-once"])
    expect(read([step(0)], [])).toEqual(["run-actions-once"])
    expect(read([step(0), step(0)])).toEqual(["run-actions-once"])
  })
})
