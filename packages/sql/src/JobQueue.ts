import type { ClaimJobs, Job, ReadError, Storage } from "@parley/core"
import { Effect } from "effect"
import { attemptOfClaim } from "./attemptOfClaim.js"
import type { Database, Step } from "./Database.js"
import type { Claimed, Dialect } from "./Dialect.js"
import { heldOf, isHeld, leaseColumns, leaseRows, returningLeases } from "./leases.js"
import { runIndependent, runStatement } from "./runStatement.js"
import { type Column, tableOf } from "./Tables.js"

const lane: ReadonlyArray<Column> = [
  { name: "lane", sql: "lane", kind: "text" },
  { name: "dueFrom", sql: "due_from", kind: "integer" },
  { name: "dueUntil", sql: "due_until", kind: "integer" }
]

const oldestFirst = (jobs: ReadonlyArray<Job>) =>
  [...jobs].sort((one, other) => one.runAt - other.runAt || (one.id < other.id ? -1 : 1))

/**
 * The operations of the job queue. Each is one statement; a claim has another one for the next due time, in the same
 * round trip where the driver pipelines.
 */
export const make = (
  database: Database,
  dialect: Dialect
): Pick<Storage, "claimJobs" | "renewLeases" | "releaseLeases" | "postponeJobs"> => {
  const jobs = tableOf("jobs")
  const p = dialect.parameter
  const nextDue = `SELECT min((SELECT min(t.due_at) FROM jobs AS t WHERE t.lane = v."lane" AND t.due_at >= v."dueFrom" AND t.due_at <= v."dueUntil")) AS "nextDueAt" FROM ${dialect.rows(1, lane, 0)}`
  const change = (assigned: string, rowsAt: number) =>
    dialect.update(dialect.rows(rowsAt, leaseColumns, 0), "jobs", isHeld, assigned)
  const renew = `${change(`lease_until = ${p(1)}`, 2)} ${returningLeases}`
  const release = change(
    `lease_until = 0, lease_owner = NULL, epoch = t.epoch + 1, attempts = t.attempts - ${attemptOfClaim("t.lane")}`,
    1
  )
  const run = (text: string, parameters: ReadonlyArray<unknown>) =>
    runStatement(database, dialect, { text, parameters })
  const dueOf = (lanes: ClaimJobs["lanes"], now: number): Effect.Effect<ClaimJobs["lanes"], ReadError> => {
    if (dialect.dueLanes === null) return Effect.succeed(lanes)
    const names = lanes.map(({ lane }) => lane)
    return Effect.map(runStatement(database, dialect, dialect.dueLanes(names, now)), (rows) => {
      const due = new Map(
        rows.map(({ lane, subjects }): [string, ReadonlyArray<string> | null] => [lane, JSON.parse(subjects)])
      )
      return lanes.flatMap((request) => {
        const subjects = due.get(request.lane)
        if (subjects === undefined) return []
        if (subjects === null) return [request]
        const [withJobs, excluded] = [new Set(subjects), new Set(request.except)]
        const only = (request.only ?? subjects).filter((one) => withJobs.has(one) && !excluded.has(one))
        return only.length === 0 ? [] : [{ ...request, only }]
      })
    })
  }

  return {
    claimJobs: ({ lanes, leaseMs, nextDueUntil = Number.MAX_SAFE_INTEGER, now, owner }) =>
      Effect.gen(function* () {
        if (lanes.length === 0) return { jobs: [], nextDueAt: null }
        const due = yield* dueOf(lanes, now)
        // Due jobs of excluded subjects wait for capacity here; those outside `only` are another process's, so neither
        // counts as the next due job.
        const from = lanes.map(({ dueFrom = 0, except, lane, only }) => ({
          lane,
          dueFrom: except.length === 0 && only === undefined ? dueFrom : now + 1,
          dueUntil: nextDueUntil
        }))
        let nextDueAt: number | null = null
        let claim: Claimed = { rows: [] }
        const steps: Array<Step> = []
        if (due.length > 0) {
          steps.push({
            statements: [dialect.claimJobs({ now, owner, leaseUntil: now + leaseMs, lanes: due })],
            receive: ([rows = []]) => {
              claim = dialect.claimedOf(rows)
            }
          })
        }
        // The database executes them in this order.
        if (nextDueUntil !== null) {
          steps.push({
            statements: [{ text: nextDue, parameters: [JSON.stringify(from)] }],
            receive: ([rows = []]) => {
              nextDueAt = rows[0]?.nextDueAt ?? null
            }
          })
        }
        yield* runIndependent(database, dialect, steps)
        const { rows, ...cleared } = claim
        dialect.decode(jobs, rows)
        const claimed = oldestFirst(rows as ReadonlyArray<Job>)
        const isFull = lanes.some(({ lane, limit }) => claimed.filter((job) => job.lane === lane).length >= limit)
        return { ...cleared, jobs: claimed, nextDueAt: isFull ? null : nextDueAt }
      }),
    renewLeases: (leases, until) =>
      leases.length === 0
        ? Effect.succeed([])
        : Effect.map(run(renew, [until, leaseRows(leases)]), (returned) => {
            const isStillHeld = heldOf(returned)
            return leases.filter((lease) => !isStillHeld(lease))
          }),
    releaseLeases: (leases) => (leases.length === 0 ? Effect.void : Effect.asVoid(run(release, [leaseRows(leases)]))),
    postponeJobs: (postponed) => Effect.asVoid(runStatement(database, dialect, dialect.postponeJobs(postponed)))
  }
}
