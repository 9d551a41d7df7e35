import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, FastCheck as fc } from "effect"
import { endpoints } from "./garbage/endpoints.js"
import { expectPromises } from "./garbage/promises.js"
import { holds, timeout } from "./garbage/report.js"
import { headersOf } from "./garbage/requests.js"
import { character } from "./garbage/values.js"
import { World, world } from "./garbage/world.js"

/** Search key: Unicode lower case without accents, one form of sigma (docs/reference/contacts.md#search-key). */
const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replaceAll("ς", "σ")

const units = [..."aA0é %_\\'\"`*?[]^$(){}|+.-#&=;,/:<>~ßẞİıΣσςﷺﬁΩ한か😀\u0301\u200b\u202e"]
const name = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...units) }, character), {
    minLength: 1,
    maxLength: 30
  })
  .map((letters) => letters.join("").replace(/[\0\n]/g, ""))
  .filter((text) => text.length > 0 && [...text].length <= 100)

/** Start and length of a search text inside of a name, as fractions. */
const cut = fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
const partOf = (text: string, [one, other]: readonly [number, number]) => {
  const letters = [...text]
  const [start, end] = [one, other].map((place) => Math.floor(place * letters.length)).sort((a, b) => a - b)
  // The maximum length of a search.
  return letters
    .slice(start, (end ?? 0) + 1)
    .slice(0, 255)
    .join("")
}

const create = endpoints.find(({ name }) => name === "POST /api/v1/contacts")
const list = endpoints.find(({ name }) => name === "GET /api/v1/contacts")
const runs: { readonly [database: string]: number } = { sqlite: 60, postgres: 20 }

for (const [database, storage] of databases) {
  layer(world(storage), { excludeTestServices: true, timeout })(`a search for unusual names on ${database}`, (it) => {
    it.effect("finds exactly the contacts whose name contains the text", () =>
      Effect.gen(function* () {
        const { send, own, causes } = yield* World
        if (create === undefined || list === undefined) return yield* Effect.dieMessage("the contract has no contacts")
        /** Search keys of each contact by id. */
        const keys = new Map<string, ReadonlyArray<string>>()
        const ask = async (endpoint: typeof list, url: string, json: object = {}) => {
          const headers = headersOf(endpoint, own.known, `contact ${keys.size}`)
          const body = Buffer.from(JSON.stringify(json))
          const answer = await send({ method: endpoint.method, url, headers, body })
          expectPromises(endpoint, answer)
          expect(causes()).toEqual([])
          return JSON.parse(answer.body)
        }
        const record = (contact: { readonly [field: string]: string | null }) => {
          const found = [contact.name, contact.phone, contact.email, contact.company]
          keys.set(
            `${contact.id}`,
            found.flatMap((text) => (text == null ? [] : [folded(text)]))
          )
        }
        const search = async (text: string): Promise<ReadonlyArray<string>> => {
          const query = new URLSearchParams([
            ["search", text],
            ["per_page", "100"]
          ])
          const { data, meta } = await ask(list, `${list.path}?${query}`)
          expect(meta.total).toBe(data.length)
          return data.map(({ id }: { readonly id: string }) => id).sort()
        }
        const { data: settled } = yield* Effect.promise(() => ask(list, list.path))
        settled.forEach(record)

        const property = fc.asyncProperty(name, cut, fc.boolean(), async (first_name, where, asFolded) => {
          const { data } = await ask(create, create.path, { first_name, email: `${keys.size}@shop.example` })
          expect(data.name).toBe(first_name)
          record(data)
          const text = partOf(asFolded ? folded(data.name) : data.name, where)
          const found = await search(text)
          if (text !== "") expect(found).toContain(data.id)
          const wanted = [...keys].flatMap(([id, texts]) =>
            texts.some((one) => one.includes(folded(text))) ? [id] : []
          )
          expect(found).toEqual(wanted.sort())
        })
        yield* holds(runs[database] ?? 0, property, [
          ["50%off", [0.34, 0.34], false],
          ["a_b", [0.34, 0.34], false],
          ["a\\b", [0.34, 0.34], false],
          ["ΑΣΑ", [0, 0.34], false]
        ])
      })
    )
  })
}
