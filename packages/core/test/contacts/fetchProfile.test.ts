import { expect, layer } from "@effect/vitest"
import { aJob, databases } from "@parley/testkit"
import { Effect, Ref } from "effect"
import { fetchProfile } from "../../src/contacts/fetchProfile.js"
import { Decider } from "../../src/Decider.js"
import { day } from "../../src/Instant.js"
import { Inbound } from "../../src/inbound/Inbound.js"
import { InboundEvent } from "../../src/inbound/InboundEvent.js"
import { changes, expect as expected, remove } from "../../src/ports/Changes.js"
import { ChannelProviders, ProviderUnavailable } from "../../src/ports/ChannelProvider.js"
import { lookup, readById, Storage } from "../../src/ports/Storage.js"
import { engine, newTenant, type Tenant } from "../harness.js"

const handle = "+491701000001"

/** A customer who wrote without a name, and what asking for it comes to where the vendor answers this. */
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
    const asked = yield* Ref.make<ReadonlyArray<string>>([])
    const ask = (answer: Effect.Effect<string | null, ProviderUnavailable>, age = 0) => {
      const job = aJob({ id, reference: id, createdAt: Date.now() - age, payload: { task: "fetch_profile", handle } })
      const profileName = (_: unknown, __: unknown, handle: string) =>
        Effect.zipRight(
          Ref.update(asked, (before) => [...before, handle]),
          answer
        )
      const reach = { connection, provider: { ...scripted, profileName }, credentials: null }
      return fetchProfile(storage, decider)(job, reach)
    }
    const erase = storage.commit(
      changes(workspace.id, { expects: [expected("contacts", { id })], deletes: [remove("contacts", { id })] })
    )
    return { ask, asked: Ref.get(asked), contact: readById(storage, "contacts", id), erase }
  })

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true, timeout: 60_000 })(`a profile on ${name}`, (it) => {
    it.effect("names a customer who has no name yet, once", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const { ask, asked, contact } = yield* nameless(tenant)
        expect(yield* ask(Effect.succeed(" Zoë\u0000 "))).toBeNull()
        expect(yield* asked).toEqual([handle])
        expect(yield* contact).toMatchObject({ firstName: "Zoë", identities: [{ handle, displayName: "Zoë" }] })
        expect(yield* ask(Effect.succeed("Zoë"))).toBeNull()
        const { events } = yield* (yield* Storage).read({
          events: lookup("events", { workspaceId: tenant.workspace.id })
        })
        expect(events.filter(({ type }) => type === "contact.updated")).toHaveLength(1)
      })
    )
    it.effect("changes nothing where the vendor has no name", () =>
      Effect.gen(function* () {
        const { ask, contact } = yield* nameless(yield* newTenant)
        for (const answer of [null, "", " \u0000"]) expect(yield* ask(Effect.succeed(answer))).toBeNull()
        expect(yield* contact).toMatchObject({ firstName: null, version: 1 })
      })
    )
    it.effect("of a contact that is gone is nobody's", () =>
      Effect.gen(function* () {
        const { ask, contact, erase } = yield* nameless(yield* newTenant)
        yield* erase
        expect(yield* ask(Effect.succeed("Zoë"))).toBeNull()
        expect(yield* contact).toBeUndefined()
      })
    )
    it.effect("is asked for again for a day", () =>
      Effect.gen(function* () {
        const { ask } = yield* nameless(yield* newTenant)
        const down = Effect.fail(new ProviderUnavailable({ reason: "down" }))
        expect(yield* Effect.flip(ask(down))).toMatchObject({ _tag: "ProviderUnavailable" })
        expect(yield* ask(down, day)).toBeNull()
      })
    )
  })
}
