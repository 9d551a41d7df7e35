import { Clock, Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { withOpenUrl } from "../../flows/webhooks/endpointUrl.js"
import { isPresenceJob } from "../../flows/webhooks/presenceJob.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Application } from "../../model/Application.js"
import type { Connection } from "../../model/Connection.js"
import type { Delivery } from "../../model/Delivery.js"
import { type Endpoint, failuresThatDisable } from "../../model/Endpoint.js"
import { type Instant, minute } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Notification } from "../../model/Notification.js"
import type { Workspace } from "../../model/Workspace.js"
import { SecretBox } from "../../ports/SecretBox.js"
import {
  type ApplicationWork,
  lookup,
  type QueueDepth,
  type ReadError,
  readByIds,
  Storage,
  type Work
} from "../../ports/Storage.js"
import { clockSkew } from "../../queue/DatabaseClock.js"
import { leaseMs } from "../../queue/HeldLease.js"
import { type MissingKey, missingKeys } from "../secrets/missingKeys.js"
import type { ApplicationStatusQuery } from "./ApplicationStatusResource.js"

/** State of the service, and what may need attention (docs/reference/administration.md#service-status). */
export interface Status {
  /** By this host's clock. */
  readonly time: Instant
  /** Lower bound of the difference between the database's clock and this host's, in ms. */
  readonly clockSkewMs: number
  readonly lanes: ReadonlyArray<QueueDepth>
  /** The newest {@link scanLimit} deliveries by status. */
  readonly recentDeliveries: { readonly [S in Delivery["status"]]: number }
  /** The newest {@link listLimit} disabled endpoints: by an administrator or by 25 failures. */
  readonly disabledEndpoints: ReadonlyArray<Endpoint>
  /**
   * Subscriptions that no process handles, or whose processes are too busy: a job of theirs, of the first
   * {@link scanLimit}, is due for longer than {@link unhandledAfterMs}. Without events it is `presenceJob`.
   */
  readonly waitingSubscriptions: ReadonlyArray<Endpoint>
  /** The newest {@link listLimit} that are suspended or unavailable. */
  readonly inactiveWorkspaces: ReadonlyArray<Workspace>
  readonly suspendedApplications: ReadonlyArray<Application>
  /** The newest {@link listLimit} that are paused or disconnected. */
  readonly inactiveConnections: ReadonlyArray<Connection>
  /** Keys that this host lacks and that its work may need. */
  readonly missingSecretKeys: ReadonlyArray<MissingKey>
  /** The latest notifications of administrators. */
  readonly notifications: ReadonlyArray<Notification>
}

/** Number of deliveries that are counted, which bounds the cost of the query. */
const scanLimit = 1_000

/** How long a job of a subscription that a process handles is due at most, in ms, unless its process is very busy. */
const unhandledAfterMs = minute

/** Maximum number of resources listed of each kind. */
const listLimit = 100

const notificationsShown = 5

/** The work of one application, by name. */
export interface NamedWork extends ApplicationWork {
  /** Null for work of no application, and of one that no longer exists. */
  readonly name: string | null
}

/** The work of the applications with the most waiting work, and of all others. */
export interface StatusByApplication {
  /** By this host's clock. */
  readonly time: Instant
  readonly applications: ReadonlyArray<NamedWork>
  /** Null if there are no others. */
  readonly rest: (Work & { readonly applications: number }) | null
}

/** Administration of the service as a whole (`GET /status`, `GET /status/applications`). */
export interface AdminStatus {
  readonly now: Effect.Effect<Status, ReadError>
  readonly byApplication: (
    query: PartialDecode<ApplicationStatusQuery>
  ) => Effect.Effect<StatusByApplication, Refusal | ReadError>
}
export const AdminStatus = Context.GenericTag<AdminStatus>("@parley/core/AdminStatus")

export const make = Effect.map(Effect.all([Storage, SecretBox]), ([storage, secretBox]) => {
  const newest = { after: null, limit: listLimit }
  return AdminStatus.of({
    byApplication: (query) =>
      Effect.gen(function* () {
        const { top } = yield* complete(query, {})
        const time = yield* Clock.currentTimeMillis
        const { applications, rest } = yield* storage.workByApplication(time, top)
        const ids = applications.flatMap(({ applicationId }) => applicationId ?? [])
        const found = yield* storage.read(Object.fromEntries(ids.map((id) => [id, lookup("applications", { id })])))
        const named = applications.map((work) => ({
          ...work,
          name: work.applicationId === null ? null : (found[work.applicationId]?.[0]?.name ?? null)
        }))
        return { time, applications: named, rest }
      }),
    now: Effect.gen(function* () {
      const time = yield* Clock.currentTimeMillis
      const { byFailures, deliveries, subscriptionJobs, switchedOff, ...found } = yield* Effect.all(
        {
          clockSkewMs: Effect.provideService(clockSkew, Storage, storage),
          lanes: storage.queueDepths(time, leaseMs),
          deliveries: storage.list({ from: "deliveries", where: {}, after: null, limit: scanLimit }),
          // By due time: jobs have no index by lane and id.
          subscriptionJobs: storage.listJobs({ lane: "subscriptions", workspaceId: null }, null, scanLimit),
          switchedOff: storage.list({ from: "endpoints", where: { status: "disabled" }, ...newest }),
          byFailures: storage.list({
            from: "endpoints",
            where: { status: "active", consecutiveFailures: failuresThatDisable },
            ...newest
          }),
          inactiveWorkspaces: storage.list({
            from: "workspaces",
            where: { status: ["suspended", "unavailable"] },
            ...newest
          }),
          suspendedApplications: storage.list({ from: "applications", where: { status: "suspended" }, ...newest }),
          inactiveConnections: storage.list({
            from: "connections",
            where: { status: ["paused", "disconnected"] },
            ...newest
          }),
          missingSecretKeys: missingKeys(storage, secretBox),
          notifications: storage.list({ from: "notifications", where: {}, after: null, limit: notificationsShown })
        },
        { concurrency: "unbounded" }
      )
      const handling = new Set(subscriptionJobs.flatMap((job) => (job.leaseUntil > time ? [job.subject] : [])))
      // A function that handles events for long leaves no capacity for the job of presence: its process is there.
      const isLate = (job: Job): boolean =>
        Math.max(job.leaseUntil, job.runAt + unhandledAfterMs) <= time &&
        !(isPresenceJob(job) && handling.has(job.subject))
      const waiting = new Set(subscriptionJobs.filter(isLate).map(({ subject }) => subject))
      const { endpoints } = yield* readByIds(storage, { endpoints: [...waiting] })
      const count = (status: Delivery["status"]) => deliveries.filter((delivery) => delivery.status === status).length
      return {
        time,
        ...found,
        recentDeliveries: { delivered: count("delivered"), pending: count("pending"), failed: count("failed") },
        waitingSubscriptions: [...endpoints.values()].filter(({ status }) => status !== "deleted"),
        disabledEndpoints: yield* Effect.forEach(
          [...switchedOff, ...byFailures].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, listLimit),
          (endpoint) => withOpenUrl(secretBox, endpoint)
        )
      }
    })
  })
})
