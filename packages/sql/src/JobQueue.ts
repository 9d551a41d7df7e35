import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { BegunAttempt, Job, Lease, ReadError, Storage } from "@parley/core"
import { Effect, type Scope } from "effect"
import { attemptOfClaim } from "./attemptOfClaim.js"
import * as Coalescer from "./Coalescer.js"
import type { Dialect } from "./Dialect.js"
import { runStatement } from "./runStatement.js"
import { runInSequence, runTogether } from "./runTogether.js"
import { type Column, tableOf } from "./Tables.js"

const leased: ReadonlyArray<Column> = [
  { name: "jobId", sql: "id", kind: "uuid" },
  { name: "leasedEpoch", sql: "epoch", kind: "integer" }
]
const begun: ReadonlyArray<Column> = [
  ...leased,
  { name: "owner", sql: "owner", kind: "text" },
  { name: "attempt", sql: "attempt", kind: "integer" }
]
const lane: ReadonlyArray<Column> = [
  { name: "lane", sql: "lane", kind: "text" },
  { name: "dueFrom", sql: "due_from", kind: "integer" },
  { name: "dueUntil", sql: "due_until", kind: "integer" }
]

/** The leases as rows, in the order in which commits lock jobs, to avoid deadlocks. */
const asRows = (leases: ReadonlyArray<Lease>) =>
  JSON.stringify(
    [...leases]
      .sort((one, other) => (one.jobId < other.jobId ? -1 : 1))
      .map(({ epoch, ...lease }) => ({ ...lease, leasedEpoch: epoch }))
  )

const isIn = (kept: ReadonlyArray<any>) => {
  const epochs = new Map<unknown, unknown>(kept.map(({ epoch, jobId }) => [jobId, epoch]))
  return ({ epoch, jobId }: Lease): boolean => epochs.get(jobId) === epoch
}

const oldestFirst = (jobs: ReadonlyArray<Job>) =>
  [...jobs].sort((one, other) => one.runAt - other.runAt || (one.id < other.id ? -1 : 1))

type Claimed = Effect.Effect.Success<ReturnType<Dialect["claimJobs"]>>

/**
 * The operations of the job queue. Each is one statement; a claim has another one for the next due time, in the same
 * round trip where the driver pipelines. Attempts that begin at the same time share a statement.
 */
export const make = (
  sql: SqlClient,
  dialect: Dialect
): Effect.Effect<
  Pick<Storage, "claimJobs" | "beginAttempt" | "renewLeases" | "releaseLeases" | "postponeJobs">,
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const jobs = tableOf("jobs")
    const p = dialect.parameter
    const nextDue = `SELECT min((SELECT min(t.due_at) FROM jobs AS t WHERE t.lane = v."lane" AND t.due_at >= v."dueFrom" AND t.due_at <= v."dueUntil")) AS "nextDueAt" FROM ${dialect.rows(1, lane, 0)}`
    const isLeased = `t.id = v."jobId" AND t.epoch = v."leasedEpoch"`
    const change = (assigned: string, rowsAt: number) =>
      dialect.update(dialect.rows(rowsAt, leased, 0), "jobs", isLeased, assigned)
    const renew = `${change(`lease_until = ${p(1)}`, 2)} RETURNING id AS "jobId", epoch`
    const isOwned = `${isLeased} AND t.lease_owner = v."owner"`
    const begin = `${dialect.update(dialect.rows(1, begun, 0), "jobs", isOwned, 'attempts = v."attempt"')} RETURNING id AS "jobId", epoch`
    const release = change(
      `lease_until = 0, lease_owner = NULL, epoch = t.epoch + 1, attempts = t.attempts - ${attemptOfClaim("t.lane")}`,
      1
    )
    const run = (text: string, parameters: ReadonlyArray<unknown>) =>
      runStatement(sql, dialect, (connection) => connection.execute(text, parameters, undefined))
    const beginAll = (batch: ReadonlyArray<BegunAttempt>) =>
      Effect.map(run(begin, [asRows(batch)]), (kept) => {
        const isKept = isIn(kept)
        return batch.map((lease) => Effect.succeed(isKept(lease)))
      })

    const { submit } = yield* Coalescer.make<BegunAttempt, boolean, ReadError>({
      run: beginAll,
      concurrency: 1,
      maxBatch: 500,
      maxWeight: 500,
      weigh: () => 1,
      capacity: 20_000,
      partition: () => ""
    })
    return {
      beginAttempt: submit,
      claimJobs: ({ lanes, leaseMs, nextDueUntil = Number.MAX_SAFE_INTEGER, now, owner }) =>
        Effect.gen(function* () {
          if (lanes.length === 0) return { jobs: [], nextDueAt: null }
          const request = { now, owner, leaseUntil: now + leaseMs, lanes }
          // Due jobs of excluded subjects wait for free capacity, those of subjects that are not asked for for another
          // process.
          const from = lanes.map(({ dueFrom = 0, except, lane, only }) => ({
            lane,
            dueFrom: except.length === 0 && only === undefined ? dueFrom : now + 1,
            dueUntil: nextDueUntil
          }))
          let nextDueAt: number | null = null
          const lookAhead = (connection: Connection) =>
            Effect.map(connection.execute(nextDue, [JSON.stringify(from)], undefined), ([next]) => {
              nextDueAt = (next as { readonly nextDueAt: number | null } | undefined)?.nextDueAt ?? null
            })
          let claim: Claimed = { rows: [] }
          yield* runStatement(sql, dialect, (connection) => {
            const claiming = Effect.map(dialect.claimJobs(connection, request), (claimed) => {
              claim = claimed
            })
            const steps = nextDueUntil === null ? [claiming] : [claiming, lookAhead(connection)]
            // The database executes them in this order.
            return dialect.pipelines ? runTogether(steps) : runInSequence(steps)
          })
          const { rows, ...cleared } = claim
          dialect.decode(jobs, rows)
          const claimed = oldestFirst(rows as ReadonlyArray<Job>)
          const isFull = lanes.some(({ lane, limit }) => claimed.filter((job) => job.lane === lane).length >= limit)
          return { ...cleared, jobs: claimed, nextDueAt: isFull ? null : nextDueAt }
        }),
      renewLeases: (leases, until) =>
        leases.length === 0
          ? Effect.succeed([])
          : Effect.map(run(renew, [until, asRows(leases)]), (kept) => {
              const isKept = isIn(kept)
              return leases.filter((lease) => !isKept(lease))
            }),
      releaseLeases: (leases) => (leases.length === 0 ? Effect.void : Effect.asVoid(run(release, [asRows(leases)]))),
      postponeJobs: (postponed) =>
        Effect.asVoid(runStatement(sql, dialect, (connection) => dialect.postponeJobs(connection, postponed)))
    }
  })
