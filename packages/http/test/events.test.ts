import { expect, layer } from "@effect/vitest"
import { scopes } from "@parley/core"
import { Effect, FastCheck as fc } from "effect"
import { administer, adminToken, type Caller, Hosts, hosts, newCaller, post, reported, stored } from "./hosts.js"

const shipped = "order.shipped"
const handle = "+4915112345678"
const identity = { channel: "whatsapp", external_id: handle }

/** A caller whose workspace has one contact with a phone number and an email address. */
const newShop = Effect.gen(function* () {
  const caller = yield* newCaller()
  const { one } = yield* Hosts
  const made = yield* post(one, caller, "/contacts", { phone: handle, email: "ada@example.org" }, "contact")
  return { ...caller, contactId: (made.json as { readonly data: { readonly id: string } }).data.id }
})

const newWorkflow = ({ workspaceId }: Caller, event = shipped) =>
  administer(201, "POST", "/workflows", {
    workspace_id: workspaceId,
    name: `On ${event}`,
    trigger: { type: "external_event", event },
    actions: [{ type: "notify", message: "It is on its way." }]
  })
const published = (caller: Caller, event = shipped) =>
  Effect.flatMap(newWorkflow(caller, event), ({ id }) => administer(200, "POST", `/workflows/${id}/publish`))

const send = (caller: Caller, json: unknown, key: string) =>
  Effect.flatMap(Hosts, ({ one }) => post(one, caller, "/events", json, key))

/** The `workflows_matched` of an event with this name. */
const matched = (caller: Caller & { readonly contactId: string }, event: string, key: string) =>
  Effect.map(send(caller, { event, contact_id: caller.contactId }, key), ({ status, json }) => {
    expect(status).toBe(202)
    return (json as { readonly data: { readonly workflows_matched: number } }).data.workflows_matched
  })

