import { expect, layer } from "@effect/vitest"
import { changes, expect as expects, type Job, neverDue, type Parts, remove, row } from "@parley/core"
import { aJob, aMessage, anEvent, aRun, aWorkflowVersion } from "@parley/testkit/rows"
import { Effect } from "effect"
import { administer, administerInVain, Hosts, hosts, newCaller } from "../hosts.js"

const unknownId = "01900000-0000-7000-8000-00000000dead"
const idOf = (number: number) => `0190a1b2-0000-7000-8000-${String(number).padStart(12, "0")}`
const since = Date.parse("2026-05-04T08:30:00.000Z")
const failure = { lane: "fetches", count: 20, since, error: "TypeError: broken" } as const

/** Stores jobs of a new workspace. */
const queued = (jobs: ReadonlyArray<Partial<Job> & { readonly id: string }>) =>
  Effect.gen(function* () {
    const { storage } = yield* Hosts
    const { workspaceId } = yield* newCaller()
    const rows = jobs.map((job) => row("jobs", aJob({ ...job, workspaceId })))
    yield* storage.commit(changes(workspaceId, { inserts: rows }))
    return workspaceId
  })

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the jobs of the admin API on ${name}`, (it) => {
    it.effect("are listed by workspace and lane, newest first, without their payload", () =>
      Effect.gen(function* () {
        const workspaceId = yield* queued([
          { id: idOf(1), lane: "parked", runAt: neverDue, failure, payload: { task: "fetch_file", handle: "x" } },
          { id: idOf(2), lane: "sends", runAt: neverDue - 1 },
          { id: idOf(3), lane: "parked", runAt: neverDue, failure }
        ])
        const list = (more: string) => administer(200, "GET", `/jobs?workspace_id=${workspaceId}${more}`)
        const ids = (jobs: ReadonlyArray<{ readonly id: string }>) => jobs.map(({ id }) => id)
        expect(ids(yield* list(""))).toEqual([idOf(3), idOf(2), idOf(1)])
        expect(ids(yield* list("&lane=parked"))).toEqual([idOf(1), idOf(3)])
        const shown = {
          id: idOf(1),
          workspace_id: workspaceId,
          lane: "parked",
          state: "parked",
          task: "fetch_file",
          subject_id: expect.any(String),
          reference_id: idOf(1),
          next_run_at: null,
          lease_owner: null,
          attempts: 0,
          failure: { ...failure, since: "2026-05-04T08:30:00.000Z" },
          created_at: expect.any(String)
        }
        expect((yield* list("&lane=parked"))[0]).toEqual(shown)
        expect(yield* administer(200, "GET", `/jobs/${idOf(1)}`)).toEqual(shown)
        const [status, code, details] = yield* administerInVain("GET", "/jobs?lane=stuck")
        expect([status, code, Object.keys(details ?? {})]).toEqual([422, "validation_failed", ["lane"]])
      })
    )

    it.effect("are listed by due time within a lane, in pages", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const due = [7, 3, 5, 3, 9]
        const jobs = due.map((runAt, n) => ({ id: idOf(41 + n), lane: "receipts", runAt }) as const)
        const workspaceId = yield* queued([...jobs, { id: idOf(50), lane: "calls", runAt: 1 }])
        const inOrder = [idOf(42), idOf(44), idOf(43), idOf(41), idOf(45)]
        const read: Array<string> = []
        for (
          let path: string | null = `/admin/v1/jobs?lane=receipts&workspace_id=${workspaceId}&limit=2`;
          path !== null;
        ) {
          const { json } = yield* one("GET", path, { token: "admin-token" })
          const { data, links } = json as {
            readonly data: ReadonlyArray<{ readonly id: string }>
            readonly links: { readonly next: string | null }
          }
          read.push(...data.map(({ id }) => id))
          path = links.next === null ? null : links.next.slice(links.next.indexOf("/admin"))
        }
        expect(read).toEqual(inOrder)
      })
    )

    it.effect("explain what their workflow runs wait for", () =>
      Effect.gen(function* () {
        const { storage } = yield* Hosts
        const parked = { ...failure, lane: "runs" } as const
        const failing = { lane: "runs", count: 3, since, error: "TypeError: broken" } as const
        const workspaceId = yield* queued([
          { id: idOf(61), lane: "parked", runAt: neverDue, failure: parked },
          { id: idOf(62), lane: "runs", runAt: neverDue - 1, failure: failing }
        ])
        const version = aWorkflowVersion({ id: idOf(60), workspaceId })
        const runs = [61, 62, 63].map((n) =>
          aRun({ id: idOf(n), workspaceId, versionId: version.id, status: "running" })
        )
        yield* storage.commit(
          changes(workspaceId, {
            inserts: [row("workflowVersions", version), ...runs.map((run) => row("workflowRuns", run))]
          })
        )
        const jobOf = (n: number) => Effect.map(administer(200, "GET", `/workflow-runs/${idOf(n)}`), ({ job }) => job)
        expect(yield* jobOf(61)).toEqual({
          id: idOf(61),
          state: "parked",
          explanation: "Its job failed 20 times and is parked: TypeError: broken.",
          next_at: null,
          lease_owner: null,
          error: "TypeError: broken"
        })
        expect(yield* jobOf(62)).toMatchObject({
          state: "retrying",
          explanation: expect.stringMatching(
            /^Its job failed 3 times, the last time with: TypeError: broken\. The next/
          ),
          error: "TypeError: broken"
        })
        expect(yield* jobOf(63)).toBeNull()
      })
    )

    it.effect("are retried in their lane once they are parked, with an audit entry", () =>
      Effect.gen(function* () {
        const { storage } = yield* Hosts
        const workspaceId = yield* queued([{ id: idOf(11), lane: "parked", runAt: neverDue, failure }])
        const retried = yield* administer(200, "POST", `/jobs/${idOf(11)}/retry`)
        expect(retried).toMatchObject({ lane: "fetches", state: "due", failure: null })
        const [again, code] = yield* administerInVain("POST", `/jobs/${idOf(11)}/retry`)
        expect([again, code]).toEqual([409, "invalid_transition"])
        const request = { lane: "fetches" as const, limit: 9, perSubject: 9, except: [] }
        const { jobs } = yield* storage.claimJobs({ now: Date.now() + 1, owner: "me", leaseMs: 9, lanes: [request] })
        expect(jobs.map(({ failure, id }) => [id, failure])).toEqual([[idOf(11), null]])
        const [entry] = yield* administer(200, "GET", `/audit-log?workspace_id=${workspaceId}`)
        expect([entry.action, entry.subject_id]).toEqual(["job.retried", idOf(11)])
      })
    )

    it.effect("explain where their messages are", () =>
      Effect.gen(function* () {
        const { storage } = yield* Hosts
        const parked = {
          id: idOf(31),
          lane: "parked",
          runAt: neverDue,
          failure: { ...failure, lane: "sends" }
        } as const
        const workspaceId = yield* queued([parked])
        const message = aMessage({ id: idOf(31), workspaceId, direction: "outbound", status: "queued" })
        yield* storage.commit(changes(workspaceId, { inserts: [row("messages", message)] }))
        expect(yield* administer(200, "GET", `/messages/${idOf(31)}/sending`)).toEqual({
          state: "parked",
          explanation: "Its job failed 20 times and is parked: TypeError: broken.",
          next_at: null,
          connection_id: message.connectionId,
          job_id: idOf(31),
          lease_owner: null
        })
        expect(yield* administerInVain("GET", `/messages/${unknownId}/sending`)).toEqual([404, "not_found", {}])
      })
    )

    it.effect("leave the vendor's JSON of messages to read as long as their events", () =>
      Effect.gen(function* () {
        const { storage } = yield* Hosts
        const [id, eventId] = [idOf(32), idOf(33)]
        const workspaceId = yield* queued([])
        const commit = (parts: Parts) => storage.commit(changes(workspaceId, parts))
        const event = anEvent({ id: eventId, workspaceId, subjectId: id, type: "message.received", raw: '{"a":1}' })
        yield* commit({ inserts: [row("messages", aMessage({ id, workspaceId })), row("events", event)] })
        expect(yield* administer(200, "GET", `/messages/${id}/raw`)).toEqual({ raw: '{"a":1}' })
        yield* commit({ expects: [expects("events", { id: eventId })], deletes: [remove("events", { id: eventId })] })
        expect(yield* administer(200, "GET", `/messages/${id}/raw`)).toEqual({ raw: null })
        expect(yield* administerInVain("GET", `/messages/${unknownId}/raw`)).toEqual([404, "not_found", {}])
      })
    )

    it.effect("are dropped once they are parked, but not housekeeping", () =>
      Effect.gen(function* () {
        const housekeeping = { ...failure, lane: "housekeeping" } as const
        yield* queued([
          { id: idOf(21), lane: "parked", runAt: neverDue, failure },
          { id: idOf(22), lane: "parked", runAt: neverDue, failure: housekeeping }
        ])
        const dropped = yield* administer(200, "POST", `/jobs/${idOf(21)}/drop`)
        expect(Date.parse(dropped.next_run_at)).toBeLessThanOrEqual(Date.now())
        const [status, code] = yield* administerInVain("POST", `/jobs/${idOf(22)}/drop`)
        expect([status, code]).toEqual([409, "invalid_transition"])
        expect(yield* administerInVain("POST", `/jobs/${unknownId}/drop`)).toEqual([404, "not_found", {}])
      })
    )
  })
}
