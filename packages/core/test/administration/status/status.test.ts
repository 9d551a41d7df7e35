import { expect, layer } from "@effect/vitest"
import { UuidIds } from "@parley/node"
import { databases } from "@parley/testkit/databases"
import {
  aConnection,
  aDelivery,
  aJob,
  aNotification,
  anApplication,
  anEndpoint,
  aWorkspace,
  someTime
} from "@parley/testkit/rows"
import { plainSecretBox } from "@parley/testkit/services"
import { Clock, Context, Effect, Layer } from "effect"
import * as AdminStatus from "../../../src/administration/status/AdminStatus.js"
import { failuresThatDisable } from "../../../src/model/Endpoint.js"
import { lanes as allLanes } from "../../../src/model/Job.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { SecretBox } from "../../../src/ports/SecretBox.js"
import { Storage } from "../../../src/ports/Storage.js"

/** A secret box whose texts begin with the id of their key, and which has the key `had`. */
const keyed = Layer.map(plainSecretBox, (context) =>
  Context.add(context, SecretBox, {
    ...Context.get(context, SecretBox),
    keyIds: ["had"],
    keyIdOf: (sealed) => /^(\w+) /.exec(sealed)?.[1] ?? null
  })
)

const status = Effect.flatMap(AdminStatus.AdminStatus, ({ now }) => now)

