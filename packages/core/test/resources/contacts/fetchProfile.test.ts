import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { aJob } from "@parley/testkit/rows"
import { Effect, Ref } from "effect"
import { Inbound } from "../../../src/flows/inbound/Inbound.js"
import { Decider } from "../../../src/kernel/Decider.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { day } from "../../../src/model/Instant.js"
import { changes, expect as expected, remove } from "../../../src/ports/Changes.js"
import { ChannelProviders, ProviderUnavailable } from "../../../src/ports/ChannelProvider.js"
import { lookup, readById, Storage } from "../../../src/ports/Storage.js"
import { fetchProfile } from "../../../src/resources/contacts/fetchProfile.js"
import { engine, newTenant, type Tenant } from "../../harness.js"

const handle = "+491701000001"

/** A contact without a name, and functions that execute its profile job with a given answer of the vendor. */
const nameless = (tenant: Tenant) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const decider = yield* Decider
    const { connection, workspace } = tenant
    const scripted = (yield* ChannelProviders).byKind.get("scripted")
    if (scripted === undefined) throw new Error("no provider")
    const message = { providerMessageId: "1", from: handle, body: "hi", subject: null, displayName: null }
    const event = InboundEvent.Message({ ...message, attachments: [], automatic: false })
    yield* Effect.flatMap(Inbound, (inbound) => inbound.take(connection, [event]))
    const [contact] = yield* storage.list({
      from: "contacts",
      where: { workspaceId: workspace.id },
      after: null,
      limit: 2
    })
    const id = contact?.id ?? ""
    const requests = yield* Ref.make<ReadonlyArray<string>>([])
    const ask = (answer: Effect.Effect<string | null, ProviderUnavailable>, age = 0) => {
      const job = aJob({
        id,
        reference: id,
        payload: { task: "fetch_profile", handle, failingSince: Date.now() - age }
      })
      const profileName = (_: unknown, __: unknown, handle: string) =>
        Effect.zipRight(
          Ref.update(requests, (before) => [...before, handle]),
          answer
        )
      const reach = { connection, provider: { ...scripted, profileName }, credentials: null }
      return fetchProfile(storage, scripted.channels, decider)(job, reach)
    }
    const erase = storage.commit(
      changes(workspace.id, { expects: [expected("contacts", { id })], deletes: [remove("contacts", { id })] })
    )
    return { ask, requests: Ref.get(requests), contact: readById(storage, "contacts", id), erase }
  })

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true, timeout: 60_000 })(`a profile name on ${name}`, (it) => {
    it.effect("is set once for a contact without a name", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { ask, requests, contact } = yield* nameless(tenant)
        expect(yield* ask(Effect.succeed(" Zoë\u0000 "))).toBeNull()
        expect(yield* requests).toEqual([handle])
        expect(yield* contact).toMatchObject({ firstName: "Zoë", identities: [{ handle, displayName: "Zoë" }] })
        expect(yield* ask(Effect.succeed("Zoë"))).toBeNull()
        const { events } = yield* (yield* Storage).read({
          events: lookup("events", { workspaceId: tenant.workspace.id })
        })
        expect(events.filter(({ type }) => type === "contact.updated")).toHaveLength(1)
      })
    )
    it.effect("changes nothing if the vendor has none", () =>
      Effect.gen(function* () {
        const { ask, contact } = yield* nameless(yield* newTenant)
        for (const answer of [null, "", " \u0000"]) expect(yield* ask(Effect.succeed(answer))).toBeNull()
        expect(yield* contact).toMatchObject({ firstName: null, version: 1 })
      })
    )
    it.effect("is dropped if the contact is deleted", () =>
      Effect.gen(function* () {
        const { ask, contact, erase } = yield* nameless(yield* newTenant)
        yield* erase
        expect(yield* ask(Effect.succeed("Zoë"))).toBeNull()
        expect(yield* contact).toBeUndefined()
      })
    )
    it.effect("is retried for a day", () =>
      Effect.gen(function* () {
        const { ask } = yield* nameless(yield* newTenant)
        const down = Effect.fail(new ProviderUnavailable({ reason: "down" }))
        expect(yield* Effect.flip(ask(down))).toMatchObject({ _tag: "ProviderUnavailable" })
        expect(yield* ask(down, day)).toBeNull()
      })
    )
  })
}
