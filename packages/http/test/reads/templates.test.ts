import { expect, layer } from "@effect/vitest"
import { row, type Template } from "@parley/core"
import { databases } from "@parley/testkit/databases"
import { aTemplate } from "@parley/testkit/rows"
import { Effect } from "effect"
import { column, newApplication, newId, newShop, readAllPages, type Shop, serveReads, write } from "./serveReads.js"

const make = (shop: Shop, ...all: ReadonlyArray<Partial<Template>>) =>
  Effect.gen(function* () {
    const made = yield* Effect.forEach(all, (parts) =>
      Effect.map(newId(), (id) => aTemplate({ id, workspaceId: shop.workspaceId, ...parts }))
    )
    yield* write(
      shop.workspaceId,
      made.map((template) => row("templates", template))
    )
    return made
  })
/** Names that a query finds, in order. */
const find = (shop: Shop, query = "") =>
  Effect.map(shop.get(`/templates?${query}`), (answer) => {
    expect([answer.status, answer.json.error]).toEqual([200, undefined])
    expect(answer.json.meta.total).toBe(answer.json.data.length)
    return column(answer, "name")
  })

for (const [name, storage] of databases) {
  layer(serveReads(storage), { excludeTestServices: true })(`the list of templates on ${name}`, (it) => {
    it.effect("has every field", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const body = "Hi {{2}}, {{1}} and {{2}}"
        const [made] = yield* make(shop, { name: "ready", language: "de", category: "marketing", body })
        expect((yield* shop.get("/templates")).json).toEqual({
          data: [
            {
              id: made?.id,
              name: "ready",
              channel: "whatsapp",
              language: "de",
              category: "marketing",
              status: "approved",
              is_sendable: true,
              body,
              variables: ["1", "2"]
            }
          ],
          meta: { current_page: 1, per_page: 25, total: 1, last_page: 1 },
          links: { next: null, prev: null }
        })
      })
    )

    it.effect("shows templates that cannot be sent only on request", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const statuses = ["approved", "draft", "paused", "pending", "rejected"] as const
        yield* make(shop, ...statuses.map((status) => ({ name: status, status, category: null })))
        for (const query of ["", "include_unapproved=false", "include_unapproved="]) {
          expect(yield* find(shop, query)).toEqual(["approved"])
        }
        expect(yield* find(shop, "include_unapproved=true")).toEqual(statuses)
        const { json } = yield* shop.get("/templates?include_unapproved=true")
        expect(json.data.map((template: any) => template.is_sendable)).toEqual([true, false, false, false, false])
      })
    )

    it.effect("is ordered by name and id, and paged through with its filters", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const names = ["B", "a", "a", "a_b", "ab", "b", "ä", "é"]
        const languages = ["en", "en", "de", "en", "en", "en", "en", "en"]
        const made = yield* make(
          shop,
          ...names.map((name, n) => ({ name, language: languages[n] as string, status: "paused" as const })).reverse()
        )
        const pages = yield* readAllPages(shop.get, "/templates?include_unapproved=true&per_page=3")
        expect(pages.flatMap((page) => column(page, "name"))).toEqual(names)
        expect(pages.flatMap((page) => column(page, "id")).sort()).toEqual(made.map(({ id }) => id).sort())
        expect(pages.map(({ json }) => json.meta)).toEqual(
          [1, 2, 3].map((current_page) => ({ current_page, per_page: 3, total: 8, last_page: 3 }))
        )
        const same = pages[0]?.json.data.slice(1).map((template: any) => template.id)
        expect(same).toEqual([...same].sort())
        const german = yield* find(shop, "include_unapproved=true&language=de")
        expect(german).toEqual(["a"])
        expect(yield* find(shop, "language=de")).toEqual([])
        expect(yield* find(shop, "include_unapproved=true&language=D")).toEqual([])
      })
    )

    it.effect("contains the workspace's templates for callers with the scope", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* newShop, yield* newShop]
        yield* make(one, { name: "mine", channel: "email" })
        yield* make(other, { name: "theirs" })
        expect(yield* find(one)).toEqual(["mine"])
        const { key } = yield* newApplication(one.workspaceId, { scopes: ["templates.read"] })
        expect(column(yield* one.getAs(key, "/templates"), "name")).toEqual(["mine"])
        const { key: unscoped } = yield* newApplication(one.workspaceId, { scopes: ["templates.send"] })
        const refused = yield* one.getAs(unscoped, "/templates")
        expect([refused.status, refused.json.error.details]).toEqual([403, { required_scope: "templates.read" }])
      })
    )

    it.effect("reports every problem of a query at once", () =>
      Effect.gen(function* () {
        const shop = yield* newShop
        const query = "language=deutschland&include_unapproved=yes&page=1.5&per_page="
        const { json, status } = yield* shop.get(`/templates?${query}`)
        expect([status, json.error.details]).toEqual([
          422,
          {
            language: ["must be at most 10 characters"],
            include_unapproved: ["must be true or false"],
            page: ["must be a whole number from 1 to 90071992547409"],
            per_page: ["must be a whole number from 1 to 100"]
          }
        ])
      })
    )
  })
}
