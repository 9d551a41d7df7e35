import { describe, expect, it } from "@effect/vitest"
import type { Contact } from "@parley/core"
import { aContact } from "@parley/testkit/rows"
import { facetsOf, listWrites } from "../src/contactLists.js"
import type { Row } from "../src/Tables.js"

const asRow = (contact: Contact) => contact as unknown as Row
const handle = (channel: Contact["identities"][number]["channel"]) => ({ channel, handle: channel, displayName: null })
const ada = aContact({ tags: ["VIP", "new"], identities: [handle("email")], lifecycleStage: "lead" })
const { id: contactId, nameKey, workspaceId } = ada

const facets = (rows: ReadonlyArray<Row>) => rows.map(({ facet }) => facet)
const counts = (rows: ReadonlyArray<Row>) => Object.fromEntries(rows.map(({ facet, n }) => [facet, n]))
const change = (more: Partial<Contact>) => listWrites([], [{ before: asRow(ada), after: asRow({ ...ada, ...more }) }])

describe("listWrites", () => {
  it("lists a contact once by a duplicate tag or channel", () => {
    const twice = { ...ada, tags: ["VIP", "VIP"], identities: [handle("email"), handle("phone"), handle("email")] }
    expect([...facetsOf(twice)]).toEqual(["", "stage:lead", "tag:VIP", "channel:email", "channel:phone"])
  })

  it("adds a new contact to all of its lists and to the search", () => {
    const { added, counts: counted, removed } = listWrites([asRow(ada)], [])
    expect(removed).toEqual({ facets: [], search: [] })
    expect(added.facets).toEqual([...facetsOf(ada)].map((facet) => ({ workspaceId, facet, nameKey, contactId })))
    expect(added.search).toEqual([{ workspaceId, nameKey, contactId, searchKey: ada.searchKey }])
    expect(counts(counted)).toEqual({ "": 1, "stage:lead": 1, "tag:VIP": 1, "tag:new": 1, "channel:email": 1 })
  })

  it("removes a deleted contact from all of its lists", () => {
    const { added, counts: counted, removed } = listWrites([], [{ before: asRow(ada), after: null }])
    expect(added).toEqual({ facets: [], search: [] })
    expect(facets(removed.facets)).toEqual([...facetsOf(ada)])
    expect(removed.search).toEqual([{ workspaceId, nameKey, contactId }])
    expect(new Set(Object.values(counts(counted)))).toEqual(new Set([-1]))
  })

  it("writes only the lists that a contact enters or leaves", () => {
    const { added, counts: counted, removed } = change({ tags: ["new", "old"] })
    expect([facets(removed.facets), facets(added.facets)]).toEqual([["tag:VIP"], ["tag:old"]])
    expect([removed.search, added.search]).toEqual([[], []])
    expect(counts(counted)).toEqual({ "tag:VIP": -1, "tag:old": 1 })
  })

  it("moves a renamed contact in every list and changes no count", () => {
    const { added, counts: counted, removed } = change({ nameKey: "zoe" })
    expect(new Set(removed.facets.map(({ nameKey }) => nameKey))).toEqual(new Set([nameKey]))
    expect(new Set(added.facets.map(({ nameKey }) => nameKey))).toEqual(new Set(["zoe"]))
    expect([removed.facets, added.facets, removed.search, added.search].map(({ length }) => length)).toEqual([
      5, 5, 1, 1
    ])
    expect(counted).toEqual([])
  })

  it("replaces the search text and leaves the lists unchanged", () => {
    const { added, counts: counted, removed } = change({ searchKey: "ada\n+49" })
    expect([removed.facets, added.facets, counted]).toEqual([[], [], []])
    expect([removed.search.length, added.search.map(({ searchKey }) => searchKey)]).toEqual([1, ["ada\n+49"]])
  })

  it("sums the counts of a batch for each workspace", () => {
    const bob = { ...ada, id: "bob", tags: ["new"] }
    const foreign = { ...ada, id: "foreign", workspaceId: "another" }
    const { counts: counted } = listWrites(
      [asRow(bob), asRow(foreign)],
      [{ before: asRow(ada), after: asRow({ ...ada, tags: ["VIP"] }) }]
    )
    const of = (wanted: string) => counts(counted.filter((row) => row.workspaceId === wanted))
    expect(of(workspaceId)).toEqual({ "": 1, "stage:lead": 1, "channel:email": 1 })
    expect(of("another")).toEqual({ "": 1, "stage:lead": 1, "tag:VIP": 1, "tag:new": 1, "channel:email": 1 })
  })
})
