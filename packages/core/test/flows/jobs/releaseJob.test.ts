import { aJob, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { jobResource } from "../../../src/flows/jobs/JobResource.js"
import { dropJob, retryJob } from "../../../src/flows/jobs/releaseJob.js"
import { type Job, type JobFailure, neverDue } from "../../../src/model/Job.js"
import { agreed, audit, refused } from "../../outcomes.js"

const now = someTime + 5
const failure: JobFailure = { lane: "fetches", count: 20, since: someTime, error: "broken" }
const parked: Job = aJob({ id: "01900000-0000-7000-8000-000000000001", lane: "parked", runAt: neverDue, failure })
const retry = (present: Job | undefined) => retryJob(present, now, makeTestIds())
const drop = (present: Job | undefined) => dropJob(present, now, makeTestIds())

describe("a parked job", () => {
  it("that is retried returns to its lane, due now and without its failures", () => {
    const decision = agreed(retry(parked))
    expect(decision.result).toEqual({ ...parked, lane: "fetches", runAt: now, failure: null })
    expect(decision.changes?.sets).toEqual([
      { table: "jobs", key: { id: parked.id }, values: { lane: "fetches", runAt: now, attempts: 0, failure: null } }
    ])
    expect(decision.changes?.expects).toMatchObject([{ where: { lane: "parked", epoch: 0, leaseUntil: 0 } }])
    expect(audit(decision)).toEqual(["job.retried"])
  })
  it("that is retried does not count the claims that failed, and counts calls outside", () => {
    const attemptsAfter = (lane: JobFailure["lane"]) =>
      agreed(retry({ ...parked, attempts: 23, failure: { ...failure, lane } })).result.attempts
    expect([attemptsAfter("runs"), attemptsAfter("sends")]).toEqual([3, 23])
  })
  it("that ends the session of a bot cannot be dropped", () => {
    const timeOut: Job = { ...parked, failure: { ...failure, lane: "runs" }, payload: { task: "time_out_bot" } }
    expect(refused(drop(timeOut)).code).toBe("invalid_transition")
    expect(agreed(retry(timeOut)).result.lane).toBe("runs")
  })
  it("that is dropped is due in its lane, to be given up", () => {
    const decision = agreed(drop(parked))
    expect(decision.result).toEqual({ ...parked, runAt: now })
    expect(audit(decision)).toEqual(["job.dropped"])
  })
  it("of housekeeping cannot be dropped", () => {
    const housekeeping: Job = { ...parked, failure: { ...failure, lane: "housekeeping" } }
    expect(refused(drop(housekeeping)).code).toBe("invalid_transition")
    expect(agreed(retry(housekeeping)).result.lane).toBe("housekeeping")
  })
})

describe("the job of a message", () => {
  const waiting: Job = aJob({ id: parked.id, lane: "sends", runAt: now + 60_000, payload: { to: "x" } })
  it("that waits and is dropped is due in the lane of parked jobs, to be given up", () => {
    const decision = agreed(drop(waiting))
    const failure = { lane: "sends", count: 1, since: now, error: expect.any(String) }
    expect(decision.result).toEqual({ ...waiting, lane: "parked", runAt: now, failure })
    expect(decision.changes?.expects).toMatchObject([{ where: { lane: "sends", epoch: 0, leaseUntil: 0 } }])
    expect(audit(decision)).toEqual(["job.dropped"])
    expect(refused(retry(waiting)).code).toBe("invalid_transition")
  })
  it.each<[string, Partial<Job>]>([
    ["is being sent", { leaseUntil: now + 1 }],
    ["waits for a receipt", { attempts: 1, payload: { to: "x", settled: 1, tries: 1, held: true } }],
    ["was handed over without a stored outcome", { attempts: 2, payload: { to: "x", settled: 1, tries: 1 } }]
  ])("that %s is not dropped", (_, more) => {
    expect(refused(drop({ ...waiting, ...more })).code).toBe("invalid_transition")
  })
  it("that was tried and failed is dropped", () => {
    const tried = { ...waiting, attempts: 3, payload: { to: "x", settled: 3, tries: 3, failingSince: 5 } }
    expect(agreed(drop(tried)).result.lane).toBe("parked")
  })
})

describe("a job that is not parked", () => {
  it.each([
    ["waits", { ...parked, lane: "fetches" as const }],
    ["is given up at this moment", { ...parked, leaseUntil: now + 1 }]
  ])("because it %s is neither retried nor dropped", (_, job) => {
    expect(refused(retry(job)).code).toBe("invalid_transition")
    expect(refused(drop(job)).code).toBe("invalid_transition")
  })
  it("because it does not exist is not found", () => {
    expect(refused(retry(undefined)).code).toBe("not_found")
    expect(refused(drop(undefined)).code).toBe("not_found")
  })
})

describe("a job on the wire", () => {
  const shown = (more: Partial<Job>) => jobResource({ ...parked, ...more }, now)
  it.each([
    ["parked", {}, null],
    ["parked", { lane: "parked" as const, runAt: now + 9 }, now + 9],
    ["due", { lane: "sends" as const, runAt: now }, now],
    ["waiting", { lane: "sends" as const, runAt: now + 1 }, now + 1],
    ["leased", { lane: "sends" as const, runAt: now, leaseUntil: now + 7, leaseOwner: "host" }, now + 7],
    ["due", { lane: "sends" as const, runAt: now - 9, leaseUntil: now, leaseOwner: "host" }, now]
  ])("is %s", (state, more, nextRunAt) => {
    expect(shown(more)).toMatchObject({ state, nextRunAt, leaseOwner: state === "leased" ? "host" : null })
  })
  it("names its task and not its payload", () => {
    const resource = shown({ payload: { task: "fetch_file", handle: "ada@example.org" } })
    expect(resource.task).toBe("fetch_file")
    expect(JSON.stringify(resource)).not.toContain("ada@")
    expect(shown({ payload: { to: "ada@example.org" } }).task).toBeNull()
  })
})
