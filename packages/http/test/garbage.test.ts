import { layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, FastCheck as fc } from "effect"
import { expect } from "vitest"
import type { Outgoing } from "../src/index.js"
import { adminDescription } from "../src/openapi/adminDescription.js"
import { documentsOf } from "../src/openapi/documentsOf.js"
import { publicDescription } from "../src/openapi/publicDescription.js"
import { broken, brokenBodies } from "./garbage/bodies.js"
import { type Endpoint, endpoints } from "./garbage/endpoints.js"
import { oddHeaders } from "./garbage/headers.js"
import { expectPromises, textsIn } from "./garbage/promises.js"
import { rawBodies, rawForms } from "./garbage/rawBodies.js"
import { holds, timeout } from "./garbage/report.js"
import { fitting, headersOf, narrowingOf, pathOf, type Request } from "./garbage/requests.js"
import { forgedCursors, oddMethods, oddPaths, oddQueries } from "./garbage/targets.js"
import { jsonOf } from "./garbage/values.js"
import { World, world } from "./garbage/world.js"

const runs: { readonly [database: string]: number } = { sqlite: 100, postgres: 15 }

/** A workspace to call an endpoint in, and the checks of every response. */
const calling = (endpoint: Endpoint) =>
  Effect.gen(function* () {
    const { send, causes, own, other } = yield* World
    const { known } = endpoint.api === "admin" ? yield* other(endpoint.path) : own
    const example = fitting(endpoint.body?.examples[0] ?? {}, known, 0)
    /** Parts that are not given have valid values. */
    const ask = async (
      once: string,
      given: Partial<Request>,
      sent: ReadonlyArray<string> = [],
      requests: Endpoint | null = endpoint
    ) => {
      const { headers, ...more } = given
      const answer = await send({
        method: endpoint.method,
        url: pathOf(endpoint, known),
        body: Buffer.from(JSON.stringify(example)),
        ...more,
        headers: { ...headersOf(endpoint, known, once), ...headers }
      })
      expectPromises(requests, answer, sent)
      expect(causes().join("\n")).toBe("")
      return answer
    }
    return { known, example, url: pathOf(endpoint, known), ask }
  })

/** Reads what an endpoint created or changed, if an endpoint can read it. */
const readingBack = (endpoint: Endpoint) =>
  Effect.gen(function* () {
    const path = endpoint.method === "PATCH" ? endpoint.path : `${endpoint.path}/:`
    const reader = endpoints.find(
      (other) => other.method === "GET" && other.path.startsWith(path) && !other.path.slice(path.length).includes("/")
    )
    if (reader === undefined) return () => Promise.resolve()
    const { ask } = yield* calling(reader)
    return async (made: { readonly id?: string; readonly message_id?: string }) => {
      const url = reader.path.replace(/:\w+$/, made.id ?? made.message_id ?? "")
      expect([url, (await ask("", { url })).status]).toEqual([url, 200])
    }
  })

/** The link to the next page; null on the last one, and of a single resource. */
const nextOf = (body: string): string | null => JSON.parse(body).links?.next ?? null

/** All pages of a list from this one on. */
const pagesFrom = async (ask: (url: string) => Promise<Outgoing<string>>, url: string): Promise<number> => {
  const { body, status } = await ask(url)
  expect([url, status, status === 200 ? "" : body]).toEqual([url, 200, ""])
  const next = nextOf(body)
  return next === null ? 1 : 1 + (await pagesFrom(ask, next.slice(new URL(next).origin.length)))
}

