import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Layer, Ref } from "effect"
import { AdminEndpoints } from "../../../src/flows/webhooks/AdminEndpoints.js"
import { decodeEndpointPatch } from "../../../src/flows/webhooks/EndpointInput.js"
import { signature } from "../../../src/flows/webhooks/signature.js"
import * as Housekeeping from "../../../src/housekeeping/Housekeeping.js"
import { failuresThatDisable } from "../../../src/model/Endpoint.js"
import { changes, expect as expectRow, remove } from "../../../src/ports/Changes.js"
import type { OutboundRequest, OutboundResult } from "../../../src/ports/HttpSender.js"
import { type Notice, Notifier } from "../../../src/ports/Notifier.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { answerOk, newTenant, Receiver, received, type Tenant } from "../../harness.js"
import { claim, deliverDue, deliveriesDue, deliveriesOf, desk, endpointOf, hurry, keepHouse } from "./desk.js"

const timeout = { timeout: 120_000 }
const answered = (status: number) => (): Effect.Effect<OutboundResult> =>
  Effect.succeed({ _tag: "Answered", status, body: "" })
const answers = (script: (request: OutboundRequest) => Effect.Effect<OutboundResult>) =>
  Effect.flatMap(Receiver, ({ answer }) => Ref.set(answer, script))

const notificationsOf = (tenant: Tenant) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list({ from: "notifications", where: { workspaceId: tenant.workspace.id }, after: null, limit: 100 })
  )
const update = (tenant: Tenant, body: { readonly [field: string]: unknown }) =>
  Effect.flatMap(AdminEndpoints, ({ update }) => update(tenant.endpoint.id, decodeEndpointPatch(body)))