for (const [name, storage] of databases) {
  // Each test has its own database, because the status covers the whole database.
  const on = (
    test: Effect.Effect<void, unknown, Storage | Ids | AdminStatus.AdminStatus>,
    secretBox = plainSecretBox
  ) =>
    Effect.provide(
      test,
      Layer.fresh(
        Layer.provideMerge(
          Layer.effect(AdminStatus.AdminStatus, AdminStatus.make),
          Layer.mergeAll(storage, UuidIds.layer, secretBox)
        )
      )
    )

  layer(Layer.empty, { excludeTestServices: true, timeout: 60_000 })(`the status on ${name}`, (it) => {
    it.effect("is empty for an idle service", () =>
      on(
        Effect.gen(function* () {
          const { clockSkewMs, lanes, time, ...quiet } = yield* status
          expect(quiet).toEqual({
            recentDeliveries: { delivered: 0, pending: 0, failed: 0 },
            disabledEndpoints: [],
            waitingSubscriptions: [],
            inactiveWorkspaces: [],
            suspendedApplications: [],
            inactiveConnections: [],
            missingSecretKeys: [],
            notifications: []
          })
          expect(lanes.map(({ lane }) => lane)).toEqual(allLanes)
          for (const { due, leased, oldestDueAt, waiting } of lanes) {
            expect([due, leased, waiting, oldestDueAt]).toEqual([0, 0, 0, null])
          }
          // Both clocks are the machine's, rounded differently.
          expect(clockSkewMs).toBeLessThanOrEqual(1)
          expect(time).toBeLessThanOrEqual(yield* Clock.currentTimeMillis)
        })
      )
    )

    it.effect("names the keys that this host lacks, also where newer values have another", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const ids = yield* Ids
        const id = () => ids.next(someTime)
        const workspaceId = id()
        const endpoint = (secret: string, more = {}) =>
          row("endpoints", anEndpoint({ id: id(), workspaceId, url: "https://a.example", ...more, secret }))
        yield* store.commit(
          changes(workspaceId, {
            inserts: [
              endpoint("gone 1", { url: "gone url" }),
              endpoint("lost 1", { status: "disabled" }),
              endpoint("old 2", { status: "deleted" }),
              row("connections", aConnection({ id: id(), workspaceId, credentials: "gone 3" })),
              endpoint("had 4")
            ]
          })
        )
        const found = yield* status
        expect([...found.missingSecretKeys].sort((one, other) => (one.key < other.key ? -1 : 1))).toEqual([
          { key: "gone", values: 3 },
          { key: "lost", values: 1 }
        ])
      }).pipe((test) => on(test, keyed))
    )

    it.effect("shows what waits for each application by name, and the sum of the others", () =>
      on(
        Effect.gen(function* () {
          const store = yield* Storage
          const ids = yield* Ids
          const { byApplication } = yield* AdminStatus.AdminStatus
          const now = yield* Clock.currentTimeMillis
          const workspaceId = ids.next(now)
          const shop = anApplication({ id: ids.next(now), workspaceId, name: "Shop" })
          const other = anApplication({ id: ids.next(now), workspaceId, name: "Other" })
          const delivery = (applicationId: string) =>
            aJob({ id: ids.next(now), workspaceId, lane: "deliveries", payload: { applicationId, eventId: "e" } })
          const inserts = [
            row("applications", shop),
            row("applications", other),
            ...[delivery(shop.id), delivery(shop.id), delivery(other.id)].map((job) => row("jobs", job))
          ]
          const read = (top: number) => byApplication({ value: { top }, problems: {} })
          expect(yield* read(2)).toMatchObject({ applications: [], rest: null })
          yield* store.commit(changes(workspaceId, { inserts }))
          expect(yield* read(1)).toMatchObject({
            applications: [{ applicationId: shop.id, name: "Shop", deliveries: 2, queued: 0, oldestQueuedAt: null }],
            rest: { applications: 1, deliveries: 1, parked: 0 }
          })
          expect((yield* read(2)).applications.map(({ name }) => name)).toEqual(["Shop", "Other"])
        })
      )
    )

    it.effect("names a subscription whose event waits behind 1,000 newer ones", () =>
      on(
        Effect.gen(function* () {
          const store = yield* Storage
          const ids = yield* Ids
          const now = yield* Clock.currentTimeMillis
          const workspaceId = ids.next(now)
          const endpoint = anEndpoint({ id: ids.next(now), workspaceId })
          const jobs = [now - 61_000, ...Array.from({ length: 1_000 }, () => now)].map((runAt) =>
            aJob({ id: ids.next(now), workspaceId, lane: "subscriptions", subject: endpoint.id, runAt })
          )
          yield* store.commit(
            changes(workspaceId, { inserts: [row("endpoints", endpoint), ...jobs.map((job) => row("jobs", job))] })
          )
          expect((yield* status).waitingSubscriptions).toEqual([endpoint])
        })
      )
    )

    it.effect("names a subscription without events that no process handles, unless it is busy or deleted", () =>
      on(
        Effect.gen(function* () {
          const store = yield* Storage
          const ids = yield* Ids
          const now = yield* Clock.currentTimeMillis
          const workspaceId = ids.next(now)
          const endpointOf = (status: "active" | "deleted") => anEndpoint({ id: ids.next(now), workspaceId, status })
          const [lonely, busy, deleted] = [endpointOf("active"), endpointOf("active"), endpointOf("deleted")]
          const ofLane = { workspaceId, lane: "subscriptions" as const, runAt: now - 61_000 }
          const presence = [lonely, busy, deleted].map(({ id }) =>
            aJob({ ...ofLane, id: ids.next(now), subject: id, payload: { task: "presence" } })
          )
          const handled = aJob({ ...ofLane, id: ids.next(now), subject: busy.id, leaseUntil: now + 15_000 })
          yield* store.commit(
            changes(workspaceId, {
              inserts: [
                ...[lonely, busy, deleted].map((endpoint) => row("endpoints", endpoint)),
                ...[...presence, handled].map((job) => row("jobs", job))
              ]
            })
          )
          expect((yield* status).waitingSubscriptions).toEqual([lonely])
        })
      )
    )

    it.effect("lists waiting jobs, inactive resources and notifications", () =>
      on(
        Effect.gen(function* () {
          const store = yield* Storage
          const ids = yield* Ids
          const now = yield* Clock.currentTimeMillis
          const workspaceId = ids.next(now)
          const id = () => ids.next(now)
          const endpoints = {
            healthy: anEndpoint({ id: id(), workspaceId, consecutiveFailures: failuresThatDisable - 1 }),
            off: anEndpoint({ id: id(), workspaceId, status: "disabled" }),
            deleted: anEndpoint({ id: id(), workspaceId, status: "deleted" }),
            failing: anEndpoint({ id: id(), workspaceId, consecutiveFailures: failuresThatDisable })
          }
          const connections = (["active", "paused", "disconnected"] as const).map((status) =>
            aConnection({ id: id(), workspaceId, status, handle: status })
          )
          const workspaces = (["active", "suspended", "unavailable"] as const).map((status) =>
            aWorkspace({ id: id(), status })
          )
          const applications = (["active", "suspended"] as const).map((status) =>
            anApplication({ id: id(), workspaceId, status })
          )
          const deliveries = (["delivered", "pending", "failed", "failed"] as const).map((status) =>
            aDelivery({ id: id(), workspaceId, endpointId: endpoints.healthy.id, eventId: id(), status })
          )
          const notifications = Array.from({ length: 7 }, (_, n) =>
            aNotification({ id: id(), workspaceId, message: `told ${n}` })
          )
          const jobs = [
            aJob({ id: id(), workspaceId, lane: "retries", runAt: now - 5_000 }),
            aJob({ id: id(), workspaceId, lane: "retries", runAt: now + 3_600_000 }),
            ...(
              [
                [endpoints.healthy, now - 61_000, 0],
                [endpoints.healthy, now - 62_000, 0],
                [endpoints.off, now - 59_000, 0],
                [endpoints.failing, now - 61_000, now + 1_000]
              ] as const
            ).map(([{ id: subject }, runAt, leaseUntil]) =>
              aJob({ id: id(), workspaceId, lane: "subscriptions", subject, runAt, leaseUntil })
            )
          ]
          yield* store.commit(
            changes(workspaceId, {
              inserts: [
                ...Object.values(endpoints).map((endpoint) => row("endpoints", endpoint)),
                ...workspaces.map((workspace) => row("workspaces", workspace)),
                ...applications.map((application) => row("applications", application)),
                ...connections.map((connection) => row("connections", connection)),
                ...deliveries.map((delivery) => row("deliveries", delivery)),
                ...notifications.map((notification) => row("notifications", notification)),
                ...jobs.map((job) => row("jobs", job))
              ]
            })
          )
          const found = yield* status
          expect(found.recentDeliveries).toEqual({ delivered: 1, pending: 1, failed: 2 })
          expect(found.inactiveWorkspaces).toEqual([workspaces[2], workspaces[1]])
          expect(found.suspendedApplications).toEqual([applications[1]])
          expect(found.disabledEndpoints).toEqual([endpoints.failing, endpoints.off])
          expect(found.waitingSubscriptions).toEqual([endpoints.healthy])
          expect(found.inactiveConnections.map(({ status }) => status)).toEqual(["disconnected", "paused"])
          expect(found.notifications.map(({ message }) => message)).toEqual(
            [6, 5, 4, 3, 2].map((number) => `told ${number}`)
          )
          expect(found.lanes.find(({ lane }) => lane === "retries")).toEqual({
            lane: "retries",
            due: 1,
            leased: 0,
            waiting: 1,
            oldestDueAt: now - 5_000
          })
        })
      )
    )
  })
}