const someId = "01900000-0000-7000-8000-00000000dead"
const objects = (levels: number) => `${`{"a":`.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`POST /events on ${name}`, (it) => {
    it.effect("stores the event with all its data, and returns the number of matching workflows", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* published(shop)
        const data = { order: { id: 7, lines: [{ sku: "A-1", count: 2.5 }], paid: true, note: null }, "": "ü😀" }
        const body = { event: shipped, contact_id: shop.contactId, identity, dedupe_key: "7 shipped", data }
        const answer = yield* send(shop, body, "order-7")
        expect([answer.status, answer.text]).toEqual([202, '{"data":{"workflows_matched":1}}'])
        expect(yield* stored("businessEvents", shop.workspaceId)).toEqual([
          {
            id: expect.any(String),
            workspaceId: shop.workspaceId,
            applicationId: shop.applicationId,
            name: shipped,
            contactId: shop.contactId,
            dedupeKey: "7 shipped",
            idempotencyKey: "order-7",
            data,
            createdAt: expect.any(Number)
          }
        ])
      })
    )

    it.effect("keeps all digits of numbers, which also tell requests apart", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const { id } = yield* published(shop)
        const data = '{"order":12345678901234567891,"parts":[0.12345678901234567891]}'
        const body = `{"event":"${shipped}","contact_id":"${shop.contactId}","data":${data}}`
        expect((yield* send(shop, body, "digits")).status).toBe(202)
        expect((yield* send(shop, body, "digits")).headers["idempotency-replayed"]).toBe("true")
        expect(reported(yield* send(shop, body.replace("891}", "892}").replace("891,", "892,"), "digits"))).toEqual([
          409,
          "idempotency_conflict",
          { reason: "different_request" }
        ])
        const [run] = yield* administer(200, "GET", `/workflows/${id}/runs`)
        const { one } = yield* Hosts
        const shown = yield* one("GET", `/admin/v1/workflow-runs/${run.id}`, { token: adminToken })
        expect(shown.text).toContain(`"data":${data}`)
      })
    )

    it.effect("finds the contact by any identity in any notation", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const ways = [
          { contact_id: shop.contactId.toUpperCase() },
          { identity },
          // A WhatsApp number and a phone number are the same address.
          { identity: { channel: "phone", external_id: "0049 (151) 123-45678" } },
          { identity: { channel: "email", external_id: " Ada@Example.ORG " } },
          { contact_id: shop.contactId, identity: { channel: "email", external_id: "ada@example.org" } }
        ]
        for (const [index, way] of ways.entries()) {
          expect((yield* send(shop, { event: shipped, ...way }, `${index}`)).status, JSON.stringify(way)).toBe(202)
        }
        const events = yield* stored("businessEvents", shop.workspaceId)
        expect(events.map(({ contactId }) => contactId)).toEqual(ways.map(() => shop.contactId))
      })
    )

    it.effect("reports problems by field, stores nothing, and leaves the key free", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const stranger = yield* newShop
        const { one } = yield* Hosts
        const other = yield* post(one, shop, "/contacts", { email: "bob@example.org" }, "bob")
        const bob = (other.json as { readonly data: { readonly id: string } }).data.id
        const good = { event: shipped, contact_id: shop.contactId }
        const inWorkspace = "must be the id of a contact of this workspace"
        const depth = "must be nested at most 32 levels deep"
        const channels = "must be one of whatsapp, telegram, instagram, facebook, email, phone"
        const number = "must be a phone number in E.164: + and 7 to 15 digits"
        const wrong: ReadonlyArray<readonly [body: unknown, details: { readonly [field: string]: string }]> = [
          [{ ...good, event: undefined }, { event: "is required" }],
          [{ ...good, event: "" }, { event: "is required" }],
          [{ ...good, event: 7 }, { event: "must be a string" }],
          [{ ...good, event: "x".repeat(256) }, { event: "must be at most 255 characters" }],
          [{ ...good, event: "a\0" }, { event: "must be valid Unicode text without U+0000" }],
          [
            { event: shipped },
            {
              contact_id: "is required unless identity is given",
              identity: "is required unless contact_id is given"
            }
          ],
          [{ ...good, contact_id: "7" }, { contact_id: "must be a UUID" }],
          [{ ...good, contact_id: someId }, { contact_id: inWorkspace }],
          [{ ...good, contact_id: stranger.contactId }, { contact_id: inWorkspace }],
          [{ event: shipped, identity: handle }, { identity: "must be an object" }],
          [
            { event: shipped, identity: {} },
            { "identity.channel": "is required", "identity.external_id": "is required" }
          ],
          [{ event: shipped, identity: { channel: "webchat", external_id: "v" } }, { "identity.channel": channels }],
          [
            { event: shipped, identity: { channel: "email", external_id: "x".repeat(256) } },
            { "identity.external_id": "must be at most 255 characters" }
          ],
          [{ event: shipped, identity: { channel: "phone", external_id: "12" } }, { "identity.external_id": number }],
          [
            { event: shipped, identity: { channel: "email", external_id: "nobody" } },
            { "identity.external_id": "must be an email address" }
          ],
          [
            { event: shipped, identity: { channel: "whatsapp", external_id: "+4915199999999" } },
            { identity: "must be an identity of a contact of this workspace" }
          ],
          [
            { event: shipped, contact_id: bob, identity },
            { identity: "must be an identity of the contact that contact_id names" }
          ],
          [{ ...good, dedupe_key: 7 }, { dedupe_key: "must be a string" }],
          [{ ...good, dedupe_key: "x".repeat(256) }, { dedupe_key: "must be at most 255 characters" }],
          [{ ...good, data: [] }, { data: "must be an object" }],
          [{ ...good, data: "{}" }, { data: "must be an object" }],
          [{ ...good, data: { a: ["\0"] } }, { data: "must hold valid Unicode text without U+0000 only" }],
          [{ ...good, data: { "\ud800": 1 } }, { data: "must hold valid Unicode text without U+0000 only" }],
          [
            `{"event":"e","contact_id":"${shop.contactId}","data":{"a":1e999}}`,
            { data: "must hold numbers below 1.8e308 only" }
          ],
          ...[33, 99, 100, 1_000, 150_000].map(
            (levels) =>
              [`{"event":"e","contact_id":"${shop.contactId}","data":${objects(levels)}}`, { data: depth }] as const
          ),
          [
            { event: [], contact_id: 1, dedupe_key: {}, data: 1 },
            {
              event: "must be a string",
              contact_id: "must be a UUID",
              dedupe_key: "must be a string",
              data: "must be an object"
            }
          ]
        ]
        for (const [body, details] of wrong) {
          const answer = yield* send(shop, body, "free")
          const problems = Object.fromEntries(Object.entries(details).map(([field, message]) => [field, [message]]))
          const what = typeof body === "string" ? body.slice(0, 80) : JSON.stringify(body)
          expect(reported(answer), what).toEqual([422, "validation_failed", problems])
        }
        expect(yield* stored("businessEvents", shop.workspaceId)).toEqual([])
        expect((yield* send(shop, good, "free")).headers["idempotency-replayed"]).toBeUndefined()
      })
    )

    it.effect("accepts texts of every allowed length, and data of 32 levels", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const long = "😀".repeat(255)
        const body = { event: long, contact_id: shop.contactId, dedupe_key: long, data: JSON.parse(objects(32)) }
        expect((yield* send(shop, body, "k".repeat(255))).status).toBe(202)
        const [event] = yield* stored("businessEvents", shop.workspaceId)
        expect(event).toMatchObject({ name: long, dedupeKey: long, data: body.data })
      })
    )

    it.effect("returns data of any shape unchanged", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const text = fc.string({ unit: "grapheme" }).filter((some) => !some.includes("\0"))
        const data = fc.dictionary(
          text,
          fc.jsonValue({
            maxDepth: 4,
            stringUnit: "grapheme-composite"
          })
        )
        // Names with a meaning in JavaScript.
        const special = ['{"toString":1}', '{"__proto__":{"a":1}}', '{"toJSON":1}', '{"a":[{"__proto__":1}]}']
        const rateToken = fc.sample(data, 40).map((some) => JSON.stringify(some))
        const samples = [...special, ...rateToken.filter((some) => !some.includes("\\u0000"))]
        for (const [index, given] of samples.entries()) {
          const body = `{"event":"e","contact_id":"${shop.contactId}","data":${given}}`
          expect((yield* send(shop, body, `${index}`)).status, given).toBe(202)
        }
        const events = yield* stored("businessEvents", shop.workspaceId)
        const kept = new Map(events.map((event) => [event.idempotencyKey, JSON.stringify(event.data)]))
        expect(samples.map((_, index) => kept.get(`${index}`))).toEqual(
          samples.map((given) => JSON.stringify(JSON.parse(given)))
        )
      })
    )

    it.effect("requires its scope and a key", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const { workspaceId } = shop
        const scoped = yield* newCaller({ workspaceId, scopes: scopes.filter((scope) => scope !== "events.send") })
        const body = { event: shipped, contact_id: shop.contactId }
        expect(reported(yield* send(scoped, body, "k"))).toEqual([403, "forbidden", { required_scope: "events.send" }])
        const { one } = yield* Hosts
        const keyless = yield* one("POST", "/api/v1/events", { token: shop.key, json: body })
        expect(reported(keyless)).toEqual([400, "bad_request", { "Idempotency-Key": ["is required"] }])
        const only = yield* newCaller({ workspaceId, scopes: ["events.send"] })
        expect((yield* send(only, body, "k")).status).toBe(202)
      })
    )

    it.effect("replays its response for the same key, and rejects the key for another request", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const body = { event: shipped, contact_id: shop.contactId, data: { a: 1, b: 2 } }
        const first = yield* send(shop, body, "order-7")
        yield* published(shop)
        const again = yield* send(shop, { data: { b: 2, a: 1 }, contact_id: shop.contactId, event: shipped }, "order-7")
        expect([again.status, again.text]).toEqual([202, first.text])
        expect(first.headers["idempotency-replayed"]).toBeUndefined()
        expect(again.headers["idempotency-replayed"]).toBe("true")
        expect(again.headers["x-request-id"]).not.toBe(first.headers["x-request-id"])
        expect(reported(yield* send(shop, { ...body, data: { a: 1, b: 3 } }, "order-7"))).toEqual([
          409,
          "idempotency_conflict",
          { reason: "different_request" }
        ])
        expect(yield* stored("businessEvents", shop.workspaceId)).toHaveLength(1)
        // Keys belong to an application: another application may use the same one.
        const neighbour = yield* newCaller({ workspaceId: shop.workspaceId })
        expect((yield* send(neighbour, body, "order-7")).text).toBe('{"data":{"workflows_matched":1}}')
        expect(yield* stored("businessEvents", shop.workspaceId)).toHaveLength(2)
      })
    )

    it.effect("runs once for concurrent requests with one key on two hosts", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* published(shop)
        const { one, other } = yield* Hosts
        const body = { event: shipped, contact_id: shop.contactId }
        const keys = Array.from({ length: 10 }, (_, n) => `order-${n}`)
        const answers = yield* Effect.forEach(
          keys.flatMap((key) => [one, other, one, other].map((host) => ({ host, key }))),
          ({ host, key }) => Effect.map(post(host, shop, "/events", body, key), (answer) => ({ key, answer })),
          { concurrency: "unbounded" }
        )
        for (const { answer } of answers) {
          expect([answer.status, answer.text]).toEqual([202, '{"data":{"workflows_matched":1}}'])
        }
        for (const key of keys) {
          const ofKey = answers.filter((sent) => sent.key === key)
          expect(ofKey.filter(({ answer }) => answer.headers["idempotency-replayed"] === undefined)).toHaveLength(1)
        }
        const events = yield* stored("businessEvents", shop.workspaceId)
        expect(events.map(({ idempotencyKey }) => idempotencyKey).sort()).toEqual([...keys].sort())
      })
    )

    it.effect("counts the published workflows of its workspace with exactly this trigger", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const stranger = yield* newShop
        yield* published(stranger)
        yield* newWorkflow(shop)
        expect(yield* matched(shop, shipped, "1")).toBe(0)
        const { id } = yield* published(shop)
        yield* published(shop)
        for (const event of ["Order.shipped", " order.shipped", "order.shipped ", "order.shıpped", "order"]) {
          yield* published(shop, event)
        }
        expect(yield* matched(shop, shipped, "2")).toBe(2)
        expect(yield* matched(shop, "ORDER.SHIPPED", "3")).toBe(0)
        expect(yield* matched(shop, "order.shipped ", "4")).toBe(1)
        expect(yield* matched(shop, "order.%", "5")).toBe(0)
        yield* administer(200, "POST", `/workflows/${id}/unpublish`)
        expect(yield* matched(shop, shipped, "6")).toBe(1)
        yield* administer(200, "PATCH", `/workflows/${id}`, {
          trigger: { type: "external_event", event: "order.late" }
        })
        yield* administer(200, "POST", `/workflows/${id}/publish`)
        expect([yield* matched(shop, shipped, "7"), yield* matched(shop, "order.late", "8")]).toEqual([1, 1])
      })
    )

    it.effect("counts them for a duplicate too", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* published(shop)
        for (const key of ["1", "2"]) {
          const body = { event: shipped, contact_id: shop.contactId, dedupe_key: "same" }
          expect((yield* send(shop, body, key)).text).toBe('{"data":{"workflows_matched":1}}')
        }
      })
    )
  })
}