for (const [name, storage] of databases) {
  layer(desk(storage), { excludeTestServices: true })(`webhooks on ${name}`, (it) => {
    it.effect(
      "are delivered once, each with one attempt",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* answers(answerOk)
          const events = yield* deliveriesDue(tenant, 3)
          expect(yield* deliverDue(tenant)).toBe(3)
          expect(yield* deliverDue(tenant)).toBe(0)
          const got = yield* received(tenant.endpoint.url)
          expect(new Set(got.map(({ event }) => event.id))).toEqual(new Set(events.map(({ id }) => id)))
          expect(yield* deliveriesOf(tenant)).toMatchObject(
            Array.from({ length: 3 }, () => ({ status: "delivered", attempts: 1 }))
          )
        }),
      timeout
    )

    it.effect(
      "failing 40 at once disable the endpoint at exactly 25, with one notification",
      () =>
        Effect.gen(function* () {
          const storage = yield* Storage
          const tenant = yield* newTenant
          yield* answers(answered(503))
          yield* deliveriesDue(tenant, 40)
          expect(yield* deliverDue(tenant)).toBe(40)
          expect((yield* endpointOf(tenant)).consecutiveFailures).toBe(failuresThatDisable)
          const notifications = yield* notificationsOf(tenant)
          expect(notifications).toMatchObject([
            { kind: "webhook_endpoint.disabled", subjectId: tenant.endpoint.id, applicationId: tenant.application.id }
          ])
          const deliveries = yield* deliveriesOf(tenant)
          expect(deliveries.map(({ attempts, status }) => [attempts, status])).toEqual(
            Array.from({ length: 40 }, () => [1, "pending"])
          )
          const { attempts } = yield* storage.read({
            attempts: lookup("attempts", { deliveryId: deliveries[0]?.id ?? "" })
          })
          expect(attempts).toMatchObject([{ number: 1, status: 503 }])

          const reported: Array<Notice> = []
          const notifier = Layer.succeed(Notifier, {
            notify: (notice) => Effect.sync(() => void reported.push(notice))
          })
          const kept = Layer.provide(Layer.effect(Housekeeping.Housekeeping, Housekeeping.make), notifier)
          yield* Effect.provide(keepHouse(tenant), kept)
          yield* Effect.provide(keepHouse(tenant), kept)
          expect(reported).toEqual(notifications)
        }),
      timeout
    )

    it.effect(
      "failing at a former URL or with a former secret do not disable the corrected endpoint",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          for (const correction of [
            { url: "https://corrected.example/" },
            { secret: "whsec_of_the_corrected_endpoint" }
          ]) {
            yield* deliveriesDue(tenant, 30)
            const corrected = yield* Effect.cached(
              Effect.orDie(Effect.provide(update(tenant, correction), yield* Effect.context<AdminEndpoints>()))
            )
            yield* answers(() => Effect.zipRight(corrected, answered(503)()))
            expect(yield* deliverDue(tenant)).toBe(30)
            expect(yield* endpointOf(tenant)).toMatchObject({ status: "active", consecutiveFailures: 0 })
            expect(yield* notificationsOf(tenant)).toEqual([])
          }
        }),
      timeout
    )

    it.effect(
      "that succeed reset the failure counter, including failures during the attempt",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* deliveriesDue(tenant, 21)
          const failures = yield* Ref.make(0)
          // The first attempt succeeds after all others have failed.
          const first = yield* Ref.make(true)
          const storage = yield* Storage
          const recorded = Effect.provideService(endpointOf(tenant), Storage, storage)
          const allFailed = Effect.repeat(recorded, { until: ({ consecutiveFailures }) => consecutiveFailures === 20 })
          yield* answers(() =>
            Effect.flatMap(Ref.getAndSet(first, false), (isFirst) =>
              isFirst
                ? Effect.zipRight(Effect.orDie(allFailed), answered(200)())
                : Effect.zipRight(
                    Ref.update(failures, (count) => count + 1),
                    answered(500)()
                  )
            )
          )
          expect(yield* deliverDue(tenant)).toBe(21)
          expect(yield* Ref.get(failures)).toBe(20)
          expect((yield* endpointOf(tenant)).consecutiveFailures).toBe(0)
        }),
      timeout
    )

    it.effect(
      "erased during the attempt end their job without an attempt row",
      () =>
        Effect.gen(function* () {
          const storage = yield* Storage
          const tenant = yield* newTenant
          yield* deliveriesDue(tenant, 1)
          const [delivery] = yield* deliveriesOf(tenant)
          const { id = "" } = delivery ?? {}
          const erasure = changes(tenant.workspace.id, {
            expects: [expectRow("deliveries", { id })],
            deletes: [remove("deliveries", { id })]
          })
          yield* answers(() => Effect.zipRight(Effect.orDie(storage.commit(erasure)), answered(500)()))
          expect(yield* deliverDue(tenant)).toBe(1)
          const attempts = lookup("attempts", { deliveryId: id })
          expect(yield* storage.read({ attempts, jobs: lookup("jobs", { id }) })).toEqual({ attempts: [], jobs: [] })
          expect((yield* endpointOf(tenant)).consecutiveFailures).toBe(0)
        }),
      timeout
    )

    it.effect(
      "wait while their endpoint is disabled and continue when it is enabled",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* answers(answerOk)
          yield* deliveriesDue(tenant, 2)
          yield* update(tenant, { status: "disabled" })
          expect(yield* deliverDue(tenant)).toBe(2)
          expect(yield* claim(tenant)).toEqual([])
          expect(yield* received(tenant.endpoint.url)).toEqual([])
          yield* update(tenant, { status: "active" })
          yield* keepHouse(tenant)
          expect(yield* deliverDue(tenant)).toBe(2)
          expect(yield* deliveriesOf(tenant)).toMatchObject([{ status: "delivered" }, { status: "delivered" }])
        }),
      timeout
    )

    it.effect(
      "are not lost if their job ends while the endpoint is enabled",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* answers(answerOk)
          yield* deliveriesDue(tenant, 20)
          yield* update(tenant, { status: "disabled" })
          const enabling = Effect.zipRight(update(tenant, { status: "active" }), keepHouse(tenant))
          yield* Effect.all([deliverDue(tenant), enabling], { concurrency: "unbounded" })
          yield* deliverDue(tenant)
          expect(new Set((yield* deliveriesOf(tenant)).map(({ status }) => status))).toEqual(new Set(["delivered"]))
        }),
      timeout
    )

    it.effect(
      "are signed with a new secret at once",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* answers(answered(500))
          yield* deliveriesDue(tenant, 1)
          yield* deliverDue(tenant)
          const { secret } = yield* Effect.flatMap(AdminEndpoints, ({ rotateSecret }) =>
            rotateSecret(tenant.endpoint.id)
          )
          yield* hurry(tenant)
          yield* deliverDue(tenant)
          const signatures = (yield* received(tenant.endpoint.url)).map(({ body, headers }) => {
            const timestamp = Number(headers["x-webhook-timestamp"])
            const by = (candidate: string) => signature(candidate, timestamp, body) === headers["x-webhook-signature"]
            return [by(tenant.endpoint.secret), by(secret), headers["x-delivery-attempt"], headers["x-webhook-id"]]
          })
          const [first] = signatures
          expect(signatures).toEqual([
            [true, false, "1", first?.[3]],
            [false, true, "2", first?.[3]]
          ])
        }),
      timeout
    )

    it.effect(
      "that are tests are sent once, whatever the endpoint's event list",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* answers(answered(500))
          yield* update(tenant, { events: ["lead.created"], status: "disabled" })
          yield* Effect.flatMap(AdminEndpoints, ({ test }) => test(tenant.endpoint.id))
          expect(yield* deliverDue(tenant)).toBe(1)
          yield* hurry(tenant)
          expect(yield* claim(tenant)).toEqual([])
          expect(yield* received(tenant.endpoint.url)).toMatchObject([{ event: { type: "webhook.test" } }])
          expect(yield* deliveriesOf(tenant)).toMatchObject([{ status: "failed", attempts: 1 }])
          expect((yield* endpointOf(tenant)).consecutiveFailures).toBe(0)
        }),
      timeout
    )
  })
}
