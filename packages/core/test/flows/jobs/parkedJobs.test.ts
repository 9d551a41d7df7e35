import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aJob, aMessage, makeTestIds } from "@parley/testkit/rows"
import { Effect, Layer } from "effect"
import * as Engine from "../../../src/Engine.js"
import { dropJob } from "../../../src/flows/jobs/releaseJob.js"
import { neverDue } from "../../../src/model/Job.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { readById, Storage } from "../../../src/ports/Storage.js"
import { engine, eventually, newTenant } from "../../harness.js"
import { agreed } from "../../outcomes.js"

const timeout = { timeout: 120_000 }

for (const [name, storage] of databases) {
  layer(Engine.worker.pipe(Layer.provideMerge(engine(storage))), { excludeTestServices: true })(
    `a worker on ${name}`,
    (it) => {
      it.effect(
        "parks a job that failed too often, with a notification",
        () =>
          Effect.gen(function* () {
            const workspaceId = (yield* newTenant).caller.workspace.id
            const storage = yield* Storage
            const failure = { lane: "housekeeping", count: 19, since: 5, error: "before" } as const
            const id = (yield* Ids).next(Date.now())
            const job = aJob({ id, workspaceId, lane: "housekeeping", payload: { task: "unheard" }, failure })
            yield* storage.commit(changes(workspaceId, { inserts: [row("jobs", job)] }))
            const parked = yield* eventually(readById(storage, "jobs", id), (job) => job?.lane === "parked")
            expect(parked).toMatchObject({
              runAt: neverDue,
              leaseOwner: null,
              failure: { lane: "housekeeping", count: 20, since: 5, error: expect.stringContaining("unheard") }
            })
            const notices = yield* storage.list({
              from: "notifications",
              where: { workspaceId },
              after: null,
              limit: 9
            })
            expect(notices.map(({ kind, subjectId }) => [kind, subjectId])).toEqual([["job.parked", id]])
          }),
        timeout
      )

      it.effect.each(["sends", "downloads", "fetches"] as const)(
        "fails the message of a parked job when its time is over, with an event: %s",
        (lane) =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { id: applicationId, workspaceId } = tenant.caller.application
            const storage = yield* Storage
            const id = (yield* Ids).next(Date.now())
            const failure = { lane, count: 20, since: 5, error: "before" } as const
            const message = aMessage({ id, workspaceId, applicationId, direction: "outbound", status: "queued" })
            const job = aJob({ id, workspaceId, lane: "parked", failure })
            yield* storage.commit(changes(workspaceId, { inserts: [row("messages", message), row("jobs", job)] }))
            const ended = yield* eventually(
              readById(storage, "messages", id),
              (message) => message?.status === "failed"
            )
            expect(ended?.error?.code).toBe("provider_error")
            expect(yield* readById(storage, "jobs", id)).toBeUndefined()
            const events = yield* storage.list({ from: "events", where: { workspaceId }, after: null, limit: 9 })
            expect(events.map(({ type, subjectId }) => [type, subjectId])).toEqual([["message.failed", id]])
          }),
        timeout
      )

      it.effect(
        "fails a message that waits when its job is dropped",
        () =>
          Effect.gen(function* () {
            const { id: applicationId, workspaceId } = (yield* newTenant).caller.application
            const storage = yield* Storage
            const now = Date.now()
            const id = (yield* Ids).next(now)
            const message = aMessage({ id, workspaceId, applicationId, direction: "outbound", status: "queued" })
            const job = aJob({ id, workspaceId, lane: "sends", runAt: now + 60_000, payload: { to: "x" } })
            yield* storage.commit(changes(workspaceId, { inserts: [row("messages", message), row("jobs", job)] }))
            yield* storage.commit(agreed(dropJob(job, now, makeTestIds())).changes ?? changes(workspaceId, {}))
            const ended = yield* eventually(readById(storage, "messages", id), (one) => one?.status === "failed")
            expect(ended?.error?.code).toBe("provider_error")
            expect(yield* readById(storage, "jobs", id)).toBeUndefined()
          }),
        timeout
      )
    }
  )
}
