import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { administer, type Caller, Hosts, hosts, newCaller, post, reported, stored } from "./hosts.js"

const stages = [
  { key: "new", name: "New" },
  { key: "won", name: "Won" }
]
const newPipeline = ({ workspaceId }: Caller, name = "Sales", its: ReadonlyArray<object> = stages) =>
  administer(201, "POST", "/pipelines", { workspace_id: workspaceId, name, stages: its })
const newContact = (caller: Caller) =>
  Effect.flatMap(Hosts, ({ one }) =>
    Effect.map(
      post(one, caller, "/contacts", { email: "ada@example.org" }, "contact"),
      ({ json }) => (json as { readonly data: { readonly id: string } }).data.id
    )
  )

/** A caller whose workspace has a pipeline and a contact. */
const newShop = Effect.gen(function* () {
  const caller = yield* newCaller()
  const pipeline = yield* newPipeline(caller)
  return { ...caller, pipelineId: pipeline.id as string, contactId: yield* newContact(caller) }
})
const create = (caller: Caller, json: unknown, key: string) =>
  Effect.flatMap(Hosts, ({ one }) => post(one, caller, "/leads", json, key))
const created = (caller: Caller, json: unknown, key: string) =>
  Effect.map(create(caller, json, key), ({ json, status, error }) => {
    expect([status, error]).toEqual([201, null])
    return (json as { readonly data: any }).data
  })
const newEndpoint = (caller: Caller, events: ReadonlyArray<string>) =>
  administer(201, "POST", `/applications/${caller.applicationId}/webhook-endpoints`, {
    url: "https://shop.example/hook",
    events
  })
/** Types of the events due for an endpoint, newest first. */
const receivedBy = ({ id }: { readonly id: string }) =>
  Effect.map(administer(200, "GET", `/webhook-endpoints/${id}/deliveries`), (deliveries) =>
    deliveries.map(({ event_type }: { readonly event_type: string }) => event_type)
  )

