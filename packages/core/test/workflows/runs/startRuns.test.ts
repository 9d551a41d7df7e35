import { aBusinessEvent, aRunKey, aWorkflow, makeTestIds } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { keysOf, startRuns } from "../../../src/workflows/runs/startRuns.js"

const [one, other, version] = ["1", "2", "3"].map((n) => `01900000-0000-7000-8000-0000000000c${n}`) as [
  string,
  string,
  string
]
const event = aBusinessEvent({ id: one, dedupeKey: "order 1", idempotencyKey: "request 1", data: { id: 7 } })
const workflows = [one, other].map((id) => aWorkflow({ id, versionId: version }))
const started = (...given: Parameters<typeof startRuns>) => startRuns(...given)

describe("an event", () => {
  it("starts a run of each workflow, by the version that is published, with a job and both of its keys", () => {
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
  it("starts none where one of its keys started one, but those of other workflows", () => {
    const taken = [aRunKey({ workflowId: one, key: "request 1" })]
    const { inserts } = started(event, workflows, taken, makeTestIds())
    expect(inserts?.flatMap((row) => (row.table === "workflowRuns" ? [row.row.workflowId] : []))).toEqual([other])
  })
  it("starts none of a workflow that was published before it could do anything", () => {
    expect(started(event, [aWorkflow({ id: one })], [], makeTestIds())).toEqual({ claims: [], inserts: [] })
  })
  it("has one key where both are the same", () => {
    expect(keysOf({ dedupeKey: "k", idempotencyKey: "k" })).toEqual(["k"])
    expect(keysOf({ dedupeKey: null, idempotencyKey: "k" })).toEqual(["k"])
  })
})
