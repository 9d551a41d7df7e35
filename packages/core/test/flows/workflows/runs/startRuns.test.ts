import { aBusinessEvent, aRunKey, aWorkflow, makeTestIds } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { keysOf, startRuns } from "../../../../src/flows/workflows/runs/startRuns.js"

const [one, other, version] = ["1", "2", "3"].map((n) => `01900000-0000-7000-8000-0000000000c${n}`) as [
  string,
  string,
  string
]
const event = aBusinessEvent({ id: one, dedupeKey: "order 1", idempotencyKey: "request 1", data: { id: 7 } })
const workflows = [one, other].map((id) => aWorkflow({ id, versionId: version }))
const started = (...given: Parameters<typeof startRuns>) => startRuns(...given)

describe("an event", () => {
  it("starts a run of each workflow's published version, with a job and both keys", () => {
    const { claims, inserts } = started(event, workflows, [], makeTestIds())
    const runs = inserts?.flatMap((row) => (row.table === "workflowRuns" ? [row.row] : [])) ?? []
    expect(runs).toMatchObject(
      [one, other].map((workflowId) => ({
        workflowId,
        versionId: version,
        status: "running",
        position: 0,
        data: { id: 7 }
      }))
    )
    expect(
      inserts?.flatMap((row) => (row.table === "jobs" ? [[row.row.id, row.row.lane, row.row.subject]] : []))
    ).toEqual(runs.map(({ id, workflowId }) => [id, "runs", workflowId]))
    expect(claims).toMatchObject(
      runs.flatMap(({ id: runId, workflowId }) =>
        ["order 1", "request 1"].map((key) => ({ table: "runKeys", row: { key, runId, workflowId } }))
      )
    )
  })
  it("starts no run where one of its keys started one, but starts those of other workflows", () => {
    const taken = [aRunKey({ workflowId: one, key: "request 1" })]
    const { inserts } = started(event, workflows, taken, makeTestIds())
    expect(inserts?.flatMap((row) => (row.table === "workflowRuns" ? [row.row.workflowId] : []))).toEqual([other])
  })
  it("starts no run of a workflow without a version", () => {
    expect(started(event, [aWorkflow({ id: one })], [], makeTestIds())).toEqual({ claims: [], inserts: [] })
  })
  it("has one key if both are equal", () => {
    expect(keysOf({ dedupeKey: "k", idempotencyKey: "k" })).toEqual(["k"])
    expect(keysOf({ dedupeKey: null, idempotencyKey: "k" })).toEqual(["k"])
  })
})
