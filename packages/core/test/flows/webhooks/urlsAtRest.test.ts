import { randomBytes } from "node:crypto"
import { expect, layer } from "@effect/vitest"
import { AesSecretBox, LogNotifier, MemoryBlobs, SecretKey, UuidIds } from "@parley/node"
import { dumpedDatabases } from "@parley/testkit/databases"
import { Effect, Either, Layer } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import { AdminStatus } from "../../../src/administration/status/AdminStatus.js"
import * as Engine from "../../../src/Engine.js"
import { AdminDeliveries } from "../../../src/flows/webhooks/AdminDeliveries.js"
import { AdminEndpoints } from "../../../src/flows/webhooks/AdminEndpoints.js"
import { decodeEndpointInput, decodeEndpointPatch } from "../../../src/flows/webhooks/EndpointInput.js"
import { layer as engineSettings } from "../../../src/kernel/EngineSettings.js"
import { decodeListQuery } from "../../../src/kernel/input/ListQuery.js"
import { failuresThatDisable } from "../../../src/model/Endpoint.js"
import { changes, expect as expected, set } from "../../../src/ports/Changes.js"
import { ChannelProviders } from "../../../src/ports/ChannelProvider.js"
import { allowAll } from "../../../src/ports/Entitlements.js"
import { HttpSender } from "../../../src/ports/HttpSender.js"
import { lookup, readById, Storage } from "../../../src/ports/Storage.js"
import { AdminApplications } from "../../../src/resources/access/AdminApplications.js"
import { AdminWorkspaces } from "../../../src/resources/access/AdminWorkspaces.js"
import { decodeApplicationInput } from "../../../src/resources/access/ApplicationInput.js"
import { decodeWorkspaceInput } from "../../../src/resources/access/WorkspaceInput.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { decodeAdminContactInput } from "../../../src/resources/contacts/ContactInput.js"
import { eventually } from "../../harness.js"

const first = "https://shop.example/hook?token=hidden-first-4711"
const second = "https://shop.example/hook?token=hidden-second-4711"

const posted: Array<string> = []
const ports = Layer.mergeAll(
  UuidIds.layer,
  LogNotifier.layer,
  MemoryBlobs.layer,
  allowAll,
  engineSettings(),
  AesSecretBox.layer(Either.getOrThrow(SecretKey.parse(randomBytes(32).toString("base64"), "test"))),
  Layer.succeed(ChannelProviders, channelProviders([])),
  Layer.succeed(HttpSender, {
    refusal: () => null,
    post: ({ url }) =>
      Effect.sync(() => {
        posted.push(url)
        return { _tag: "Answered" as const, status: url === second ? 500 : 200, body: "seen" }
      })
  })
)

for (const [name, open] of dumpedDatabases) {
  layer(Layer.empty, { excludeTestServices: true, timeout: 60_000 })(`URLs of webhook endpoints on ${name}`, (it) => {
    it.scoped("are delivered to and shown, and not in the database, its notifications or its audit log", () =>
      Effect.gen(function* () {
        const { dump, storage } = yield* open
        const live = Layer.mergeAll(Administration.layer, Engine.worker).pipe(
          Layer.provideMerge(Engine.layer),
          Layer.provideMerge(Layer.mergeAll(storage, ports))
        )
        yield* Effect.gen(function* () {
          const store = yield* Storage
          const endpoints = yield* AdminEndpoints
          const deliveries = yield* AdminDeliveries
          const workspace = yield* (yield* AdminWorkspaces).create(decodeWorkspaceInput({ name: "Bakery" }))
          const application = yield* (yield* AdminApplications).create(
            decodeApplicationInput({
              workspace_id: workspace.id,
              name: "Shop",
              mode: "test",
              scopes: ["webhooks.receive"]
            })
          )
          const { endpoint } = yield* endpoints.create(
            application.id,
            decodeEndpointInput({ url: first, events: ["*"] })
          )
          const { id } = endpoint
          const delivered = (yield* endpoints.test(id)).delivery
          yield* eventually(deliveries.get(delivered.id), ({ delivery }) => delivery.status === "delivered")
          expect(posted).toContain(first)
          expect([endpoint.url, (yield* endpoints.get(id)).url]).toEqual([first, first])
          expect((yield* endpoints.list(application.id, decodeListQuery({}))).rows.map(({ url }) => url)).toEqual([
            first
          ])

          // The failure that disables the endpoint writes a notification and an audit entry.
          expect((yield* endpoints.update(id, decodeEndpointPatch({ url: second }))).url).toBe(second)
          yield* store.commit(
            changes(workspace.id, {
              expects: [expected("endpoints", { id })],
              sets: [set("endpoints", { id }, { consecutiveFailures: failuresThatDisable - 1 })]
            })
          )
          const contact = decodeAdminContactInput({ workspace_id: workspace.id, phone: "+4915112345678" })
          yield* (yield* AdminContacts).create(contact)
          yield* eventually(
            Effect.map(store.read({ endpoints: lookup("endpoints", { id }) }), (read) => read.endpoints[0]),
            (one) => one?.consecutiveFailures === failuresThatDisable
          )
          const [notification] = yield* store.list({ from: "notifications", where: {}, after: null, limit: 1 })
          expect(notification?.message).toContain("https://shop.example/hook?token=…")
          const { disabledEndpoints } = yield* (yield* AdminStatus).now
          expect(disabledEndpoints.map(({ url }) => url)).toEqual([second])
          expect((yield* readById(store, "endpoints", id))?.url).toMatch(/^v1\./)
          const text = yield* dump
          expect(text).toContain("webhook_endpoint.url_changed")
          expect(text).not.toContain("4711")
        }).pipe(Effect.provide(Layer.fresh(live)))
      })
    )
  })
}
