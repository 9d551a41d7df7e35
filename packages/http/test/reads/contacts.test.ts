import { expect, layer } from "@effect/vitest"
import { row } from "@parley/core"
import { databases } from "@parley/testkit/databases"
import { aContact } from "@parley/testkit/rows"
import { Effect, FastCheck as fc } from "effect"
import { column, newApplication, newId, newShop, readAllPages, type Shop, serveReads, write } from "./serveReads.js"

const make = (shop: Shop, ...bodies: ReadonlyArray<object>) =>
  Effect.forEach(bodies, (body) =>
    Effect.map(shop.post("/contacts", body), ({ json, status }) => {
      expect([status, json.error]).toEqual([201, undefined])
      return json.data
    })
  )
const named = (first_name: string, more: object = {}) => ({
  first_name,
  email: `${Buffer.from(first_name).toString("hex")}-${Object.keys(more).length}@shop.example`,
  ...more
})
/** Names that a query finds, in order. Also checks the total. */
const find = (shop: Shop, query: string) =>
  Effect.map(shop.get(`/contacts?${query}`), (answer) => {
    expect([answer.status, answer.json.error]).toEqual([200, undefined])
    expect(answer.json.meta.total).toBe(answer.json.data.length)
    return column(answer, "name")
  })

for (const [name, storage] of databases) {
  layer(serveReads(storage), { excludeTestServices: true })(`the list of contacts on ${name}`, (it) => {
    it.effect("has every field of a contact but identities and tags", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const body = {
          first_name: "Ada",
          last_name: "Lovelace",
          company: "Engines",
          job_title: "Analyst",
          email: "ada@shop.example",
          phone: "+491701234567",
          country: "GB",
          city: "London",
          language: "en",
          lifecycle_stage: "customer"
        }
        const [made] = yield* make(shop, { ...body, tags: ["VIP"] })
        const { json } = yield* shop.get("/contacts")
        expect(json).toEqual({
          data: [
            {
              ...body,
              id: made.id,
              name: "Ada Lovelace",
              opted_out: false,
              marketing_opted_out: false,
              last_activity_at: made.created_at,
              created_at: made.created_at
            }
          ],
          meta: { current_page: 1, per_page: 25, total: 1, last_page: 1 },
          links: { next: null, prev: null }
        })
      })
    )

    it.effect("is empty in an empty workspace", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const empty = { data: [], meta: { current_page: 1, per_page: 25, total: 0, last_page: 1 } }
        expect((yield* shop.get("/contacts")).json).toEqual({ ...empty, links: { next: null, prev: null } })
        const beyond = yield* shop.get("/contacts?page=9")
        expect(beyond.json).toMatchObject({ ...empty, meta: { ...empty.meta, current_page: 9 } })
        expect(beyond.json.links.prev).toMatch(/\/contacts\?page=1$/)
      })
    )

    it.effect("is ordered by name without case and accents, equal names by id", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const ordered = ["10", "9", "aaron", "Ägidius", "Agnes", "Emil", "Émile", "Emilia", "Zoë", "Zoe b", "Яна", "花"]
        yield* make(shop, ...[...ordered].reverse().map((first_name) => named(first_name)))
        yield* make(shop, named("eve", { city: "1" }), named("EVE", { city: "1", country: "DE" }), named("Éve"))
        const rows = (yield* shop.get("/contacts")).json.data
        const at = ordered.indexOf("Zoë")
        expect(rows.map((contact: any) => contact.name)).toEqual([
          ...ordered.slice(0, at),
          "eve",
          "EVE",
          "Éve",
          ...ordered.slice(at)
        ])
      })
    )

    it.effect("pages through each contact once", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* make(shop, ...["a", "b", "c", "d", "e", "f", "g"].map((first_name) => named(first_name)))
        const pages = yield* readAllPages(shop.get, "/contacts?per_page=3&lifecycle_stage=lead")
        expect(pages.map((page) => column(page, "name"))).toEqual([["a", "b", "c"], ["d", "e", "f"], ["g"]])
        expect(pages.map(({ json }) => json.meta)).toEqual(
          [1, 2, 3].map((current_page) => ({ current_page, per_page: 3, total: 7, last_page: 3 }))
        )
        const prev = pages.map(({ json }) => json.links.prev && new URL(json.links.prev).search)
        expect(prev).toEqual([
          null,
          "?per_page=3&lifecycle_stage=lead&page=1",
          "?per_page=3&lifecycle_stage=lead&page=2"
        ])
        const back = yield* shop.get(pages[2]?.json.links.prev)
        expect(back.json.data).toEqual(pages[1]?.json.data)
        const beyond = yield* shop.get("/contacts?per_page=3&page=90071992547409")
        expect([beyond.status, beyond.json.data, beyond.json.links.next]).toEqual([200, [], null])
        expect(beyond.json.meta).toEqual({ current_page: 90071992547409, per_page: 3, total: 7, last_page: 3 })
        expect(column(yield* shop.get(beyond.json.links.prev), "name")).toEqual(["g"])
      })
    )

    it.effect("searches anywhere in name, phone, email and company, and nowhere else", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* make(
          shop,
          { first_name: "José", last_name: "Núñez", email: "jose@one.example", city: "Needle", job_title: "Needle" },
          { first_name: "Ann", phone: "+491701234567", company: "Big_100% Corp" },
          { first_name: "Big", email: "x100@two.example", identities: [{ channel: "telegram", handle: "needle" }] }
        )
        expect(yield* find(shop, "search=NUNEZ")).toEqual(["José Núñez"])
        expect(yield* find(shop, "search=jos%C3%89%20n")).toEqual(["José Núñez"])
        expect(yield* find(shop, "search=%2B49170")).toEqual(["Ann"])
        expect(yield* find(shop, "search=%2B49%20(0)170")).toEqual(["Ann"])
        expect(yield* find(shop, "search=+49170")).toEqual(["Ann"])
        expect(yield* find(shop, "search=0049-170")).toEqual(["Ann"])
        expect(yield* find(shop, "search=two.exa")).toEqual(["Big"])
        expect(yield* find(shop, "search=big")).toEqual(["Ann", "Big"])
        expect(yield* find(shop, "search=%25")).toEqual(["Ann"])
        expect(yield* find(shop, "search=g_1")).toEqual(["Ann"])
        expect(yield* find(shop, "search=needle")).toEqual([])
        expect(yield* find(shop, "search=")).toHaveLength(3)
        expect(yield* find(shop, "search=%CC%81")).toHaveLength(3)
        for (const text of ["'", '"', "\\", "*", "a' OR 1=1 --", "NEAR(a b)"]) {
          expect(yield* find(shop, `search=${encodeURIComponent(text)}`)).toEqual([])
        }
      })
    )

    it.effect("filters by stage, tag, channel and time", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* make(
          shop,
          { first_name: "A", email: "a@shop.example", tags: ["VIP", "Größe"], lifecycle_stage: "customer" },
          { first_name: "B", phone: "+491701234567", tags: ["new"] },
          { first_name: "C", identities: [{ channel: "whatsapp", handle: "+491701234568" }], tags: ["vip"] }
        )
        expect(yield* find(shop, "lifecycle_stage=customer")).toEqual(["A"])
        expect(yield* find(shop, "lifecycle_stage=lead")).toEqual(["B", "C"])
        expect(yield* find(shop, "lifecycle_stage=churned")).toEqual([])
        expect(yield* find(shop, "tag=vIp")).toEqual(["A", "C"])
        expect(yield* find(shop, "tag=gro%C3%9Fe")).toEqual(["A"])
        expect(yield* find(shop, "tag=VI")).toEqual([])
        expect(yield* find(shop, "tag=%25")).toEqual([])
        expect(yield* find(shop, "channel=email")).toEqual(["A"])
        expect(yield* find(shop, "channel=phone")).toEqual(["B"])
        expect(yield* find(shop, "channel=whatsapp")).toEqual(["C"])
        expect(yield* find(shop, "channel=telegram")).toEqual([])
        expect(yield* find(shop, "channel=fax")).toEqual([])
        expect(yield* find(shop, "channel=webchat")).toEqual([])
        expect(yield* find(shop, "channel=&tag=&lifecycle_stage=&created_after=")).toEqual(["A", "B", "C"])
      })
    )

    it.effect("filters by time, strictly later, to the millisecond", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const made = (iso: string) =>
          Effect.map(newId(), (id) =>
            row(
              "contacts",
              aContact({
                id,
                workspaceId: shop.workspaceId,
                firstName: iso,
                lastName: null,
                nameKey: iso,
                createdAt: Date.parse(iso)
              })
            )
          )
        const [eve, midnight, later] = [
          "2026-05-03T23:59:59.999Z",
          "2026-05-04T00:00:00.000Z",
          "2026-05-04T00:00:00.001Z"
        ]
        yield* write(shop.workspaceId, yield* Effect.forEach([eve, midnight, later] as Array<string>, made))
        const after = (text: string) => find(shop, `created_after=${encodeURIComponent(text)}`)
        expect(yield* after("2026-05-03")).toEqual([eve, midnight, later])
        expect(yield* after("2026-05-04")).toEqual([later])
        expect(yield* after("2026-05-03T23:59:59.998Z")).toEqual([eve, midnight, later])
        expect(yield* after("2026-05-03T23:59:59.999")).toEqual([midnight, later])
        expect(yield* after("2026-05-04T02:00+02:00")).toEqual([later])
        expect(yield* after("2026-05-04T00:00:00.0009999Z")).toEqual([later])
        expect(yield* after("2026-05-04T00:00:00.001Z")).toEqual([])
        expect(yield* find(shop, "created_after=2026-05-04T02:00:00+02:00")).toEqual([later])
      })
    )

    it.effect("combines its filters, and keeps them in its links", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const fits = { company: "Größe & Söhne", lifecycle_stage: "prospect", tags: ["a+b"] }
        yield* make(
          shop,
          named("a", fits),
          named("b", fits),
          named("c", { ...fits, tags: ["a b"] }),
          named("d", { ...fits, lifecycle_stage: "lead" }),
          named("e", { ...fits, company: "Groß" })
        )
        const query = new URLSearchParams({
          search: "größe & s",
          lifecycle_stage: "prospect",
          tag: "A+B",
          channel: "email",
          created_after: "2020-01-01",
          per_page: "1"
        })
        const pages = yield* readAllPages(shop.get, `/contacts?${query}`)
        expect(pages.flatMap((page) => column(page, "name"))).toEqual(["a", "b"])
        expect(pages.map(({ json }) => json.meta.total)).toEqual([2, 2])
        const next = new URL(pages[0]?.json.links.next)
        expect(Object.fromEntries(next.searchParams)).toEqual({ ...Object.fromEntries(query), page: "2" })
      })
    )

    it.effect("contains the contacts of the workspace, whichever application created them", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* newShop, yield* newShop]
        yield* make(one, named("a", { tags: ["x"] }))
        yield* make(other, named("b", { tags: ["y"] }))
        expect(yield* find(one, "")).toEqual(["a"])
        expect(yield* find(one, "tag=y")).toEqual([])
        const { key } = yield* newApplication(one.workspaceId, { scopes: ["contacts.read"] })
        const second = { ...one, get: (path: string) => one.getAs(key, path) }
        expect(yield* find(second, "")).toEqual(["a"])
        const { key: unscoped } = yield* newApplication(one.workspaceId, {
          scopes: ["contacts.write", "messages.read"]
        })
        const refused = yield* one.getAs(unscoped, "/contacts?page=0")
        expect([refused.status, refused.json.error.details]).toEqual([403, { required_scope: "contacts.read" }])
      })
    )

    it.effect("reports every problem of a query at once, without its values", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const query = new URLSearchParams({
          search: "x".repeat(256),
          lifecycle_stage: "friend",
          tag: "y".repeat(101),
          channel: "z".repeat(41),
          created_after: "yesterday",
          per_page: "101",
          page: "0"
        })
        const { status, json } = yield* shop.get(`/contacts?${query}`)
        expect([status, json.error.code]).toEqual([422, "validation_failed"])
        expect(json.error.details).toEqual({
          search: ["must be at most 255 characters"],
          lifecycle_stage: ["must be one of lead, prospect, customer, churned"],
          tag: ["must be at most 100 characters"],
          channel: ["must be at most 40 characters"],
          created_after: ["must be a date such as 2026-05-04 or a date-time such as 2026-05-04T08:30:00Z"],
          per_page: ["must be a whole number from 1 to 100"],
          page: ["must be a whole number from 1 to 90071992547409"]
        })
        const maxFilters = { search: "x".repeat(255), tag: "y".repeat(100), channel: "z".repeat(40), per_page: "100" }
        expect(yield* find(shop, `${new URLSearchParams(maxFilters)}`)).toEqual([])
      })
    )

    it.effect("rejects repeated parameters, and takes bad escapes literally", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const repeated = yield* shop.get("/contacts?page=1&page=2&search=a&search=a&other=1&other=2")
        expect([repeated.status, repeated.json.error.details]).toEqual([
          422,
          { page: ["must be given once"], search: ["must be given once"] }
        ])
        expect((yield* shop.get("/contacts?search=a%00b")).json.error.details).toEqual({
          search: ["must be valid Unicode text without U+0000"]
        })
        yield* make(shop, named("%zz"), named("%zz", { city: "1" }))
        const pages = yield* readAllPages(shop.get, "/contacts?search=%zz&per_page=1&x=%ff&y&y")
        expect(pages.map(({ json }) => json.data.length)).toEqual([1, 1])
      })
    )

    it.effect("answers any query with 200 or 422", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* make(shop, named("a", { tags: ["a"] }))
        const parameters = ["search", "lifecycle_stage", "tag", "channel", "created_after", "per_page", "page"]
        const queries = fc.sample(
          fc.dictionary(
            fc.constantFrom(...parameters),
            fc.oneof(
              fc.string({ unit: "binary" }),
              fc.string({ unit: fc.constantFrom("%", "\\", "'", '"', "0", "9", "a", "\u0301") }),
              fc.double().map(String),
              fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
            ),
            { maxKeys: 3 }
          ),
          { numRuns: 150, seed: 1 }
        )
        for (const query of queries) {
          const written = `${new URLSearchParams(query)}`
          const { status } = yield* shop.get(`/contacts?${written}`)
          expect([written, [200, 422].includes(status)]).toEqual([written, true])
        }
      })
    )

    it.effect("is readable in a suspended workspace", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        yield* make(shop, named("a"))
        yield* shop.suspend
        expect(yield* find(shop, "")).toEqual(["a"])
      })
    )
  })
}
