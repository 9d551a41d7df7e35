import { aJob, makeTestIds } from "@parley/testkit/rows"
import { Cause } from "effect"
import { describe, expect, it } from "vitest"
import { day, hour, minute, second } from "../../src/model/Instant.js"
import { type Job, neverDue } from "../../src/model/Job.js"
import { BlobsUnavailable } from "../../src/ports/Blobs.js"
import { ChangesRejected, CommitUncertain, StorageBusy, StorageUnavailable } from "../../src/ports/Storage.js"
import { failJob, failureText } from "../../src/queue/failJob.js"

const now = 100 * hour
const job = aJob({ id: "01900000-0000-7000-8000-000000000001", lane: "runs", payload: { task: "x" }, epoch: 7 })
const failing = (count: number, more: Partial<Job> = {}): Job => ({
  ...job,
  ...more,
  failure: { lane: more.lane ?? "runs", count, since: now - hour, error: "before" }
})
const broken = Cause.die(new TypeError("x is not a function"))
const fail = (job: Job, cause: Cause.Cause<unknown> = broken, jitter = 0) =>
  failJob({ job, cause, jitter }, now, makeTestIds())

describe("a failed job", () => {
  it("waits for its next try in its lane, with the error", () => {
    const { inserts, settle } = fail(job)
    expect(settle).toEqual({
      jobId: job.id,
      epoch: 7,
      again: {
        lane: "runs",
        runAt: now + second,
        payload: { task: "x" },
        failure: { lane: "runs", count: 1, since: now, error: "TypeError: x is not a function" }
      }
    })
    expect(inserts).toEqual([])
  })
  it("that waited for a key before fails for the first time", () => {
    expect(fail(failing(0)).settle?.again?.failure).toMatchObject({ count: 1, since: now })
  })
  it("waits twice as long after each failure, up to fifteen minutes, and up to half of it less", () => {
    const pauses = [1, 2, 3].map((count) => (fail(failing(count)).settle?.again?.runAt ?? 0) - now)
    expect(pauses).toEqual([2 * second, 4 * second, 8 * second])
    const late = (jitter: number) => fail(failing(15), broken, jitter).settle?.again?.runAt
    expect(late(0)).toBe(now + 15 * minute)
    expect(late(1)).toBe(now + 7.5 * minute)
  })
  it("is parked at the twentieth failure, for an administrator, with a notification", () => {
    expect(fail(failing(18)).settle?.again?.lane).toBe("runs")
    const { inserts, settle } = fail(failing(19))
    const failure = { lane: "runs", count: 20, since: now - hour, error: "TypeError: x is not a function" }
    expect(settle?.again).toEqual({ lane: "parked", runAt: neverDue, payload: { task: "x" }, failure })
    expect(inserts.map(({ table }) => table)).toEqual(["notifications", "jobs"])
    expect(inserts[0]?.row).toMatchObject({ kind: "job.parked", subjectId: job.id })
    expect(inserts[0]?.row).toHaveProperty("message", expect.stringContaining(`parley job retry ${job.id}`))
  })
  it("of a message is parked until a day after its first failure", () => {
    for (const lane of ["sends", "downloads"] as const) {
      expect(fail(failing(19, { lane })).settle?.again).toMatchObject({
        lane: "parked",
        runAt: now - hour + day,
        failure: { lane }
      })
    }
  })
  it("that is parked already is given up again soon, remembers its lane and notifies no more", () => {
    for (const lane of ["runs", "sends"] as const) {
      const { failure, ...others } = failing(40)
      const parked: Job = { ...others, failure: failure && { ...failure, lane }, lane: "parked" }
      for (const error of [new Error("broken"), new StorageBusy({ reason: "locked" })]) {
        const { inserts, settle } = fail(parked, Cause.fail(error))
        expect(settle?.again).toMatchObject({ lane: "parked", runAt: now + 15 * minute, failure: { lane, count: 41 } })
        expect(inserts).toEqual([])
      }
    }
  })
  it("is not parked while the storage or the files are unavailable", () => {
    for (const error of [
      new StorageUnavailable({ cause: "cut off" }),
      new StorageBusy({ reason: "locked" }),
      new CommitUncertain({ cause: "cut off" }),
      new BlobsUnavailable({ reason: "full" })
    ]) {
      expect(fail(failing(80), Cause.fail(error)).settle?.again).toMatchObject({
        lane: "runs",
        runAt: now + 15 * minute,
        failure: { count: 81 }
      })
    }
    const conflicts = new StorageBusy({ reason: "8 conflicts", conflicts: 8 })
    for (const error of [new ChangesRejected({ cause: "x" }), conflicts, null, undefined, "text"]) {
      expect(fail(failing(80), Cause.fail(error)).settle?.again?.lane).toBe("parked")
    }
  })
})

describe("the text of a failure", () => {
  it("is one line of at most 500 characters that every database accepts", () => {
    expect(failureText(Cause.die(new Error("a\u0000b\nc\ud800d")))).toBe("Error: ab cd")
    expect(failureText(Cause.die("x".repeat(900)))).toBe("x".repeat(500))
  })
})
