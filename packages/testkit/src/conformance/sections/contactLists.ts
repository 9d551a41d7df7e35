import { expect } from "vitest"
import { page, resource, wrongFields } from "../Answers.js"
import { Contact, ListedContact, lifecycleStages } from "../Resources.js"
import { once, type Section } from "../Suite.js"

const people = [
  { first_name: "Zoë", email: "zoe@first.example", lifecycle_stage: "lead", tags: ["vip"] },
  { first_name: "alvaro", phone: "+15551110001", lifecycle_stage: "prospect", company: "Solar Works" },
  { first_name: "Ángela", email: "angela@second.example", lifecycle_stage: "customer", tags: ["VIP", "new"] },
  { last_name: "Bauer", identities: [{ channel: "telegram", handle: "bauer" }], lifecycle_stage: "churned" },
  { company: "100% Cotton_Ltd", phone: "+15552220002", lifecycle_stage: "customer", country: "DE" }
] as const
const byName = ["100% Cotton_Ltd", "alvaro", "Ángela", "Bauer", "Zoë"]

/** A workspace with only these contacts, created one after the other. */
const directory = once(async (world) => {
  const { app } = await world.tenant([])
  const made: Array<typeof Contact.Type> = []
  for (const person of people) made.push(resource(await app.api.post("/contacts", person), 201, Contact))
  return { api: app.api, made }
})

/** Lists of contacts (docs/reference/contacts.md#listing-contacts). */
export const contactLists: Section = ({ proves }) => {
  proves("GET /contacts · items are contacts without identities and tags, ordered by name", async (world) => {
    const { api, made } = await directory(world)
    const { data, meta } = page(await api.get("/contacts"), ListedContact)
    expect(data.map(({ name }) => name)).toEqual(byName)
    expect(meta).toEqual({ current_page: 1, per_page: 25, total: 5, last_page: 1 })
    const { identities: _identities, tags: _tags, ...zoe } = made[0] as typeof Contact.Type
    expect(data[4]).toEqual(zoe)
  })

  const rows: ReadonlyArray<
    readonly [what: string, query: { readonly [name: string]: string }, names: ReadonlyArray<string>]
  > = [
    ["search · name", { search: "zOE" }, ["Zoë"]],
    ["search · phone", { search: "5551110" }, ["alvaro"]],
    ["search · email", { search: "SECOND.example" }, ["Ángela"]],
    ["search · company", { search: "SOLAR" }, ["alvaro"]],
    ["search · the middle of a word", { search: "aue" }, ["Bauer"]],
    ["search · no character is a wildcard", { search: "%" }, ["100% Cotton_Ltd"]],
    ["search · nor the underscore", { search: "_" }, ["100% Cotton_Ltd"]],
    ["search · nothing found", { search: "not found at all" }, []],
    ["lifecycle_stage · lead", { lifecycle_stage: "lead" }, ["Zoë"]],
    ["lifecycle_stage · prospect", { lifecycle_stage: "prospect" }, ["alvaro"]],
    ["lifecycle_stage · customer", { lifecycle_stage: "customer" }, ["100% Cotton_Ltd", "Ángela"]],
    ["lifecycle_stage · churned", { lifecycle_stage: "churned" }, ["Bauer"]],
    ["tag · whatever its case", { tag: "Vip" }, ["Ángela", "Zoë"]],
    ["tag · an unknown one", { tag: "nobody's" }, []],
    ["channel · email", { channel: "email" }, ["Ángela", "Zoë"]],
    ["channel · phone", { channel: "phone" }, ["100% Cotton_Ltd", "alvaro"]],
    ["channel · telegram", { channel: "telegram" }, ["Bauer"]],
    ["channel · an unknown one", { channel: "fax" }, []],
    ["several together", { tag: "vip", lifecycle_stage: "customer", search: "second" }, ["Ángela"]]
  ]
  for (const [what, query, names] of rows) {
    proves(`GET /contacts · ${what}`, async (world) => {
      const { data, meta } = page(await (await directory(world)).api.get("/contacts", query), ListedContact)
      expect(data.map(({ name }) => name)).toEqual(names)
      expect(meta).toMatchObject({ total: names.length, last_page: 1 })
    })
  }

  proves("GET /contacts · created_after · is strictly later than a time", async (world) => {
    const { api, made } = await directory(world)
    const third = made[2] as typeof Contact.Type
    const found = async (query: object) => {
      const answer = await api.get("/contacts", { created_after: third.created_at, ...query })
      return page(answer, ListedContact).data.map(({ id }) => id)
    }
    const later = made.filter(({ created_at }) => created_at > third.created_at)
    expect((await found({})).sort()).toEqual(later.map(({ id }) => id).sort())
    // Also in combination with another filter.
    for (const more of [{ search: "ngela" }, { tag: "new" }, { lifecycle_stage: "customer", channel: "email" }]) {
      expect(await found(more)).toEqual([])
    }
  })
  proves("GET /contacts · created_after · may be a date, from its midnight in UTC", async (world) => {
    const { api, made } = await directory(world)
    const total = async (date: string) =>
      page(await api.get("/contacts", { created_after: date }), ListedContact).meta.total
    const [first, last] = [made[0]?.created_at ?? "", made[4]?.created_at ?? ""]
    expect(await total(first.slice(0, 10))).toBe(5)
    expect(await total(new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10))).toBe(0)
    expect(await total("2020-01-01T00:00:00+02:00")).toBe(5)
  })

  const wrong: ReadonlyArray<readonly [name: string, ...values: ReadonlyArray<string>]> = [
    ["search", "x".repeat(256), "a\u0000b"],
    ["lifecycle_stage", "Lead", "subscriber"],
    ["tag", "x".repeat(101)],
    ["channel", "x".repeat(41)],
    ["created_after", "yesterday", "2026-02-30", "1777883400"],
    ["per_page", "0", "101", "-1", "2.5", "many"],
    ["page", "0", "-1", "1.5", "first"]
  ]
  for (const [name, ...values] of wrong) {
    proves(`GET /contacts · ${name} · a value out of range is 422, not clamped`, async (world) => {
      const { api } = await directory(world)
      for (const value of values)
        expect(wrongFields(await api.get("/contacts", { [name]: value })), value).toEqual([name])
    })
  }
  proves("GET /contacts · search, tag and channel have the maximum lengths of the table", async (world) => {
    const { api } = await directory(world)
    const maxFilters = { search: "x".repeat(255), tag: "x".repeat(100), channel: "x".repeat(40) }
    expect(page(await api.get("/contacts", maxFilters), ListedContact).data).toEqual([])
  })
  proves("GET /contacts · reports every problem of the query at once", async (world) => {
    const { api } = await directory(world)
    const query = Object.fromEntries(wrong.map(([name, value]) => [name, String(value)]))
    expect(wrongFields(await api.get("/contacts", query))).toEqual(wrong.map(([name]) => name).sort())
  })
  proves("GET /contacts · lifecycle stages · are the four of the table", async (world) => {
    const { api } = await directory(world)
    for (const stage of lifecycleStages) page(await api.get("/contacts", { lifecycle_stage: stage }), ListedContact)
  })
}
