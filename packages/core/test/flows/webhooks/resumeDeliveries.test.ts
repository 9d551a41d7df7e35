import { expect, it } from "@effect/vitest"
import { aDelivery, aJob, anEndpoint, someTime } from "@parley/testkit/rows"
import { Effect, TestClock } from "effect"
import { describe } from "vitest"
import { presenceJob } from "../../../src/flows/webhooks/presenceJob.js"
import { resumeDeliveries } from "../../../src/flows/webhooks/resumeDeliveries.js"
import { type Endpoint, subscriptionUrl } from "../../../src/model/Endpoint.js"
import type { Job } from "../../../src/model/Job.js"
import type { Changes } from "../../../src/ports/Changes.js"
import { CommitOutcome } from "../../../src/ports/Storage.js"
import { scriptedStorage } from "../../scriptedStorage.js"

const endpointId = "01900000-0000-7000-8000-0000000000e1"
const deliveries = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) =>
    aDelivery({ id: `01900000-0000-7000-8000-${`${from + n}`.padStart(12, "0")}`, endpointId, status: "pending" })
  )
/** Resumes an endpoint whose pending deliveries are listed in these pages. */
const resuming = (...pages: ReadonlyArray<ReturnType<typeof deliveries>>) =>
  resumingAt(anEndpoint({ id: endpointId }), [], pages)

const resumingAt = (
  endpoint: Endpoint,
  jobs: ReadonlyArray<Job>,
  pages: ReadonlyArray<ReturnType<typeof deliveries>>,
  payload: Job["payload"] = { task: "resume_endpoint" },
  presence: Job | null = null
) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(someTime)
    const { callsOf, storage } = yield* scriptedStorage({
      list: pages.map((page) => Effect.succeed(page)) as never,
      read: (queries) =>
        Effect.succeed(
          "found" in queries
            ? { found: [endpoint] }
            : "endpoint" in queries
              ? { endpoint: [endpoint], job: presence === null ? [] : [presence] }
              : { jobs }
        ) as never,
      commit: () => Effect.succeed(CommitOutcome.Committed({ bumped: [] }))
    })
    const result = yield* resumeDeliveries(storage, { reference: endpointId, payload })
    return {
      result,
      lists: callsOf("list").map(({ given }) => given[0]),
      written: callsOf("commit").map(({ given }) => given[0] as Changes)
    }
  })
const pending = { from: "deliveries", where: { endpointId, status: "pending" }, limit: 200 }

describe("the resumption of an endpoint", () => {
  it.scoped("ensures a job that is due now for each pending delivery, while the endpoint exists", () =>
    Effect.gen(function* () {
      const waiting = deliveries(2)
      const { lists, written } = yield* resuming(waiting)
      expect(lists).toEqual([{ ...pending, after: null }])
      expect(written).toMatchObject([
        {
          workspaceId: waiting[0]?.workspaceId,
          expects: [{ table: "endpoints", key: { id: endpointId } }],
          ensures: waiting.map(({ id }) => ({ table: "jobs", row: { id, runAt: someTime, subject: endpointId } })),
          inserts: []
        }
      ])
    })
  )
  it.scoped("commits one page of 200 after the other", () =>
    Effect.gen(function* () {
      const { lists, written } = yield* resuming(deliveries(200), deliveries(3, 200))
      expect(lists).toEqual([
        { ...pending, after: null },
        { ...pending, after: deliveries(200)[199]?.id }
      ])
      expect(written.map(({ ensures }) => ensures.length)).toEqual([200, 3])
    })
  )
  it.scoped("moves the unleased jobs of a deleted subscription to a lane that all processes claim", () =>
    Effect.gen(function* () {
      const url = subscriptionUrl("notes")
      const waiting = deliveries(3)
      const jobs = waiting.map(({ id }, n) =>
        aJob({ id, lane: "subscriptions", leaseUntil: n === 0 ? someTime + 1 : 0, epoch: n })
      )
      const { result, written: moved } = yield* resumingAt(
        anEndpoint({ id: endpointId, url, status: "deleted" }),
        jobs,
        [waiting]
      )
      expect(result).toHaveProperty("again")
      expect(moved[0]?.deletes.map(({ key }) => key)).toEqual([{ id: jobs[1]?.id }, { id: jobs[2]?.id }])
      expect(moved[0]?.ensures.map(({ row }) => (row as Job).lane)).toEqual(["deliveries", "deliveries", "deliveries"])
      const kept = (yield* resumingAt(anEndpoint({ id: endpointId, url }), jobs, [waiting])).written
      expect(kept[0]?.deletes).toEqual([])
      expect(kept[0]?.ensures.map(({ row }) => (row as Job).lane)).toEqual(Array(3).fill("subscriptions"))
    })
  )
  it.scoped("moves the parked jobs of a deleted endpoint, and no others", () =>
    Effect.gen(function* () {
      const waiting = deliveries(3)
      const lanes = ["parked", "retries", "deliveries"] as const
      const jobs = waiting.map(({ id }, n) =>
        aJob({ id, lane: lanes[n] ?? "parked", leaseUntil: n === 2 ? someTime + 1 : 0 })
      )
      const deleted = yield* resumingAt(anEndpoint({ id: endpointId, status: "deleted" }), jobs, [waiting])
      expect(deleted.written[0]?.deletes.map(({ key }) => key)).toEqual([{ id: jobs[0]?.id }])
      expect(deleted.result).toBe("done")
    })
  )
  it.scoped("of a deleted subscription runs once more, for deliveries that were decided before the deletion", () =>
    Effect.gen(function* () {
      const endpoint = anEndpoint({ id: endpointId, url: subscriptionUrl("notes"), status: "deleted" })
      const { result } = yield* resumingAt(endpoint, [], [[]])
      const payload = { task: "resume_endpoint", isSecondRun: true }
      expect(result).toEqual({ again: payload })
      expect((yield* resumingAt(endpoint, [], [[]], payload)).result).toBe("done")
      expect((yield* resumingAt({ ...endpoint, status: "active" }, [], [[]])).result).toBe("done")
    })
  )
  it.scoped("of a deleted subscription ends the job of its presence, once no process runs it", () =>
    Effect.gen(function* () {
      const endpoint = anEndpoint({ id: endpointId, url: subscriptionUrl("notes"), status: "deleted" })
      const payload = { task: "resume_endpoint", isSecondRun: true }
      const presence = { ...presenceJob(endpoint, someTime), epoch: 7 }
      const ended = yield* resumingAt(endpoint, [], [[]], payload, presence)
      expect(ended.result).toBe("done")
      expect(ended.written).toMatchObject([
        {
          expects: [
            { table: "endpoints", key: { id: endpointId }, where: { status: "deleted" } },
            { table: "jobs", key: { id: presence.id }, where: { epoch: 7, leaseUntil: 0 } }
          ],
          deletes: [{ table: "jobs", key: { id: presence.id } }]
        }
      ])
      const leased = { ...presence, leaseUntil: someTime + 1 }
      const running = yield* resumingAt(endpoint, [], [[]], payload, leased)
      expect([running.result, running.written]).toEqual([{ again: payload }, []])
      const active = yield* resumingAt({ ...endpoint, status: "active" }, [], [[]], payload, presence)
      expect(active.written).toEqual([])
    })
  )
  it.scoped("commits nothing without pending deliveries", () =>
    Effect.gen(function* () {
      expect((yield* resuming([])).written).toEqual([])
    })
  )
})
