import type { Mutant } from "./Mutant.js"

/** Faults of commits, jobs and leases. */
export const queueMutants: ReadonlyArray<Mutant> = [
  {
    name: "decider-drops-fenced",
    fault: "A decision is dropped if the lease of its job was lost.",
    promise: "accepted-send-is-recorded",
    file: "core/src/kernel/Decider.ts",
    find: "changes.claims.length + changes.expects.length > 0",
    replacement: "changes.claims.length + changes.expects.length < 0"
  },
  {
    name: "decider-ignores-conflict",
    fault: "A decision whose commit conflicts counts as committed.",
    promise: "accepted-message-exists",
    file: "core/src/kernel/Decider.ts",
    find: `outcome._tag === "Conflict" ? { lost: outcome.lost } : { result }`,
    replacement: `outcome._tag === "Conflict" ? { result } : { result }`
  },
  {
    name: "decider-gives-up-early",
    fault: "A decision fails after its first conflict.",
    promise: "accepted-send-is-recorded",
    file: "core/src/kernel/Decider.ts",
    find: "const maxTries = 8",
    replacement: "const maxTries = 1"
  },
  {
    name: "lease-not-renewed",
    fault: "Leases are not renewed while their jobs run.",
    promise: "handed-over-by-one-process",
    file: "core/src/queue/renewLeases.ts",
    find: "storage.renewLeases(leases, now + leaseMs)",
    replacement: "storage.renewLeases([], now + leaseMs)"
  },
  {
    name: "lease-too-short",
    fault: "A claim leases jobs for 50 ms.",
    promise: "handed-over-once",
    file: "core/src/queue/Worker.ts",
    find: "owner: dispatcher.owner, leaseMs, lanes",
    replacement: "owner: dispatcher.owner, leaseMs: 50, lanes"
  },
  {
    name: "lease-of-acceptance-too-short",
    fault: "A send that its process starts itself is leased for 100 ms.",
    promise: "handed-over-by-one-process",
    file: "core/src/queue/Dispatcher.ts",
    find: "{ owner, until: now() + leaseMs }",
    replacement: "{ owner, until: now() + 100 }"
  },
  {
    name: "lease-ignores-clock-skew",
    fault: "An engine tells the time by its host's clock, however wrong it is.",
    promise: "handed-over-once",
    file: "core/src/queue/DatabaseClock.ts",
    find: "Math.floor(monotonicMs() + offset)",
    replacement: "host.unsafeCurrentTimeMillis()"
  },
  {
    name: "worker-drops-claimed-jobs",
    fault: "Of several claimed jobs, the first one is not started.",
    promise: "webhook-schedule",
    file: "core/src/queue/Worker.ts",
    find: "dispatcher.startClaimed(claimed, found.jobs)",
    replacement: "dispatcher.startClaimed(claimed, found.jobs.slice(found.jobs.length > 1 ? 1 : 0))"
  },
  {
    name: "worker-stops-after-error",
    fault: "A worker whose claim fails never claims again.",
    promise: "jobs-end",
    file: "core/src/queue/Worker.ts",
    find: "Effect.zipRight(Effect.sleep(Duration.millis(pauseMs))),",
    replacement: "Effect.zipRight(Effect.async<void>(() => {})),"
  },
  {
    name: "job-parked-at-first-failure",
    fault: "A job is parked at its first failure, whatever its cause.",
    promise: "job-is-parked-after-20-failures",
    file: "core/src/queue/failJob.ts",
    find: "failure.count >= maxFailures && !isUnavailable(cause)",
    replacement: "failure.count >= 1"
  },
  {
    name: "job-loses-payload-after-failure",
    fault: "A failed job is settled as done.",
    promise: "event-delivered",
    file: "core/src/queue/failJob.ts",
    find: "const again = { ...next, payload: job.payload, failure }",
    replacement: "const again = null"
  },
  {
    name: "started-without-lease",
    fault: "Jobs are started after their commit although it leaves them without a lease.",
    promise: "webhook-attempted-once",
    file: "core/src/queue/DispatcherHooks.ts",
    find: `return row("jobs", reserved)`,
    replacement: `return row("jobs", one.table === "jobs" ? one.row : reserved)`
  },
  {
    name: "first-job-of-a-claim-runs",
    fault: "Of the jobs of a lane that start in one turn, only the first runs.",
    promise: "event-delivered",
    file: "core/src/queue/Dispatcher.ts",
    find: "for (let i = from; i < until; i++) runJob(",
    replacement: "for (let i = from; i < Math.min(until, from + 1); i++) runJob("
  },
  {
    name: "started-never",
    fault: "Jobs are leased by their commit and not started.",
    promise: "wait-ends-in-time",
    file: "core/src/queue/DispatcherHooks.ts",
    find: "starter?.start(jobs)",
    replacement: "starter?.start([])"
  },
  {
    name: "clock-first-query-inexact",
    fault: "The first measurement counts however long its query took.",
    promise: "webhook-headers",
    file: "core/src/queue/DatabaseClock.ts",
    find: "yield* Effect.repeat(query, { until: isExact, times: maxFirstQueries - 1 })",
    replacement: "yield* query"
  },
  {
    name: "clock-always-certain",
    fault: "A host takes leases before it measured the database's clock after a suspension.",
    promise: "handed-over-by-one-process",
    file: "core/src/queue/DatabaseClock.ts",
    find: "const isCertain = () => Math.abs(hostOffset() - measuredHostOffset) <= maxClockSkewMs",
    replacement: "const isCertain = () => measuredHostOffset === measuredHostOffset"
  },
  {
    name: "claim-comes-late",
    fault: "A claim finds jobs 2 s after they are due.",
    promise: "wait-ends-in-time",
    file: "sql/src/JobQueue.ts",
    find: "const due = yield* dueOf(lanes, now)",
    replacement: "const due = yield* dueOf(lanes, now - 2_000)",
    database: "sqlite"
  },
  {
    name: "expect-not-checked",
    fault: "The database checks only that the rows that a commit expects exist.",
    promise: "message-is-consistent",
    file: "sql/src/settleBatch.ts",
    find: "values === undefined || !matches(table, values, expected.where as Row)",
    replacement: "values === undefined",
    database: "sqlite"
  }
]
