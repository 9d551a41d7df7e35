import {
  type ApplicationWork,
  dueAtOf,
  failuresThatDisable,
  type Instant,
  type Job,
  type Lane,
  lanes,
  maxCounted,
  maxScanned,
  type QueueDepth,
  type Work
} from "@parley/core"
import { firstDueFrom } from "./dueOrder.js"
import type { MemoryDatabase } from "./MemoryDatabase.js"

/** Counts the jobs of every lane. */
export const queueDepths = (database: MemoryDatabase, now: Instant, leaseMs: number): ReadonlyArray<QueueDepth> =>
  lanes.map((lane) => {
    const jobs = database.table("jobs").lane(lane)
    const due = firstDueFrom(jobs, now + 1)
    const later = Math.min(maxCounted, jobs.length - due)
    let leased = 0
    for (let i = due; i < jobs.length && leased < maxCounted; i++) {
      const job = jobs[i] as Job
      if (dueAtOf(job) > now + leaseMs) break
      if (job.leaseUntil > now) leased++
    }
    const [first] = jobs
    return {
      lane,
      due: Math.min(maxCounted, due),
      leased,
      waiting: later - leased,
      oldestDueAt: first === undefined || due === 0 ? null : dueAtOf(first)
    }
  })

const counts = ["queued", "sending", "deliveries", "parked", "failed", "disabledEndpoints"] as const
type Count = (typeof counts)[number]
type Counted = { -readonly [N in keyof ApplicationWork]: ApplicationWork[N] }

const emptyWork = (applicationId: string | null): Counted => ({
  applicationId,
  queued: 0,
  sending: 0,
  deliveries: 0,
  parked: 0,
  failed: 0,
  disabledEndpoints: 0,
  oldestQueuedAt: null
})

/** Counts the work of each application. */
export const workByApplication = (
  database: MemoryDatabase,
  now: Instant,
  top: number
): {
  readonly applications: ReadonlyArray<ApplicationWork>
  readonly rest: (Work & { readonly applications: number }) | null
} => {
  const byApplication = new Map<string | null, Counted>()
  const count = (applicationId: string | null, name: Count): Counted => {
    let work = byApplication.get(applicationId)
    if (work === undefined) {
      work = emptyWork(applicationId)
      byApplication.set(applicationId, work)
    }
    work[name]++
    return work
  }
  const head = (lane: Lane) => database.table("jobs").lane(lane).slice(0, maxScanned)
  const applicationOf = (table: "messages" | "workflowRuns", id: string) =>
    database.table(table).get(id)?.applicationId as string | null | undefined
  // Subscriptions of a workspace and their deliveries have its id, and are of no application.
  const ownerOf = (applicationId: unknown, workspaceId: unknown) =>
    applicationId === workspaceId ? null : ((applicationId ?? null) as string | null)
  const ofPayload = ({ payload, workspaceId }: Job) => ownerOf(payload?.applicationId, workspaceId)

  for (const job of [...head("sends"), ...head("downloads")]) {
    const sending = job.lane === "sends" && job.leaseUntil > now
    const work = count(applicationOf("messages", job.id) ?? null, sending ? "sending" : "queued")
    work.oldestQueuedAt = Math.min(work.oldestQueuedAt ?? job.createdAt, job.createdAt)
  }
  for (const lane of ["deliveries", "retries", "subscriptions"] as const) {
    // The jobs of subscriptions that have a task are no deliveries.
    for (const job of head(lane)) if (job.payload?.task === undefined) count(ofPayload(job), "deliveries")
  }
  for (const job of head("parked")) {
    count(
      ofPayload(job) ?? applicationOf("messages", job.id) ?? applicationOf("workflowRuns", job.id) ?? null,
      "parked"
    )
  }
  const newest = [...database.table("messages").all()].sort((one, other) => (`${one.id}` < `${other.id}` ? 1 : -1))
  for (const message of newest.slice(0, maxScanned)) {
    if (message.status === "failed") count(message.applicationId as string | null, "failed")
  }
  const endpoints = [...database.table("endpoints").all()].filter(
    ({ consecutiveFailures, status }) =>
      status === "disabled" || (status === "active" && (consecutiveFailures as number) >= failuresThatDisable)
  )
  for (const { applicationId, workspaceId } of endpoints.slice(0, maxScanned)) {
    count(ownerOf(applicationId, workspaceId), "disabledEndpoints")
  }

  const ranked = [...byApplication.values()].sort(byWork)
  const others = ranked.slice(top)
  return { applications: ranked.slice(0, top), rest: others.length === 0 ? null : sumOf(others) }
}

const waiting = ({ deliveries, parked, queued, sending }: Work) => queued + sending + deliveries + parked

const byWork = (one: ApplicationWork, other: ApplicationWork): number =>
  waiting(other) - waiting(one) ||
  other.failed - one.failed ||
  other.disabledEndpoints - one.disabledEndpoints ||
  ((one.applicationId ?? "~") < (other.applicationId ?? "~") ? -1 : 1)

const sumOf = (works: ReadonlyArray<ApplicationWork>): Work & { readonly applications: number } => {
  const { applicationId: _, ...sum } = emptyWork(null)
  for (const work of works) {
    for (const name of counts) sum[name] += work[name]
    if (work.oldestQueuedAt !== null) {
      sum.oldestQueuedAt = Math.min(sum.oldestQueuedAt ?? work.oldestQueuedAt, work.oldestQueuedAt)
    }
  }
  return { ...sum, applications: works.length }
}
