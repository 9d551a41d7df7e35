import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Clock, Effect, Ref } from "effect"
import { AdminDeliveries } from "../../../src/flows/webhooks/AdminDeliveries.js"
import { AdminEndpoints } from "../../../src/flows/webhooks/AdminEndpoints.js"
import { decodeDeliveryListQuery } from "../../../src/flows/webhooks/DeliveryListQuery.js"
import { decodeEndpointInput, decodeEndpointPatch } from "../../../src/flows/webhooks/EndpointInput.js"
import { neverDue } from "../../../src/model/Job.js"
import { changes, expect as expected, set } from "../../../src/ports/Changes.js"
import type { OutboundResult } from "../../../src/ports/HttpSender.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { answerOk, newTenant, Receiver, received, send, type Tenant } from "../../harness.js"
import { claim, deliverDue, deliveriesDue, deliveriesOf, desk, keepHouse } from "./desk.js"

const timeout = { timeout: 120_000 }
const unknownId = "01900000-0000-7000-8000-00000000dead"
const answers = (status: number) =>
  Effect.flatMap(Receiver, ({ answer }) =>
    Ref.set(answer, () => Effect.succeed<OutboundResult>({ _tag: "Answered", status, body: "said" }))
  )
const list = (query: { readonly [name: string]: string }) =>
  Effect.flatMap(AdminDeliveries, ({ list }) => list(decodeDeliveryListQuery(query)))
const replay = (id: string) => Effect.flatMap(AdminDeliveries, ({ replay }) => replay(id))
const update = (tenant: Tenant, body: { readonly [field: string]: unknown }) =>
  Effect.flatMap(AdminEndpoints, ({ update }) => update(tenant.endpoint.id, decodeEndpointPatch(body)))

