import { expect, layer } from "@effect/vitest"
import { SandboxProvider } from "@parley/channel-sandbox"
import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import { databases } from "@parley/testkit/databases"
import { aDelivery, anEvent } from "@parley/testkit/rows"
import { Chunk, Effect, Either, Layer, Option, Stream } from "effect"
import * as Administration from "../../src/administration/Administration.js"
import * as Engine from "../../src/Engine.js"
import { AdminConnections } from "../../src/flows/connections/AdminConnections.js"
import {
  decodeConnectionInput,
  decodeConnectionPatch,
  decodeSimulatedInbound
} from "../../src/flows/connections/ConnectionInput.js"
import { AdminDeliveries } from "../../src/flows/webhooks/AdminDeliveries.js"
import { AdminEndpoints } from "../../src/flows/webhooks/AdminEndpoints.js"
import { decodeEndpointInput, decodeEndpointPatch } from "../../src/flows/webhooks/EndpointInput.js"
import { layer as engineSettings } from "../../src/kernel/EngineSettings.js"
import { decodeListQuery } from "../../src/kernel/input/ListQuery.js"
import { decodeWorkspaceListQuery } from "../../src/kernel/input/WorkspaceListQuery.js"
import type { Application } from "../../src/model/Application.js"
import { failuresThatDisable } from "../../src/model/Endpoint.js"
import { changes, row } from "../../src/ports/Changes.js"
import { ChannelProviders } from "../../src/ports/ChannelProvider.js"
import { allowAll } from "../../src/ports/Entitlements.js"
import { HttpSender } from "../../src/ports/HttpSender.js"
import { Ids } from "../../src/ports/Ids.js"
import { SecretBox } from "../../src/ports/SecretBox.js"
import { lookup, Storage } from "../../src/ports/Storage.js"
import type { Wakeup } from "../../src/ports/Wakeup.js"
import { Access } from "../../src/resources/access/Access.js"
import { AdminApiKeys } from "../../src/resources/access/AdminApiKeys.js"
import { AdminApplications } from "../../src/resources/access/AdminApplications.js"
import { AdminWorkspaces } from "../../src/resources/access/AdminWorkspaces.js"
import { decodeApplicationInput, decodeApplicationPatch } from "../../src/resources/access/ApplicationInput.js"
import { decodeWorkspaceInput, decodeWorkspacePatch } from "../../src/resources/access/WorkspaceInput.js"
import { channelProviders } from "../../src/resources/channels/channelProviders.js"
import { AdminTemplates } from "../../src/resources/templates/AdminTemplates.js"
import { decodeTemplateInput, decodeTemplatePatch } from "../../src/resources/templates/TemplateInput.js"
import { eventually } from "../harness.js"

const providers = Layer.succeed(
  ChannelProviders,
  channelProviders([SandboxProvider, { ...SandboxProvider, kind: "carrier" }])
)
const sender = Layer.succeed(HttpSender, {
  refusal: (url) => (url.startsWith("https://") ? null : "must be an https URL"),
  post: ({ url }) => Effect.succeed({ _tag: "Answered", status: url.includes("broken") ? 500 : 200, body: "seen" })
})
const box = Layer.succeed(SecretBox, {
  seal: (secret) => `sealed ${secret}`,
  open: (text) => Effect.succeed(text.slice(7)),
  keyIds: ["test"],
  keyIdOf: () => "test",
  sign: () => "signed",
  verifies: (_, signature) => signature === "signed",
  signatures: () => ["signed"]
})

const administered = <E>(storage: Layer.Layer<Storage | Wakeup, E>) =>
  Layer.mergeAll(Administration.layer, Engine.worker).pipe(
    Layer.provideMerge(Engine.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        storage,
        UuidIds.layer,
        LogNotifier.layer,
        MemoryBlobs.layer,
        allowAll,
        box,
        sender,
        providers,
        engineSettings()
      )
    )
  )

const unknownId = "01900000-0000-7000-8000-00000000dead"
const newWorkspace = Effect.flatMap(AdminWorkspaces, ({ create }) => create(decodeWorkspaceInput({ name: "Bakery" })))
const connectionInput = {
  channel: "whatsapp",
  provider: "sandbox",
  name: "Front",
  handle: "+4930123456",
  is_test: true
}
const newApplication = (workspaceId: string, more: object = {}) =>
  Effect.flatMap(AdminApplications, ({ create }) =>
    create(
      decodeApplicationInput({
        workspace_id: workspaceId,
        name: "Shop",
        mode: "test",
        scopes: ["webhooks.receive"],
        ...more
      })
    )
  )
