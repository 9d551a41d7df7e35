import { readFile } from "node:fs/promises"
import { expect, layer } from "@effect/vitest"
import { catalogue, type EntitledOperation, Entitlements, errorCodes, type Refusal, refuse } from "@parley/core"
import { Effect, Layer } from "effect"
import { it } from "vitest"
import { type Account, acmeEntitlements } from "./acmeEntitlements.js"
import { administer, Hosts, hosts, newCaller, post, reported, stored } from "./hosts.js"

/** Entitlements that refuse what the test sets, and record each check. */
const scripted = () => {
  const refusals = new Map<string, Refusal>()
  const requests: Array<readonly [applicationId: string, operation: string]> = []
  const live = Layer.succeed(Entitlements, {
    check: ({ id }, operation) =>
      Effect.suspend(() => {
        requests.push([id, operation])
        const refusal = refusals.get(id)
        return refusal === undefined ? Effect.void : Effect.fail(refusal)
      })
  })
  const askedOf = (applicationId: string) => requests.filter(([id]) => id === applicationId).map(([, what]) => what)
  return { refusals, live, askedOf }
}

interface Write {
  readonly path: string
  readonly json: object
  readonly wrong: object
  readonly status: number
}

/** A caller with all write scopes, and one call per operation. */
const newShop = Effect.gen(function* () {
  const caller = yield* newCaller({ email: true })
  const { one } = yield* Hosts
  const stages = [{ key: "new", name: "New" }]
  yield* administer(201, "POST", "/pipelines", { workspace_id: caller.workspaceId, name: "Sales", stages })
  const made = yield* post(one, caller, "/contacts", { email: "ada@example.org" }, "contact")
  const contact_id = (made.json as { readonly data: { readonly id: string } }).data.id
  const text = { channel: "email", to: "ada@example.org", type: "text", message: { body: "Hello" } }
  const writes: { readonly [operation in EntitledOperation]: Write } = {
    "contacts.create": { path: "/contacts", json: { email: "bob@example.org" }, wrong: {}, status: 201 },
    "messages.send": { path: "/messages", json: text, wrong: { ...text, to: "nobody" }, status: 202 },
    "leads.create": { path: "/leads", json: { contact_id }, wrong: { contact_id: "1" }, status: 201 },
    "events.send": { path: "/events", json: { event: "e", contact_id }, wrong: { event: "e" }, status: 202 }
  }
  return { ...caller, contactId: contact_id, writes: Object.entries(writes) }
})

const tables = ["contacts", "messages", "leads", "businessEvents"] as const
const counted = (workspaceId: string) =>
  Effect.forEach(tables, (table) => Effect.map(stored(table, workspaceId), (rows) => rows.length))

const { refusals, live: entitlements, askedOf } = scripted()