for (const [name, storage] of databases) {
  layer(desk(storage), { excludeTestServices: true })(`deliveries on ${name}`, (it) => {
    it.effect(
      "are found by message, event, attempt, endpoint and status, newest first",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* answers(200)
          const [first, second] = yield* deliveriesDue(tenant, 2)
          if (first === undefined || second === undefined) throw new Error("nothing happened")
          yield* deliverDue(tenant)
          yield* deliveriesDue(tenant, 1)
          const of = (query: { readonly [name: string]: string }) =>
            Effect.map(list(query), ({ rows }) => rows.map(({ delivery }) => delivery.eventId))
          expect(yield* of({ message_id: first.subjectId })).toEqual([first.id])
          expect(yield* of({ message_id: first.subjectId, event_id: second.id })).toEqual([])
          expect(yield* of({ event_id: second.id })).toEqual([second.id])
          expect(yield* of({ message_id: unknownId })).toEqual([])
          const endpoint_id = tenant.endpoint.id
          expect(yield* of({ endpoint_id })).toHaveLength(3)
          expect(yield* of({ endpoint_id, status: "delivered" })).toEqual([second.id, first.id])
          const [known] = (yield* list({ event_id: first.id })).rows
          const { attempts } = yield* (yield* Storage).read({
            attempts: lookup("attempts", { deliveryId: known?.delivery.id ?? "" })
          })
          expect(yield* of({ attempt_id: attempts[0]?.id ?? "" })).toEqual([first.id])
          expect(yield* of({ attempt_id: unknownId, endpoint_id })).toEqual([])
          const page = yield* list({ endpoint_id, limit: "2" })
          const rest = yield* list({ endpoint_id, limit: "2", cursor: page.nextCursor ?? "" })
          expect([...page.rows, ...rest.rows].map(({ delivery }) => delivery.eventId)).toEqual(
            yield* of({ endpoint_id })
          )
        }),
      timeout
    )

    it.effect("fail at the end of an attempt during which their endpoint was deleted", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { remove } = yield* AdminEndpoints
        yield* deliveriesDue(tenant, 1)
        yield* Ref.set((yield* Receiver).answer, () =>
          Effect.as(Effect.orDie(remove(tenant.endpoint.id)), { _tag: "Answered", status: 500, body: "no" } as const)
        )
        yield* deliverDue(tenant)
        expect(yield* deliveriesOf(tenant)).toMatchObject([{ status: "failed", attempts: 1 }])
        expect(yield* claim(tenant, "deliveries", "retries")).toEqual([])
      })
    )

    it.effect("of a deleted endpoint fail, those of parked jobs too", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const storage = yield* Storage
        yield* deliveriesDue(tenant, 2)
        const [parked] = yield* deliveriesOf(tenant)
        const id = parked?.id as string
        const failure = { lane: "deliveries", count: 20, since: 1, error: "broken" } as const
        yield* storage.commit(
          changes(tenant.workspace.id, {
            expects: [expected("jobs", { id })],
            sets: [set("jobs", { id }, { lane: "parked", runAt: neverDue, failure })]
          })
        )
        yield* (yield* AdminEndpoints).remove(tenant.endpoint.id)
        yield* keepHouse(tenant)
        yield* deliverDue(tenant)
        expect(yield* deliveriesOf(tenant)).toMatchObject([{ status: "failed" }, { status: "failed" }])
        expect(yield* claim(tenant)).toEqual([])
      })
    )

    it.effect("are not listed without an id to search by", () =>
      Effect.gen(function* () {
        const refusal = yield* Effect.flip(list({ status: "failed", limit: "0" }))
        const missing = ["give at least one of message_id, event_id, attempt_id and endpoint_id"]
        expect(refusal).toMatchObject({
          code: "validation_failed",
          details: {
            message_id: missing,
            event_id: missing,
            attempt_id: missing,
            endpoint_id: missing,
            limit: ["must be a whole number from 1 to 100"]
          }
        })
        expect(yield* Effect.flip(list({ message_id: "1" }))).toMatchObject({
          details: { message_id: ["must be a UUID"] }
        })
      })
    )

    it.effect(
      "are sent again by a replay with the same event id",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* answers(500)
          const [event] = yield* deliveriesDue(tenant, 1)
          yield* deliverDue(tenant)
          const [delivery] = yield* deliveriesOf(tenant)
          const id = delivery?.id ?? ""
          expect(yield* deliverDue(tenant)).toBe(0)
          const now = yield* Clock.currentTimeMillis
          const waiting = yield* replay(id)
          expect(waiting).toMatchObject({ delivery: { status: "pending", round: 0, attempts: 1 }, waitingFor: null })
          expect(waiting.nextAttemptAt).toBeLessThan(now + 10_000)
          yield* answers(200)
          expect(yield* deliverDue(tenant)).toBe(1)
          expect((yield* replay(id)).delivery).toMatchObject({ status: "pending", attempts: 2, completedAt: null })
          expect(yield* deliverDue(tenant)).toBe(1)
          const got = yield* received(tenant.endpoint.url)
          expect(got.map(({ headers }) => [headers["x-webhook-id"], headers["x-delivery-attempt"]])).toEqual([
            [event?.id, "1"],
            [event?.id, "2"],
            [event?.id, "3"]
          ])
          const { attempts, delivery: last } = yield* Effect.flatMap(AdminDeliveries, ({ get }) => get(id))
          expect(last).toMatchObject({ status: "delivered", attempts: 3 })
          expect(attempts.map(({ number }) => number).sort()).toEqual([1, 2, 3])
        }),
      timeout
    )

    it.effect(
      "are not replayed during an attempt or if the endpoint receives nothing",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          yield* deliveriesDue(tenant, 1)
          const [job] = yield* claim(tenant)
          const id = job?.id ?? ""
          yield* replay(id)
          const { jobs } = yield* (yield* Storage).read({ jobs: lookup("jobs", { id }) })
          expect(jobs).toMatchObject([{ epoch: job?.epoch, leaseOwner: "test" }])
          yield* update(tenant, { status: "disabled" })
          expect(yield* Effect.flip(replay(id))).toMatchObject({ code: "invalid_transition" })
          const { get } = yield* AdminDeliveries
          expect(yield* get(id)).toMatchObject({ nextAttemptAt: null, waitingFor: "endpoint_enabled" })
        }),
      timeout
    )

    it.effect(
      "of a message are explained, including missing ones",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { answer } = yield* Receiver
          yield* Ref.set(answer, ({ url }) =>
            url === tenant.endpoint.url
              ? Effect.succeed<OutboundResult>({ _tag: "NotAnswered", error: "no answer within 10 s" })
              : answerOk()
          )
          const { create } = yield* AdminEndpoints
          const more = (url: string, events: ReadonlyArray<string>) =>
            create(tenant.application.id, decodeEndpointInput({ url, events }))
          const reads = yield* more("https://reads.example/", ["message.read"])
          const { id } = yield* send(tenant, "+491701000030", "explained")
          const later = yield* more("https://later.example/", ["*"])
          yield* deliverDue(tenant)
          const { events } = yield* Effect.flatMap(AdminDeliveries, ({ ofMessage }) => ofMessage(id))
          const [queued] = events
          expect(queued?.event.type).toBe("message.queued")
          expect(
            queued?.endpoints.map(({ absence, endpoint, explanation }) => [endpoint.id, absence, explanation])
          ).toEqual([
            [
              tenant.endpoint.id,
              null,
              expect.stringMatching(/^1 attempt failed, the last one: no answer within 10 s; next attempt at /)
            ],
            [reads.endpoint.id, "not_subscribed", "no delivery: the endpoint does not list message.queued"],
            [later.endpoint.id, "registered_later", "no delivery: the endpoint was registered after it happened"]
          ])
          const { ofMessage } = yield* AdminDeliveries
          expect(yield* Effect.flip(ofMessage(unknownId))).toMatchObject({ code: "not_found" })
        }),
      timeout
    )
  })
}