const newEndpoint = ({ id }: Application, url = "https://shop.example/") =>
  Effect.flatMap(AdminEndpoints, ({ create }) => create(id, decodeEndpointInput({ url, events: ["*"] })))
const auditOf = (applicationId: string) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.list({ from: "auditLog", where: { applicationId }, after: null, limit: 100 }), (entries) =>
      entries.map(({ action }) => action).reverse()
    )
  )

for (const [name, storage] of databases) {
  layer(administered(storage), { excludeTestServices: true })(`administration on ${name}`, (it) => {
    it.effect("creates, updates and lists workspaces", () =>
      Effect.gen(function* () {
        const workspaces = yield* AdminWorkspaces
        const made = yield* newWorkspace
        expect(yield* workspaces.get(made.id)).toEqual(made)
        const changed = yield* workspaces.update(made.id, decodeWorkspacePatch({ status: "suspended" }))
        expect(yield* workspaces.get(made.id)).toEqual(changed)
        expect(changed.status).toBe("suspended")
        const page = yield* workspaces.list(decodeListQuery({ limit: "1" }))
        expect(page.rows).toHaveLength(1)
      })
    )

    it.effect("accepts an API key until it is rotated or revoked", () =>
      Effect.gen(function* () {
        const keys = yield* AdminApiKeys
        const enter = (key: string) => Effect.flatMap(Access, ({ authenticate }) => authenticate(key, "read"))
        const application = yield* newApplication((yield* newWorkspace).id)
        const first = yield* keys.issue(application.id)
        expect((yield* enter(first.key)).credentialId).toBe(first.apiKey.id)
        const second = yield* keys.rotate(application.id, first.apiKey.id)
        expect((yield* Effect.flip(enter(first.key))).toString()).toContain("not valid")
        expect((yield* enter(second.key)).application.id).toBe(application.id)
        const revoked = yield* keys.revoke(application.id, second.apiKey.id)
        expect(revoked.revokedAt).not.toBeNull()
        expect(yield* Effect.flip(enter(second.key))).toMatchObject({ code: "unauthenticated" })
        const { rows } = yield* keys.list(application.id, decodeListQuery({}))
        expect(rows.map(({ id }) => id)).toEqual([second.apiKey.id, first.apiKey.id])
        expect(yield* auditOf(application.id)).toEqual([
          "application.created",
          "api_key.issued",
          "api_key.rotated",
          "api_key.issued",
          "api_key.revoked"
        ])
      })
    )

    it.effect("refuses a suspended application at once", () =>
      Effect.gen(function* () {
        const application = yield* newApplication((yield* newWorkspace).id)
        const { key } = yield* (yield* AdminApiKeys).issue(application.id)
        yield* (yield* AdminApplications).update(application.id, decodeApplicationPatch({ status: "suspended" }))
        const { authenticate } = yield* Access
        expect(yield* Effect.flip(authenticate(key, "read"))).toMatchObject({ code: "account_suspended" })
      })
    )

    it.effect("keeps both of two concurrent changes", () =>
      Effect.gen(function* () {
        const applications = yield* AdminApplications
        const { id } = yield* newApplication((yield* newWorkspace).id)
        yield* Effect.all(
          [
            applications.update(id, decodeApplicationPatch({ name: "Kiosk" })),
            applications.update(id, decodeApplicationPatch({ limits: { sends_per_minute: 7 } })),
            applications.update(id, decodeApplicationPatch({ scopes: ["contacts.read"] }))
          ],
          { concurrency: "unbounded" }
        )
        expect(yield* applications.get(id)).toMatchObject({
          name: "Kiosk",
          sendsPerMinute: 7,
          scopes: ["contacts.read"],
          version: 4
        })
      })
    )

    it.effect("pages newest first without repeats while rows are added", () =>
      Effect.gen(function* () {
        const { list } = yield* AdminApplications
        const { id } = yield* newWorkspace
        const made = yield* Effect.forEach([1, 2, 3, 4, 5], () => newApplication(id))
        const walked = yield* Stream.paginateChunkEffect("", (cursor) =>
          Effect.gen(function* () {
            const page = yield* list(decodeWorkspaceListQuery({ workspace_id: id, limit: "2", cursor }))
            yield* newApplication(id)
            return [Chunk.fromIterable(page.rows), Option.fromNullable(page.nextCursor)]
          })
        ).pipe(Stream.runCollect)
        expect(Chunk.toReadonlyArray(walked).map((row) => row.id)).toEqual(made.map((row) => row.id).reverse())
      })
    )

    it.effect("refuses a cursor of other filters together with other problems", () =>
      Effect.gen(function* () {
        const { list } = yield* AdminApplications
        const { id } = yield* newWorkspace
        yield* newApplication(id)
        yield* newApplication(id)
        const { nextCursor } = yield* list(decodeWorkspaceListQuery({ workspace_id: id, limit: "1" }))
        const other = decodeWorkspaceListQuery({ cursor: nextCursor, limit: "0" })
        expect(yield* Effect.flip(list(other))).toMatchObject({
          code: "validation_failed",
          details: {
            cursor: ["must be used with the filters that it was made with"],
            limit: ["must be a whole number from 1 to 100"]
          }
        })
      })
    )

    it.effect("creates one of many concurrent templates with one name", () =>
      Effect.gen(function* () {
        const templates = yield* AdminTemplates
        const { id } = yield* newWorkspace
        const input = { workspace_id: id, name: "order_ready", channel: "whatsapp", language: "en", body: "Hi {{1}}" }
        const requested = Array.from({ length: 8 }, () => Effect.either(templates.create(decodeTemplateInput(input))))
        const outcomes = yield* Effect.all(requested, { concurrency: "unbounded" })
        expect(outcomes.filter(Either.isRight)).toHaveLength(1)
        for (const lost of outcomes.filter(Either.isLeft))
          expect(lost.left).toMatchObject({ details: { name: [expect.any(String)] } })
        const { rows } = yield* templates.list(decodeWorkspaceListQuery({ workspace_id: id }))
        const [only] = rows
        const approved = yield* templates.update(only?.id ?? "", decodeTemplatePatch({ status: "approved" }))
        expect(yield* templates.get(approved.id)).toEqual(approved)
      })
    )

    it.effect("connects an account in one workspace until it is disconnected there", () =>
      Effect.gen(function* () {
        const connections = yield* AdminConnections
        const one = yield* newWorkspace
        const other = yield* newWorkspace
        const input = { ...connectionInput, provider: "carrier", credentials: { token: "t" } }
        const inOne = decodeConnectionInput({ ...input, workspace_id: one.id })
        const inOther = decodeConnectionInput({ ...input, workspace_id: other.id, handle: "+49 30 123456" })
        const made = yield* connections.create(inOne)
        expect(made.credentials).toBe('sealed {"token":"t"}')
        expect(yield* Effect.flip(connections.create(inOne))).toMatchObject({
          details: { handle: [expect.any(String)] }
        })
        expect(yield* Effect.flip(connections.create(inOther))).toMatchObject({ code: "connection_owned_elsewhere" })
        yield* connections.update(made.id, decodeConnectionPatch({ status: "disconnected" }))
        const moved = yield* connections.create(inOther)
        expect(yield* connections.get(moved.id)).toEqual(moved)
        const back = connections.update(made.id, decodeConnectionPatch({ status: "active" }))
        expect(yield* Effect.flip(back)).toMatchObject({ code: "connection_owned_elsewhere" })
        yield* connections.update(moved.id, decodeConnectionPatch({ status: "disconnected" }))
      })
    )

    it.effect("connects an account once, however many ask for it at the same time", () =>
      Effect.gen(function* () {
        const connections = yield* AdminConnections
        const workspaces = yield* Effect.all([newWorkspace, newWorkspace])
        const inputs = Array.from({ length: 8 }, (_, n) => ({
          ...connectionInput,
          workspace_id: workspaces[n % 2]?.id,
          provider: "carrier",
          handle: "+49 30 777000",
          credentials: { token: "t" }
        }))
        const race = <A, E, R>(effects: ReadonlyArray<Effect.Effect<A, E, R>>) =>
          Effect.all(effects.map(Effect.either), { concurrency: "unbounded" })
        const made = yield* race(inputs.map((input) => connections.create(decodeConnectionInput(input))))
        const [first, ...more] = made.filter(Either.isRight).map(({ right }) => right)
        expect(more).toEqual([])
        for (const one of made.filter(Either.isLeft)) {
          expect(["validation_failed", "connection_owned_elsewhere"]).toContain(
            one.left._tag === "Refusal" ? one.left.code : one.left._tag
          )
        }
        const off = decodeConnectionPatch({ status: "disconnected" })
        yield* connections.update(first?.id ?? "", off)
        const second = yield* connections.create(decodeConnectionInput(inputs[0] ?? {}))
        yield* connections.update(second.id, off)
        const both = [first, second].map((one) =>
          connections.update(one?.id ?? "", decodeConnectionPatch({ status: "active" }))
        )
        for (let round = 0; round < 5; round++) {
          expect((yield* race(both)).filter(Either.isRight)).toHaveLength(1)
          yield* Effect.forEach([first, second], (one) => connections.update(one?.id ?? "", off))
        }
      })
    )

    it.effect("validates an allow-list against the workspace's connections", () =>
      Effect.gen(function* () {
        const connections = yield* AdminConnections
        const { id } = yield* newWorkspace
        const test = yield* connections.create(decodeConnectionInput({ ...connectionInput, workspace_id: id }))
        const live = yield* connections.create(
          decodeConnectionInput({ ...connectionInput, workspace_id: id, is_test: false })
        )
        const application = yield* newApplication(id, { connection_ids: [test.id] })
        const { update } = yield* AdminApplications
        const body = { connection_ids: [live.id] }
        expect(yield* Effect.flip(update(application.id, decodeApplicationPatch(body)))).toMatchObject({
          details: { connection_ids: ["must be connections marked as test"] }
        })
        const elsewhere = yield* Effect.flip(newApplication((yield* newWorkspace).id, { connection_ids: [test.id] }))
        expect(elsewhere).toMatchObject({ details: { connection_ids: [expect.stringContaining("workspace")] } })
        expect(yield* Effect.flip(newApplication(unknownId))).toMatchObject({
          details: { workspace_id: [expect.any(String)] }
        })
      })
    )

    it.effect("simulates an inbound message on a sandbox connection", () =>
      Effect.gen(function* () {
        const connections = yield* AdminConnections
        const { id } = yield* newWorkspace
        const sandbox = yield* connections.create(decodeConnectionInput({ ...connectionInput, workspace_id: id }))
        const body = { from: "0049 170 1234567", body: "Hello?", name: "Ada" }
        const message = yield* connections.simulateInbound(sandbox.id, decodeSimulatedInbound(body))
        expect(message).toMatchObject({
          direction: "inbound",
          status: "delivered",
          body: "Hello?",
          connectionId: sandbox.id
        })
        const again = yield* connections.simulateInbound(sandbox.id, decodeSimulatedInbound(body))
        expect(again).toMatchObject({ conversationId: message.conversationId })
        expect(again.id).not.toBe(message.id)
        const { contacts } = yield* (yield* Storage).read({ contacts: lookup("contacts", { id: message.contactId }) })
        expect(contacts[0]).toMatchObject({ firstName: "Ada", phone: "+491701234567" })
        const wrong = decodeSimulatedInbound({ from: "170" })
        expect(yield* Effect.flip(connections.simulateInbound(sandbox.id, wrong))).toMatchObject({
          details: { from: [expect.stringContaining("E.164")], body: ["is required"] }
        })
        const carrier = { ...connectionInput, provider: "carrier", handle: "+4930999999", workspace_id: id }
        const other = yield* connections.create(decodeConnectionInput(carrier))
        expect(yield* Effect.flip(connections.simulateInbound(other.id, decodeSimulatedInbound(body)))).toMatchObject({
          code: "validation_failed"
        })
      })
    )

    it.effect("tests an endpoint with one attempt, successful or failed", () =>
      Effect.gen(function* () {
        const endpoints = yield* AdminEndpoints
        const deliveries = yield* AdminDeliveries
        const application = yield* newApplication((yield* newWorkspace).id)
        const outcomeOf = (url: string) =>
          Effect.gen(function* () {
            const { endpoint } = yield* newEndpoint(application, url)
            const { id } = (yield* endpoints.test(endpoint.id)).delivery
            return yield* eventually(deliveries.get(id), ({ delivery }) => delivery.status !== "pending")
          })
        expect(yield* outcomeOf("https://shop.example/")).toMatchObject({
          delivery: { status: "delivered", attempts: 1 },
          eventType: "webhook.test",
          attempts: [{ number: 1, status: 200, answer: "seen" }]
        })
        expect(yield* outcomeOf("https://broken.example/")).toMatchObject({
          delivery: { status: "failed", attempts: 1 },
          attempts: [{ number: 1, status: 500 }]
        })
      })
    )

    it.effect("resumes pending deliveries when an endpoint is enabled", () =>
      Effect.gen(function* () {
        const store = yield* Storage
        const ids = yield* Ids
        const application = yield* newApplication((yield* newWorkspace).id)
        const { workspaceId, id: applicationId } = application
        const { endpoint } = yield* newEndpoint(application)
        const event = anEvent({ id: ids.next(application.createdAt), workspaceId, applicationId })
        const owner = { workspaceId, applicationId, endpointId: endpoint.id, eventId: event.id }
        const delivery = aDelivery({ id: ids.next(application.createdAt), ...owner })
        yield* store.commit(
          changes(workspaceId, {
            inserts: [row("events", event), row("deliveries", delivery)],
            bumps: [{ table: "endpoints", id: endpoint.id, add: { consecutiveFailures: failuresThatDisable } }]
          })
        )
        yield* (yield* AdminEndpoints).update(endpoint.id, decodeEndpointPatch({ status: "active" }))
        const { listOfEndpoint } = yield* AdminDeliveries
        const { rows } = yield* eventually(listOfEndpoint(endpoint.id, decodeListQuery({})), ({ rows }) =>
          rows.every(({ delivery }) => delivery.status === "delivered")
        )
        expect(rows).toMatchObject([{ delivery: { id: delivery.id, attempts: 1 }, eventType: event.type }])
      })
    )

    it.effect("hides a deleted endpoint and keeps its deliveries", () =>
      Effect.gen(function* () {
        const endpoints = yield* AdminEndpoints
        const application = yield* newApplication((yield* newWorkspace).id)
        const { endpoint } = yield* newEndpoint(application)
        const kept = yield* newEndpoint(application)
        const { delivery } = yield* endpoints.test(endpoint.id)
        expect(yield* endpoints.remove(endpoint.id)).toMatchObject({ status: "deleted" })
        expect(yield* Effect.flip(endpoints.get(endpoint.id))).toMatchObject({ code: "not_found" })
        expect(yield* Effect.flip(endpoints.test(endpoint.id))).toMatchObject({ code: "not_found" })
        const { rows } = yield* endpoints.list(application.id, decodeListQuery({}))
        expect(rows.map(({ id }) => id)).toEqual([kept.endpoint.id])
        expect((yield* (yield* AdminDeliveries).get(delivery.id)).delivery.id).toBe(delivery.id)
      })
    )

    it.effect("rotates a signing secret and requires an https URL", () =>
      Effect.gen(function* () {
        const endpoints = yield* AdminEndpoints
        const application = yield* newApplication((yield* newWorkspace).id)
        const made = yield* newEndpoint(application)
        const rotated = yield* endpoints.rotateSecret(made.endpoint.id)
        expect(rotated.secret).not.toBe(made.secret)
        expect((yield* endpoints.get(made.endpoint.id)).secret).toBe(`sealed ${rotated.secret}`)
        expect(yield* Effect.flip(newEndpoint(application, "http://shop.example/"))).toMatchObject({
          details: { url: ["must be an https URL"] }
        })
      })
    )

    it.effect("answers not_found for an unknown id", () =>
      Effect.gen(function* () {
        const applications = yield* AdminApplications
        const keys = yield* AdminApiKeys
        const endpoints = yield* AdminEndpoints
        const connections = yield* AdminConnections
        const deliveries = yield* AdminDeliveries
        const templates = yield* AdminTemplates
        const attempts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
          applications.get(unknownId),
          applications.update(unknownId, decodeApplicationPatch({})),
          keys.issue(unknownId),
          keys.list(unknownId, decodeListQuery({})),
          keys.revoke(unknownId, unknownId),
          endpoints.create(unknownId, decodeEndpointInput({})),
          endpoints.list(unknownId, decodeListQuery({})),
          endpoints.update(unknownId, decodeEndpointPatch({})),
          endpoints.rotateSecret(unknownId),
          connections.get(unknownId),
          connections.update(unknownId, decodeConnectionPatch({})),
          connections.simulateInbound(unknownId, decodeSimulatedInbound({})),
          deliveries.get(unknownId),
          deliveries.listOfEndpoint(unknownId, decodeListQuery({})),
          templates.get(unknownId)
        ]
        for (const attempt of attempts) expect(yield* Effect.flip(attempt)).toMatchObject({ code: "not_found" })
      })
    )
  })
}