for (const [name, live] of hosts(entitlements)) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`entitlements on ${name}`, (it) => {
    it.effect("are checked for each new write, but not for replays", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const { one, other } = yield* Hosts
        expect(askedOf(shop.applicationId)).toEqual(["contacts.create"])
        for (const [operation, { path, json, wrong, status }] of shop.writes) {
          const before = askedOf(shop.applicationId).length
          const since = () => askedOf(shop.applicationId).slice(before)
          expect((yield* post(one, shop, path, wrong, operation)).status).toBe(422)
          expect(since()).toEqual([])
          const first = yield* post(one, shop, path, json, operation)
          expect([first.status, since()]).toEqual([status, [operation]])
          refusals.set(shop.applicationId, refuse("limit_reached"))
          const replay = yield* post(other, shop, path, json, operation)
          expect([replay.status, replay.text, replay.headers["idempotency-replayed"]]).toEqual([
            status,
            first.text,
            "true"
          ])
          const conflict = yield* post(other, shop, path, { ...json, more: 1 }, operation)
          expect([conflict.status, since()]).toEqual([409, [operation]])
          refusals.delete(shop.applicationId)
        }
      })
    )

    it.effect("are not checked for reads", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const { one } = yield* Hosts
        const before = askedOf(shop.applicationId)
        refusals.set(shop.applicationId, refuse("feature_not_in_plan"))
        for (const path of [`/contacts/${shop.contactId}`, "/contacts", "/conversations", "/templates", "/channels"]) {
          expect([path, (yield* one("GET", `/api/v1${path}`, { token: shop.key })).status]).toEqual([path, 200])
        }
        expect(askedOf(shop.applicationId)).toEqual(before)
      })
    )

    it.effect("are checked after all other rules and the sends bucket", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const { one } = yield* Hosts
        refusals.set(shop.applicationId, refuse("limit_reached"))
        yield* administer(200, "PATCH", `/applications/${shop.applicationId}`, { limits: { sends_per_minute: 2 } })
        const text = { channel: "whatsapp", to: "+4915112345678", type: "text", message: { body: "Hello" } }
        expect(reported(yield* post(one, shop, "/messages", text, "m"))).toEqual([
          403,
          "forbidden",
          { channel: "whatsapp" }
        ])
        const email = { ...text, channel: "email", to: "ada@example.org" }
        expect(reported(yield* post(one, shop, "/messages", email, "m"))[1]).toBe("limit_reached")
        expect(reported(yield* post(one, shop, "/messages", email, "m"))[1]).toBe("rate_limited")
      })
    )

    it.effect("raise every code of the catalogue with status, message and details, and nothing is written", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const { one } = yield* Hosts
        const before = yield* counted(shop.workspaceId)
        for (const code of errorCodes) {
          const details = { [code]: { limit: 5, units: ["a", null] } }
          refusals.set(shop.applicationId, refuse(code, details, `No: ${code}.`))
          for (const [operation, { path, json }] of shop.writes) {
            const { error, headers, status } = yield* post(one, shop, path, json, operation)
            expect([operation, status, error]).toEqual([
              operation,
              catalogue[code].status,
              { code, message: `No: ${code}.`, details, request_id: headers["x-request-id"] }
            ])
          }
        }
        expect(yield* counted(shop.workspaceId)).toEqual(before)
        refusals.delete(shop.applicationId)
        // The idempotency keys of these refusals are free.
        for (const [operation, { path, json, status }] of shop.writes) {
          const answer = yield* post(one, shop, path, json, operation)
          expect([answer.status, answer.headers["idempotency-replayed"]]).toEqual([status, undefined])
        }
        expect(yield* counted(shop.workspaceId)).toEqual(before.map((count) => count + 1))
      })
    )
  })
}

const accounts = new Map<string, Account>()
const rich: Account = { contacts: { used: 0, limit: 1 }, balanceCents: 100 }
const accountOf = (workspaceId: string) => Effect.sync(() => accounts.get(workspaceId) ?? rich)

for (const [name, live] of hosts(acmeEntitlements(accountOf)).slice(0, 1)) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(
    `the entitlements of the documentation on ${name}`,
    (it) => {
      it.effect("refuse contacts beyond the plan and messages beyond the balance", () =>
        Effect.gen(function* () {
          const shop = yield* newShop
          const { one } = yield* Hosts
          const write = (operation: EntitledOperation) => {
            const { path, json } = Object.fromEntries(shop.writes)[operation] as Write
            return Effect.map(post(one, shop, path, json, operation), (answer) => reported(answer))
          }
          accounts.set(shop.workspaceId, { contacts: { used: 500, limit: 500 }, balanceCents: 3 })
          const limit = { resource: "contacts", used: 500, limit: 500 }
          expect(yield* write("contacts.create")).toEqual([402, "limit_reached", limit])
          const balance = { balance_cents: 3, price_cents: 5 }
          expect(yield* write("messages.send")).toEqual([422, "insufficient_balance", balance])
          expect((yield* write("events.send"))[0]).toBe(202)
          accounts.set(shop.workspaceId, { contacts: { used: 499, limit: 500 }, balanceCents: 5 })
          expect([(yield* write("contacts.create"))[0], (yield* write("messages.send"))[0]]).toEqual([201, 202])
        })
      )
    }
  )
}

it("the documentation contains this example verbatim", async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8")
  expect(await read("../../../docs/entitlements.md")).toContain(await read("./acmeEntitlements.ts"))
})
