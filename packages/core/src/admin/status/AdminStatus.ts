import { Clock, Context, Effect, Layer } from "effect"
import type { Application } from "../../access/Application.js"
import type { Workspace } from "../../access/Workspace.js"
import type { Connection } from "../../channels/Connection.js"
import type { Instant } from "../../Instant.js"
import type { Notification } from "../../notifications/Notification.js"
import { type QueueDepth, type ReadError, Storage } from "../../ports/Storage.js"
import type { Delivery } from "../../webhooks/Delivery.js"
import { type Endpoint, failuresThatDisable } from "../../webhooks/Endpoint.js"
import { leaseMs } from "../../worker/Dispatcher.js"

/** How the service is, and what may want somebody's attention. */
export interface Status {
  /** By this host's clock. */
  readonly time: Instant
  /** How far the storage's clock is off this host's at least, in ms. */
  readonly clockSkewMs: number
  readonly lanes: ReadonlyArray<QueueDepth>
  /** What became of the newest {@link lookedAt} deliveries. */
  readonly recentDeliveries: { readonly [S in Delivery["status"]]: number }
  /** The newest {@link shown} that are sent nothing: 25 failures or an administrator disabled them. */
  readonly disabledEndpoints: ReadonlyArray<Endpoint>
  /** The newest {@link shown} that are not active: their calls are refused. */
  readonly inactiveWorkspaces: ReadonlyArray<Workspace>
  readonly suspendedApplications: ReadonlyArray<Application>
  /** The newest {@link shown} that are paused or disconnected. */
  readonly inactiveConnections: ReadonlyArray<Connection>
  /** What administrators were told last. */
  readonly notifications: ReadonlyArray<Notification>
}

/** How many deliveries are counted: all of them would take the longer, the longer the service runs. */
const lookedAt = 1_000

/** How many of each kind are shown. */
const shown = 100

const notificationsShown = 5

/** Administration of the service as a whole (`GET /status`). */
export interface AdminStatus {
  readonly now: Effect.Effect<Status, ReadError>
}
export const AdminStatus = Context.GenericTag<AdminStatus>("@parley/core/AdminStatus")

const make = Effect.map(Storage, (storage) => {
  const skew = Effect.gen(function* () {
    const asked = yield* Clock.currentTimeMillis
    const { clock } = yield* storage.check
    const answered = yield* Clock.currentTimeMillis
    // The storage looked at its clock somewhere between the question and the answer.
    return Math.max(asked - clock, clock - answered, 0)
  })
  const newest = { after: null, limit: shown }
  return AdminStatus.of({
    now: Effect.gen(function* () {
      const time = yield* Clock.currentTimeMillis
      const { byFailures, deliveries, switchedOff, ...found } = yield* Effect.all(
        {
          clockSkewMs: skew,
          lanes: storage.queueDepths(time, leaseMs),
          deliveries: storage.list({ from: "deliveries", where: {}, after: null, limit: lookedAt }),
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
          notifications: storage.list({ from: "notifications", where: {}, after: null, limit: notificationsShown })
        },
        { concurrency: "unbounded" }
      )
      const count = (status: Delivery["status"]) => deliveries.filter((delivery) => delivery.status === status).length
      return {
        time,
        ...found,
        recentDeliveries: { delivered: count("delivered"), pending: count("pending"), failed: count("failed") },
        disabledEndpoints: [...switchedOff, ...byFailures]
          .sort((one, other) => (one.id < other.id ? 1 : -1))
          .slice(0, shown)
      }
    })
  })
})

export const layer: Layer.Layer<AdminStatus, never, Storage> = Layer.effect(AdminStatus, make)
