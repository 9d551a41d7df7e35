import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Deferred, Effect, Fiber, Layer, Ref } from "effect"
import * as Engine from "../src/Engine.js"
import { Inbound } from "../src/flows/inbound/Inbound.js"
import { type Changes, changes, expect as expected, set } from "../src/ports/Changes.js"
import { SendOutcome } from "../src/ports/ChannelProvider.js"
import { lookup, Storage } from "../src/ports/Storage.js"
import { Access } from "../src/resources/access/Access.js"
import { Messages } from "../src/resources/messages/Messages.js"
import { accept, answerOk, engine, eventually, newTenant, Provider, Receiver, received, send } from "./harness.js"
import { heldCommits } from "./heldCommits.js"

const timeout = { timeout: 120_000 }
const rejection = SendOutcome.Rejected({
  scope: "recipient",
  code: "provider_error",
  providerCode: "131026",
  providerMessage: "unknown recipient"
})

for (const [name, storage] of databases) {
  layer(Engine.worker.pipe(Layer.provideMerge(engine(storage, 30_000))), { excludeTestServices: true })(
    `an engine on ${name}`,
    (it) => {
      it.effect(
        "moves a message to read and delivers each event once",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { answer } = yield* Provider
            yield* Ref.set(answer, (message) =>
              Effect.succeed(
                SendOutcome.Accepted({
                  providerMessageId: `p-${message.id}`,
                  receipts: [
                    { status: "delivered", at: Date.now(), error: null },
                    { status: "read", at: Date.now() + 1, error: null }
                  ]
                })
              )
            )
            const sent = yield* send(tenant, "+491701000001", "story")
            expect(sent).toMatchObject({ status: 202, replayed: false })
            yield* Ref.set(answer, accept)
            const webhooks = yield* eventually(received(tenant.endpoint.url), (all) => all.length >= 4)
            const types = webhooks.map(({ event }) => event.type).sort()
            expect(types).toEqual(["message.delivered", "message.queued", "message.read", "message.sent"])
            const message = yield* (yield* Messages).get(tenant.caller, sent.id)
            expect(message).toMatchObject({ status: "read", externalReference: "story" })
            const { deliveries } = yield* eventually(
              (yield* Storage).read({ deliveries: lookup("deliveries", { endpointId: tenant.endpoint.id }) }),
              ({ deliveries }) => deliveries.every(({ status }) => status === "delivered")
            )
            expect(deliveries).toHaveLength(4)
          }),
        timeout
      )

      it.effect(
        "replays the response for a repeated idempotency key",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const first = yield* send(tenant, "+491701000002", "once")
            const again = yield* send(tenant, "+491701000002", "once")
            expect(again).toMatchObject({ status: 202, body: first.body, replayed: true })
            const handed = yield* Ref.get((yield* Provider).handed)
            expect(handed.filter(({ id }) => id === first.id)).toHaveLength(1)
            expect(yield* Effect.flip(send(tenant, "+491701000002", "once", "other"))).toMatchObject({
              code: "idempotency_conflict"
            })
          }),
        timeout
      )

      it.effect(
        "accepts one of many concurrent sends with one key",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const all = yield* Effect.all(
              Array.from({ length: 20 }, () => Effect.either(send(tenant, "+491701000003", "race"))),
              { concurrency: "unbounded" }
            )
            const ids = new Set(all.flatMap((one) => (one._tag === "Right" ? [one.right.id] : [])))
            expect(ids.size).toBe(1)
            for (const one of all)
              if (one._tag === "Left") expect(one.left).toMatchObject({ code: "idempotency_conflict" })
            const { messages } = yield* (yield* Storage).read({
              messages: lookup("messages", { id: [...ids][0] as string })
            })
            const handed = yield* Ref.get((yield* Provider).handed)
            expect(handed.filter(({ to }) => to === "+491701000003")).toHaveLength(1)
            expect(messages).toHaveLength(1)
          }),
        timeout
      )

      it.effect(
        "creates one contact and one conversation for concurrent first messages",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const inbound = yield* Inbound
            const handle = "+491701000004"
            const messages = yield* Effect.all(
              Array.from({ length: 16 }, (_, i) =>
                i % 2 === 0
                  ? Effect.flatMap(send(tenant, handle, `first-${i}`), ({ id }) =>
                      Effect.flatMap(Messages, (all) => all.get(tenant.caller, id))
                    )
                  : inbound.receive(tenant.connection, {
                      providerMessageId: `in-${i}`,
                      from: handle,
                      body: "hi",
                      displayName: null
                    })
              ),
              { concurrency: "unbounded" }
            )
            expect(new Set(messages.map(({ contactId }) => contactId)).size).toBe(1)
            expect(new Set(messages.map(({ conversationId }) => conversationId)).size).toBe(1)
          }),
        timeout
      )

      it.effect(
        "answers a rejection within the wait with the provider's code and message, and frees the key",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { answer } = yield* Provider
            yield* Ref.set(answer, () => Effect.succeed(rejection))
            const refusal = yield* Effect.flip(send(tenant, "+491701000005", "rejected"))
            expect(refusal).toMatchObject({
              code: "provider_error",
              details: { provider: "scripted", code: "131026", message: "unknown recipient" }
            })
            yield* Ref.set(answer, accept)
            const retried = yield* send(tenant, "+491701000005", "rejected")
            expect(retried.replayed).toBe(false)
            const details = "details" in refusal ? refusal.details : {}
            const failed = yield* (yield* Messages).get(tenant.caller, String(details.message_id))
            expect(failed).toMatchObject({ status: "failed", error: { code: "provider_error" } })
          }),
        timeout
      )

      it.effect(
        "retries a throttled and a failing send until it is sent",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { answer } = yield* Provider
            const outcomes = [SendOutcome.Throttled({ retryAfterMs: 5 }), SendOutcome.Transient({ reason: "down" })]
            yield* Ref.set(answer, (message) => {
              const outcome = outcomes.shift()
              return outcome === undefined ? accept(message) : Effect.succeed(outcome)
            })
            const sent = yield* send(tenant, "+491701000006", "again")
            const messages = yield* Messages
            yield* eventually(messages.get(tenant.caller, sent.id), ({ status }) => status === "sent")
            const handed = (yield* Ref.get((yield* Provider).handed)).filter(({ id }) => id === sent.id)
            expect(handed.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
          }),
        timeout
      )

      it.effect(
        "keeps a receipt that arrives before the provider's answer",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { answer } = yield* Provider
            const inbound = yield* Inbound
            yield* Ref.set(answer, (message) =>
              inbound
                .applyReceipt({
                  workspaceId: tenant.workspace.id,
                  connectionId: tenant.connection.id,
                  providerMessageId: `p-${message.id}`,
                  receipt: { status: "delivered", at: Date.now(), error: null },
                  settle: null
                })
                .pipe(Effect.orDie, Effect.zipRight(accept(message)))
            )
            const { id } = yield* send(tenant, "+491701000007", "early")
            yield* Ref.set(answer, accept)
            const message = yield* (yield* Messages).get(tenant.caller, id)
            expect(message.status).toBe("delivered")
          }),
        timeout
      )

      it.effect(
        "stores a redelivered inbound message once",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const inbound = yield* Inbound
            const message = { providerMessageId: "dup", from: "+491701000008", body: "hi", displayName: "Ada" }
            const stored = yield* Effect.all(
              Array.from({ length: 8 }, () => inbound.receive(tenant.connection, message)),
              { concurrency: "unbounded" }
            )
            expect(new Set(stored.map(({ id }) => id)).size).toBe(1)
          }),
        timeout
      )

      it.effect(
        "disables an endpoint after 25 failures, keeps its deliveries and creates no new ones",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { answer } = yield* Receiver
            const storage = yield* Storage
            yield* Ref.set(answer, ({ url }) =>
              url === tenant.endpoint.url
                ? Effect.succeed({ _tag: "Answered" as const, status: 500, body: "no" })
                : answerOk()
            )
            yield* Effect.forEach(Array.from({ length: 13 }), (_, i) => send(tenant, "+491701000009", `fail-${i}`))
            const endpointNow = Effect.map(
              storage.read({ endpoints: lookup("endpoints", { id: tenant.endpoint.id }) }),
              ({ endpoints }) => endpoints[0]
            )
            yield* eventually(endpointNow, (endpoint) => (endpoint?.consecutiveFailures ?? 0) >= 25)
            const deliveriesNow = storage.read({ deliveries: lookup("deliveries", { endpointId: tenant.endpoint.id }) })
            const before = (yield* deliveriesNow).deliveries.length
            yield* send(tenant, "+491701000009", "while disabled")
            const { deliveries } = yield* deliveriesNow
            expect(deliveries).toHaveLength(before)
            expect(deliveries.every(({ status }) => status === "pending")).toBe(true)
            yield* Ref.set(answer, answerOk)
          }),
        timeout
      )

      it.effect(
        "hides a message from applications without access",
        () =>
          Effect.gen(function* () {
            const one = yield* newTenant
            const other = yield* newTenant
            const messages = yield* Messages
            const { id } = yield* send(one, "+491701000010", "mine")
            const sibling = { ...one.caller, application: { ...one.caller.application, id: other.application.id } }
            const narrow = { ...one.caller, application: { ...one.caller.application, connectionIds: [] } }
            for (const caller of [other.caller, sibling, narrow]) {
              expect(yield* Effect.flip(messages.get(caller, id))).toMatchObject({ code: "not_found" })
            }
            expect((yield* messages.get({ ...one.caller, scopes: ["messages.status"] }, id)).id).toBe(id)
            expect(yield* Effect.flip(messages.get(one.caller, "not-an-id"))).toMatchObject({ code: "not_found" })
          }),
        timeout
      )

      it.effect(
        "requires the scope of the message type",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const refusal = yield* Effect.flip(
              send({ ...tenant, caller: { ...tenant.caller, scopes: ["templates.send"] } }, "+491701000011", "scope")
            )
            expect(refusal).toMatchObject({ code: "forbidden", details: { required_scope: "messages.send" } })
          }),
        timeout
      )

      it.effect(
        "refuses revoked credentials, and suspended applications and workspaces",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const access = yield* Access
            const storage = yield* Storage
            const code = (purpose: "read" | "write") =>
              Effect.map(Effect.flip(access.authenticate(tenant.key, purpose)), (error) =>
                "code" in error ? error.code : error._tag
              )
            const put = (...parts: Parameters<typeof set>) =>
              storage.commit(
                changes(tenant.workspace.id, { expects: [expected(parts[0], parts[1])], sets: [set(...parts)] })
              )

            expect(
              yield* Effect.map(
                Effect.flip(access.authenticate(null, "read")),
                (error) => "code" in error && error.code
              )
            ).toBe("unauthenticated")
            expect(
              yield* Effect.map(
                Effect.flip(access.authenticate(`${tenant.key}x`, "read")),
                (error) => "code" in error && error.code
              )
            ).toBe("unauthenticated")
            yield* put("workspaces", { id: tenant.workspace.id }, { status: "suspended" })
            expect(yield* code("write")).toBe("workspace_suspended")
            expect((yield* access.authenticate(tenant.key, "read")).workspace.status).toBe("suspended")
            yield* put("workspaces", { id: tenant.workspace.id }, { status: "unavailable" })
            expect(yield* code("read")).toBe("workspace_unavailable")
            yield* put("applications", { id: tenant.application.id }, { status: "suspended" })
            expect(yield* code("read")).toBe("account_suspended")
            yield* put("apiKeys", { id: tenant.apiKey.id }, { revokedAt: 1 })
            expect(yield* code("read")).toBe("unauthenticated")
          }),
        timeout
      )
    }
  )

  layer(engine(storage, 30_000), { excludeTestServices: true })(`an engine without a worker on ${name}`, (it) => {
    it.effect(
      "hands its accepted messages to the provider",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { id } = yield* send(tenant, "+491701000013", "own")
          expect(yield* (yield* Messages).get(tenant.caller, id)).toMatchObject({ status: "sent" })
        }),
      timeout
    )

    it.effect(
      "answers 409 for the same key during the verdict wait, and 202 after it",
      () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { answer, handed } = yield* Provider
          const gate = yield* Deferred.make<void>()
          yield* Ref.set(answer, (message) => Effect.zipRight(Deferred.await(gate), accept(message)))
          const first = yield* Effect.fork(send(tenant, "+491701000014", "awaited"))
          yield* eventually(Ref.get(handed), (all) => all.some(({ to }) => to === "+491701000014"))
          expect(yield* Effect.flip(send(tenant, "+491701000014", "awaited"))).toMatchObject({
            code: "idempotency_conflict"
          })
          yield* Deferred.succeed(gate, undefined)
          expect(yield* Fiber.join(first)).toMatchObject({ status: 202, replayed: false })
          expect(yield* send(tenant, "+491701000014", "awaited")).toMatchObject({ status: 202, replayed: true })
          yield* Ref.set(answer, accept)
        }),
      timeout
    )
  })

  layer(engine(storage, 20), { excludeTestServices: true })(
    `an engine that waits 20 ms for a verdict on ${name}`,
    (it) => {
      it.effect(
        "answers 202 after the wait; a later rejection does not free the key",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { answer } = yield* Provider
            const gate = yield* Deferred.make<void>()
            yield* Ref.set(answer, () => Effect.as(Deferred.await(gate), rejection))
            const sent = yield* send(tenant, "+491701000015", "late")
            expect(sent.status).toBe(202)
            yield* Deferred.succeed(gate, undefined)
            const messages = yield* Messages
            yield* eventually(messages.get(tenant.caller, sent.id), ({ status }) => status === "failed")
            expect(yield* send(tenant, "+491701000015", "late")).toMatchObject({ replayed: true, id: sent.id })
          }),
        timeout
      )
    }
  )

  const { during, over } = heldCommits()
  layer(engine(over(storage), 100), { excludeTestServices: true })(
    `an engine whose database answers late on ${name}`,
    (it) => {
      it.effect(
        "answers a rejection as such if its key was freed and used again before the end of the wait",
        () =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const { answer } = yield* Provider
            yield* Ref.set(answer, () => Effect.succeed(rejection))
            const gate = yield* Deferred.make<void>()
            const again = Effect.gen(function* () {
              yield* Ref.set(answer, () => Effect.as(Deferred.await(gate), rejection))
              const { id, workspaceId } = tenant.connection
              const config = { verdict_wait_ms: 60_000 }
              yield* (yield* Storage).commit(changes(workspaceId, { sets: [set("connections", { id }, { config })] }))
              const second = yield* Effect.fork(Effect.flip(send(tenant, "+491701000016", "again")))
              // Longer than the wait of the first.
              yield* Effect.sleep(500)
              return second
            })
            const isRejection = ({ deletes }: Changes) => deletes.some(({ table }) => table === "idempotency")
            const seconds: Array<Fiber.RuntimeFiber<unknown, unknown>> = []
            const first = yield* during(
              Effect.flip(send(tenant, "+491701000016", "again")),
              isRejection,
              1,
              Effect.map(again, (second) => seconds.push(second)),
              "outcome"
            )
            expect(first).toMatchObject({ code: "provider_error" })
            yield* Deferred.succeed(gate, undefined)
            expect(yield* Fiber.joinAll(seconds)).toMatchObject([{ code: "provider_error" }])
            yield* Ref.set(answer, accept)
          }),
        timeout
      )
    }
  )
}