for (const [name, storage] of databases) {
  const numRuns = runs[name] ?? 0
  // Fewer runs suffice for requests that read no data.
  const fewRuns = Math.ceil(numRuns / 4)
  layer(world(storage), { excludeTestServices: true, timeout })(`on ${name}`, (it) => {
    it.effect("creates two of everything from the contracts' examples", () =>
      Effect.map(World, ({ own }) => expect(own.unmade).toEqual([]))
    )

    for (const endpoint of endpoints) {
      const { body, query } = endpoint
      if (body !== null) {
        it.effect(`${endpoint.name} responds correctly to a body with invalid fields`, () =>
          Effect.gen(function* () {
            const { ask, known } = yield* calling(endpoint)
            const readBack = yield* readingBack(endpoint)
            // Several at once, to find conflicts between concurrent writes.
            const several = fc.array(fc.tuple(brokenBodies(body), fc.uuid()), { minLength: 1, maxLength: 3 })
            const property = fc.asyncProperty(several, async (bodies) => {
              await Promise.all(
                bodies.map(async ([given, once]) => {
                  const value = broken(given, (example, unique) => fitting(example, known, unique))
                  const answer = await ask(once, { body: Buffer.from(jsonOf(value)) }, textsIn(given.breaks))
                  if (answer.status < 300) await readBack(JSON.parse(answer.body).data)
                })
              )
            })
            yield* holds(numRuns, property)
          })
        )

        it.effect(`${endpoint.name} responds correctly to a body that is not a JSON object`, () =>
          Effect.gen(function* () {
            const { ask, example } = yield* calling(endpoint)
            const bodies = rawBodies(JSON.stringify(example))
            yield* holds(
              fewRuns,
              fc.asyncProperty(bodies, fc.uuid(), async (body, once) => void (await ask(once, { body })))
            )
          })
        )
      }

      if (query.length > 0) {
        it.effect(`${endpoint.name} responds correctly to an invalid query`, () =>
          Effect.gen(function* () {
            const { ask, url } = yield* calling(endpoint)
            const property = fc.asyncProperty(oddQueries(endpoint), fc.uuid(), async (search, once) => {
              const { body, status } = await ask(
                once,
                { url: `${url}?${search}` },
                [...new URLSearchParams(search)].flat()
              )
              const next = status === 200 ? nextOf(body) : null
              if (next !== null) expect((await ask(once, { url: next })).status).toBe(200)
            })
            yield* holds(numRuns, property)
          })
        )
      }

      if (query.includes("cursor")) {
        it.effect(`${endpoint.name} responds correctly to forged cursors`, () =>
          Effect.gen(function* () {
            const { ask, known, url } = yield* calling(endpoint)
            const page = (of: string) => Effect.promise(() => ask("", { url: `${url}?limit=1${of}` }))
            const whole = yield* page("")
            const { body } = whole.status === 200 ? whole : yield* page(narrowingOf(endpoint, known))
            const next: string | null = JSON.parse(body).links.next
            const real = next === null ? null : new URL(next).searchParams.get("cursor")
            // A list with one page has no cursor.
            if (real === null) return
            const property = fc.asyncProperty(forgedCursors(real), async (cursor) => {
              const search = new URLSearchParams([["cursor", cursor]])
              const { status } = await ask("", { url: `${url}?${search}` }, [cursor])
              expect([200, 422]).toContain(status)
            })
            yield* holds(numRuns, property)
          })
        )
      }

      it.effect(`${endpoint.name} responds correctly to invalid headers`, () =>
        Effect.gen(function* () {
          const { ask } = yield* calling(endpoint)
          const property = fc.asyncProperty(oddHeaders, fc.uuid(), async (headers, once) => {
            // A repeated Authorization header is refused before the endpoint is known to be allowed.
            const isRepeated = Array.isArray(headers.authorization)
            const { status } = await ask(once, { headers }, Object.values(headers).flat(), isRepeated ? null : endpoint)
            if (isRepeated) expect([400, 429]).toContain(status)
          })
          yield* holds(fewRuns, property, [[{ host: ["", ""] }, ""]])
        })
      )

      it.effect(`${endpoint.name} responds correctly to other methods and paths`, () =>
        Effect.gen(function* () {
          const { ask, known, url } = yield* calling(endpoint)
          const methods = fc.option(oddMethods, { nil: endpoint.method })
          const property = fc.asyncProperty(methods, oddPaths(url), fc.uuid(), async (method, path, once) => {
            // The path of a row, for example without its last segment: the row is needed afterwards.
            fc.pre(method !== "DELETE" || !Object.values(known.ids).some((id) => path.includes(id)))
            await ask(once, { method, url: path }, path.split("/"), null)
          })
          yield* holds(fewRuns, property, [[endpoint.method, `%00${url}`, ""]])
        })
      )
    }

    for (const { path } of [publicDescription, adminDescription].flatMap(documentsOf)) {
      it.effect(`GET ${path} responds correctly to invalid headers`, () =>
        Effect.gen(function* () {
          const { send } = yield* World
          const property = fc.asyncProperty(oddHeaders, async (headers) => {
            const answer = await send({ method: "GET", url: path, headers, body: new Uint8Array() })
            expectPromises(null, answer)
            expect(Array.isArray(headers.authorization) ? [400] : [200, 304]).toContain(answer.status)
          })
          yield* holds(fewRuns, property, [[{ host: ["", ""] }]])
        })
      )
    }

    it.effect("POST /api/v1/oauth/token responds correctly to invalid forms", () =>
      Effect.gen(function* () {
        const endpoint = endpoints.find(({ path }) => path.endsWith("/oauth/token"))
        if (endpoint === undefined) return yield* Effect.dieMessage("the token endpoint is not in the contract")
        const { ask } = yield* calling(endpoint)
        const form = { "content-type": "application/x-www-form-urlencoded" }
        const property = fc.asyncProperty(rawForms, oddHeaders, async (body, { authorization = [] }) => {
          await ask("", { body, headers: { ...form, authorization } })
        })
        yield* holds(numRuns, property)
      })
    )

    for (const endpoint of endpoints) {
      if (endpoint.method !== "GET" || endpoint.query.length === 0) continue
      it.effect(`${endpoint.name} is still readable to its end afterwards`, () =>
        Effect.gen(function* () {
          const { ask, known, url } = yield* calling(endpoint)
          const size = ["per_page", "limit"].find((name) => endpoint.query.includes(name))
          for (const of of ["", `&workspace_id=${known.ids.workspaces}`, narrowingOf(endpoint, known)]) {
            const first = `${url}?${size === undefined ? "" : `${size}=100`}${of}`
            const { status } = yield* Effect.promise(() => ask("", { url: first }))
            // Some lists require a filter.
            if (status === 422 && of !== narrowingOf(endpoint, known)) continue
            expect(yield* Effect.promise(() => pagesFrom((page) => ask("", { url: page }), first))).toBeGreaterThan(0)
          }
        })
      )
    }
  })
}
