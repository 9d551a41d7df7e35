import { aJob, aRun, aWorkflowVersion, makeTestIds, someApplicationId, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { missingOwner } from "../../../src/flows/workflows/RunListQuery.js"
import { retryRun } from "../../../src/flows/workflows/retryRun.js"
import { explainRunJob, type RunJob } from "../../../src/flows/workflows/runs/explainRunJob.js"
import { runResource } from "../../../src/flows/workflows/runs/RunResource.js"
import { stopRun } from "../../../src/flows/workflows/stopRun.js"
import type { Action } from "../../../src/model/Action.js"
import type { Pending, Run } from "../../../src/model/Run.js"
import { agreed, audit, inserted, refused } from "../../outcomes.js"

const common = { name: null, if: null, onError: "stop" } as const
const actions: ReadonlyArray<Action> = [
  { type: "add_tag", tag: "vip", ...common },
  { type: "wait", forMs: 60_000, ...common, name: "a while" },
  { type: "call_webhook", url: "https://a.example", body: null, ...common },
  {
    type: "send_email",
    connectionId: null,
    subject: "Hi",
    body: "Hi",
    html: null,
    wanted: { status: "delivered", withinMs: 1_000 },
    ...common
  }
]
const version = aWorkflowVersion({
  id: "01900000-0000-7000-8000-0000000000d2",
  number: 4,
  definition: { conditions: null, actions }
})
const run = aRun({ id: "01900000-0000-7000-8000-0000000000d3", status: "waiting" })
const stop = (present: Run) => stopRun({ run: present, version }, someTime + 5, makeTestIds())

describe("stopping a run", () => {
  it.each(["running", "waiting"] as const)("ends a %s run and keeps its finished steps", (status) => {
    const step = {
      position: 0,
      type: "add_tag",
      name: null,
      outcome: "done",
      detail: "added vip",
      startedAt: someTime,
      endedAt: someTime,
      attempts: 1
    } as const
    const pending = { startedAt: someTime, attempts: 1, messageId: null, until: someTime + 60_000 }
    const decision = agreed(stop({ ...run, status, position: 1, steps: [step], pending }))
    expect(decision.result.run).toMatchObject({
      status: "stopped",
      position: 1,
      steps: [step],
      pending: null,
      reason: 'an administrator stopped it while wait "a while" was under way',
      endedAt: someTime + 5,
      version: 2
    })
    expect(audit(decision)).toEqual(["workflow_run.stopped"])
    expect(inserted(decision, "auditLog")[0]?.applicationId).toBe(someApplicationId)
  })
  it.each(["completed", "skipped", "failed", "stopped"] as const)("is refused for a %s run", (status) => {
    expect(refused(stop({ ...run, status })).code).toBe("invalid_transition")
  })
  it("fails with not_found for an unknown run", () => {
    expect(refused(stopRun(undefined, someTime, makeTestIds())).code).toBe("not_found")
  })
})

describe("a retry of a run", () => {
  const retry = (present: Run) => retryRun(present, someTime + 5, makeTestIds())
  const failed: Run = { ...run, status: "failed", reason: "answered 400", position: 2, endedAt: someTime }
  const step = (position: number, outcome: "done" | "failed", endedAt = someTime) =>
    ({ position, type: "add_tag", name: null, outcome, detail: "", startedAt: 1, endedAt, attempts: 1 }) as const
  const position = (steps: Run["steps"]) => {
    const [change] = agreed(retry({ ...failed, steps })).changes?.sets ?? []
    return change?.table === "workflowRuns" ? change.values.position : null
  }

  it("continues with the action that failed", () => {
    const decision = agreed(retry({ ...failed, steps: [step(0, "done"), step(1, "failed")] }))
    const values = { status: "running", position: 1, reason: null, endedAt: null }
    expect(decision.changes?.sets).toMatchObject([{ table: "workflowRuns", key: { id: run.id }, values }])
    expect(inserted(decision, "jobs")).toMatchObject([{ id: run.id, lane: "runs", runAt: someTime + 5, attempts: 0 }])
    expect(audit(decision)).toEqual(["workflow_run.retried"])
  })
  it("continues with the next action if the run failed outside of one", () => {
    expect(position([step(0, "done"), step(1, "done")])).toBe(2)
    // That action had `on_error: continue`.
    expect(position([step(0, "failed"), step(1, "done")])).toBe(2)
    expect(position([step(0, "done"), step(1, "failed", someTime - 1)])).toBe(2)
    expect(position([])).toBe(2)
  })
  it("waits for the message for which the run waited when its job failed", () => {
    const pending = { startedAt: someTime, attempts: 1, messageId: "m-1", until: someTime + 60_000 }
    const decision = agreed(retry({ ...failed, steps: [step(0, "done")], position: 1, pending }))
    const values = { status: "waiting", position: 1 }
    expect(decision.changes?.sets).toMatchObject([{ table: "workflowRuns", values }])
    expect(decision.changes?.sets[0]?.values).not.toHaveProperty("pending")
    expect(runResource({ run: { ...failed, pending }, version, job: null }).pending).toBeNull()
  })
  it.each(["running", "waiting", "completed", "skipped", "stopped"] as const)("is refused for a %s run", (status) => {
    expect(refused(retry({ ...failed, status })).code).toBe("invalid_transition")
  })
  it("fails with not_found for an unknown run", () => {
    expect(refused(retryRun(undefined, someTime, makeTestIds())).code).toBe("not_found")
  })
})

describe("the pending action of a run", () => {
  const pending: Pending = { startedAt: someTime, attempts: 1, messageId: null, until: null }
  const shown = (position: number, more: Partial<Pending>, job: RunJob | null = null) =>
    runResource({ run: { ...run, position, pending: { ...pending, ...more } }, version, job }).pending
  const until = new Date(someTime).toISOString()

  it("is shown with type, name and explanation", () => {
    expect(shown(1, { until: someTime })).toEqual({
      ...pending,
      until: someTime,
      error: null,
      position: 1,
      type: "wait",
      name: "a while",
      explanation: `waits until ${until}`
    })
    expect(shown(3, { until: someTime, messageId: "m-1" })?.explanation).toBe(
      `waits until ${until} for the message m-1 to be delivered`
    )
    expect(shown(2, { attempts: 1 })?.explanation).toBe("failed once, and is tried again")
    expect(shown(2, { attempts: 3 })?.explanation).toBe("failed 3 times, and is tried again")
    const job = explainRunJob(aJob({ id: run.id, lane: "calls", runAt: someTime + 60_000 }), someTime)
    expect(shown(2, { attempts: 3, error: "answered 500" }, job)).toMatchObject({
      error: "answered 500",
      explanation: `failed 3 times (the last time: answered 500), and is tried again at ${new Date(someTime + 60_000).toISOString()}`
    })
  })
  it("is null before the action begins and after the last action", () => {
    expect(runResource({ run, version, job: null })).toMatchObject({ version: 4, pending: null })
    expect(shown(4, {})).toBeNull()
  })
})

describe("the job of a run", () => {
  it("that waits for a secret key says so, without a failure", () => {
    const failure = { lane: "calls", count: 0, since: someTime, error: "its URL was sealed with a0" } as const
    expect(
      explainRunJob(aJob({ id: run.id, lane: "calls", runAt: someTime + 60_000, failure }), someTime)
    ).toMatchObject({
      state: "retrying",
      explanation: `It waits: its URL was sealed with a0. The next try is at ${new Date(someTime + 60_000).toISOString()}.`,
      error: failure.error
    })
  })
})

describe("a list of runs", () => {
  it("filtered by status needs a workspace or a contact", () => {
    const all = { workspaceId: null, contactId: null, status: null }
    expect(missingOwner(all)).toEqual({})
    expect(missingOwner({ ...all, status: "failed", contactId: run.contactId })).toEqual({})
    expect(missingOwner({ ...all, status: "failed", workspaceId: run.workspaceId })).toEqual({})
    expect(Object.keys(missingOwner({ ...all, status: "failed" }))).toEqual(["workspace_id"])
    // An unreadable field has its own problem.
    expect(missingOwner({ contactId: null, status: "failed" })).toEqual({})
  })
})