const unknownId = "01900000-0000-7000-8000-00000000dead"
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`POST /leads on ${name}`, (it) => {
    it.effect("returns the complete lead", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const body = { contact_id: shop.contactId, title: "Ten cakes ü😀", value: 129.9, currency: "eur" }
        const full = { ...body, pipeline_id: shop.pipelineId, stage: "won" }
        const answer = yield* create(shop, full, "whole")
        expect(answer.status).toBe(201)
        const { data } = answer.json as { readonly data: any }
        expect(data).toEqual({ ...full, id: data.id, currency: "EUR", created_at: time, updated_at: data.created_at })
        expect(yield* administer(200, "GET", `/leads/${data.id}`)).toEqual({ ...data, workspace_id: shop.workspaceId })
      })
    )

    it.effect("uses the first stage of the oldest pipeline by default", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* newPipeline(shop, "Second", [{ key: "due", name: "Due" }])
        expect(yield* created(shop, { contact_id: shop.contactId.toUpperCase() }, "least")).toMatchObject({
          contact_id: shop.contactId,
          pipeline_id: shop.pipelineId,
          stage: "new",
          title: null,
          value: null,
          currency: null
        })
      })
    )

    it.effect("stores numbers unchanged", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        for (const value of [0, 0.1, 19.99, 1e-7, 999_999_999_999.99, 1e12]) {
          const { id } = yield* created(shop, { contact_id: shop.contactId, value }, `worth ${value}`)
          expect((yield* administer(200, "GET", `/leads/${id}`)).value).toBe(value)
        }
      })
    )

    it.effect("reports problems by field, stores nothing, and leaves the key free", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const stranger = yield* newShop
        const good = { contact_id: shop.contactId }
        const contact = "must be the id of a contact of this workspace"
        const pipeline = "must be the id of a pipeline of this workspace"
        const stage = "must be the key of a stage of the pipeline"
        const value = "must be a number from 0 to 1000000000000"
        const currency = "must be a currency of ISO 4217: three letters"
        const unstorable = "must be valid Unicode text without U+0000"
        const wrong: ReadonlyArray<readonly [body: unknown, details: { readonly [field: string]: string }]> = [
          [{}, { contact_id: "is required" }],
          [{ contact_id: "7" }, { contact_id: "must be a UUID" }],
          [{ contact_id: unknownId }, { contact_id: contact }],
          [{ contact_id: stranger.contactId }, { contact_id: contact }],
          [{ ...good, pipeline_id: 7 }, { pipeline_id: "must be a UUID" }],
          [{ ...good, pipeline_id: unknownId }, { pipeline_id: pipeline }],
          [{ ...good, pipeline_id: stranger.pipelineId }, { pipeline_id: pipeline }],
          [{ ...good, stage: "gone" }, { stage }],
          [{ ...good, stage: "New" }, { stage }],
          [{ ...good, stage: {} }, { stage: "must be a string" }],
          [{ ...good, stage: "s".repeat(65) }, { stage: "must be at most 64 characters" }],
          [{ ...good, title: "t".repeat(256) }, { title: "must be at most 255 characters" }],
          [{ ...good, title: "t\0" }, { title: unstorable }],
          [{ ...good, title: 5 }, { title: "must be a string" }],
          [{ ...good, value: "5" }, { value }],
          [{ ...good, value: -0.01 }, { value }],
          [{ ...good, value: 1_000_000_000_000.01 }, { value }],
          [`{"contact_id":"${shop.contactId}","value":1e999}`, { value }],
          [{ ...good, currency: "EURO" }, { currency }],
          [{ ...good, currency: "E1R" }, { currency }],
          [{ ...good, currency: 978 }, { currency }],
          [
            { contact_id: unknownId, pipeline_id: unknownId, stage: "gone", value: -1, currency: "€" },
            { contact_id: contact, pipeline_id: pipeline, value, currency }
          ]
        ]
        for (const [body, details] of wrong) {
          const refusal = reported(yield* create(shop, body, "the one key"))
          const message = Object.fromEntries(Object.entries(details).map(([field, one]) => [field, [one]]))
          expect(refusal, JSON.stringify(body)).toEqual([422, "validation_failed", message])
        }
        expect(yield* stored("leads", shop.workspaceId)).toEqual([])
        yield* created(shop, good, "the one key")
      })
    )

    it.effect("says what to do in a workspace without pipelines", () =>
      Effect.gen(function* () {
        const caller = yield* newCaller()
        const contact_id = yield* newContact(caller)
        const message = "has no default, because the workspace has no pipeline: ask its administrator to create one"
        expect(reported(yield* create(caller, { contact_id }, "k"))).toEqual([
          422,
          "validation_failed",
          { pipeline_id: [message] }
        ])
        yield* newPipeline(caller)
        yield* created(caller, { contact_id }, "k")
      })
    )

    it.effect("checks the scope before the body, and requires a key", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const narrow = yield* newCaller({ scopes: ["leads.read", "contacts.write"] })
        expect(reported(yield* create(narrow, "{", "k"))).toEqual([
          403,
          "forbidden",
          { required_scope: "leads.create" }
        ])
        const shop = yield* newShop
        const keyless = yield* one("POST", "/api/v1/leads", { token: shop.key, json: { contact_id: shop.contactId } })
        expect(reported(keyless)).toEqual([400, "bad_request", { "Idempotency-Key": ["is required"] }])
      })
    )

    it.effect("replays the first response on every host, and creates nothing twice", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Hosts
        const shop = yield* newShop
        const endpoint = yield* newEndpoint(shop, ["lead.created"])
        const body = { contact_id: shop.contactId, title: "Once" }
        const first = yield* post(one, shop, "/leads", body, "once")
        yield* administer(200, "PATCH", `/leads/${(first.json as any).data.id}`, { stage: "won" })
        const again = yield* post(other, shop, "/leads", body, "once")
        expect([again.status, again.text]).toEqual([201, first.text])
        expect([first, again].map(({ headers }) => headers["idempotency-replayed"])).toEqual([undefined, "true"])
        expect(again.headers["x-request-id"]).not.toBe(first.headers["x-request-id"])
        const changed = yield* post(one, shop, "/leads", { ...body, title: "Twice" }, "once")
        expect(reported(changed).slice(0, 2)).toEqual([409, "idempotency_conflict"])
        expect(yield* stored("leads", shop.workspaceId)).toHaveLength(1)
        expect(yield* receivedBy(endpoint)).toEqual(["lead.created"])
      })
    )

    it.effect("creates one lead from concurrent requests with one key on two hosts", () =>
      Effect.gen(function* () {
        const { one, other } = yield* Hosts
        const shop = yield* newShop
        const body = { contact_id: shop.contactId }
        const answers = yield* Effect.all(
          Array.from({ length: 12 }, (_, index) => post(index % 2 === 0 ? one : other, shop, "/leads", body, "race")),
          { concurrency: "unbounded" }
        )
        expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
        expect(answers.filter(({ headers }) => headers["idempotency-replayed"] === undefined)).toHaveLength(1)
        expect(yield* stored("leads", shop.workspaceId)).toHaveLength(1)
      })
    )

    it.effect("notifies every subscribed application of the workspace, and no other", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const sibling = yield* newCaller({ workspaceId: shop.workspaceId })
        const deaf = yield* newCaller({ workspaceId: shop.workspaceId })
        const stranger = yield* newShop
        const endpoints = yield* Effect.all([
          newEndpoint(shop, ["lead.created", "lead.stage_changed"]),
          newEndpoint(sibling, ["*"]),
          newEndpoint(deaf, ["lead.stage_changed"]),
          newEndpoint(stranger, ["*"])
        ])
        yield* administer(200, "PATCH", `/applications/${deaf.applicationId}`, { scopes: ["leads.create"] })
        const { id } = yield* created(shop, { contact_id: shop.contactId }, "heard")
        yield* administer(200, "PATCH", `/leads/${id}`, { stage: "won" })
        const both = ["lead.stage_changed", "lead.created"]
        expect(yield* Effect.forEach(endpoints, receivedBy)).toEqual([both, both, [], []])
      })
    )

    it.effect("is refused while the workspace is suspended", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* administer(200, "PATCH", `/workspaces/${shop.workspaceId}`, { status: "suspended" })
        expect(reported(yield* create(shop, { contact_id: shop.contactId }, "k")).slice(0, 2)).toEqual([
          423,
          "workspace_suspended"
        ])
      })
    )
  })
}
