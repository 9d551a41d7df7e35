import { layer } from "@effect/vitest"
import { samples } from "@parley/core"
import { databases } from "@parley/testkit/databases"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { adminDescription } from "../../src/openapi/adminDescription.js"
import { isJson, type Json } from "../../src/openapi/Json.js"
import { openApiDocument } from "../../src/openapi/OpenApiDocument.js"
import { endpoints } from "../garbage/endpoints.js"
import { fitting, headersOf, pathOf } from "../garbage/requests.js"
import { World, world } from "../garbage/world.js"

const posts = endpoints.filter(({ api, method }) => api === "admin" && method === "POST")

/**
 * Operations that the example world refuses: the sandbox has no setup, no templates, no history and no signals, no job
 * is parked, no run runs or failed.
 */
const refused = [
  "POST /admin/v1/connections/:id/setup",
  "POST /admin/v1/connections/:id/sync-templates",
  "POST /admin/v1/connections/:id/import-history",
  "POST /admin/v1/conversations/:id/typing",
  "POST /admin/v1/conversations/:id/read",
  "POST /admin/v1/jobs/:id/retry",
  "POST /admin/v1/jobs/:id/drop",
  "POST /admin/v1/workflow-runs/:id/stop",
  "POST /admin/v1/workflow-runs/:id/retry"
]

/** Fields that differ from the contract's example, which the world has used. */
const instead: { readonly [name: string]: object } = {
  "POST /admin/v1/templates": { name: "another_template" },
  "POST /admin/v1/custom-fields": { key: "another_field" },
  "POST /admin/v1/contacts": { phone: "+4915188888888", email: null, identities: [] }
}

const secrets: ReadonlyArray<unknown> = [samples.apiKey, samples.clientSecret, samples.signingSecret]

/** Whether a schema has a field with the example of a secret, at any depth. */
const showsSecret = (schema: unknown, components: Json, seen = new Set<string>()): boolean => {
  if (Array.isArray(schema)) return schema.some((one) => secrets.includes(one) || showsSecret(one, components, seen))
  if (!isJson(schema)) return false
  if (typeof schema.$ref !== "string") {
    return Object.values(schema).some((inner) => showsSecret(inner, components, seen))
  }
  if (seen.has(schema.$ref)) return false
  seen.add(schema.$ref)
  return showsSecret(components[schema.$ref.split("/").at(-1) ?? ""], components, seen)
}

describe("the administration's contract", () => {
  const document = openApiDocument(adminDescription, "https://example.org") as any
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Json).flatMap(([method, one]) => (method === "post" ? [[path, one as any] as const] : []))
  )
  it("accepts an idempotency key on every POST", () => {
    expect(operations.length).toBe(posts.length)
    for (const [path, { parameters, responses }] of operations) {
      const header = parameters?.find(({ name }: { readonly name: string }) => name === "Idempotency-Key")
      expect([path, header?.in, header?.required]).toEqual([path, "header", false])
      expect([path, "409" in responses]).toEqual([path, true])
    }
  })
  it("says of each answer with a secret that it is kept for minutes", () => {
    const shows = operations.filter(([, { responses }]) =>
      Object.entries(responses).some(
        ([status, response]) =>
          status.startsWith("2") && showsSecret((response as any).content, document.components.schemas)
      )
    )
    const said = operations.filter(([, { description }]) => description?.includes("for 10 minutes"))
    expect(said.map(([path]) => path)).toEqual(shows.map(([path]) => path))
    expect(said).toHaveLength(8)
  })
})

for (const [name, storage] of databases) {
  layer(world(storage), { excludeTestServices: true, timeout: 120_000 })(
    `a key of an administrator on ${name}`,
    (it) => {
      for (const endpoint of posts) {
        it.effect(`is honoured by ${endpoint.name}`, () =>
          Effect.gen(function* () {
            const { causes, other, send } = yield* World
            const { known } = yield* other(`key ${endpoint.path}`)
            const postTo = (path: string, json: object, key?: string) =>
              Effect.promise(() =>
                send({
                  method: "POST",
                  url: path,
                  headers: {
                    ...headersOf({ ...endpoint, body: {} as never }, known, ""),
                    ...(key === undefined ? {} : { "idempotency-key": key })
                  },
                  body: Buffer.from(JSON.stringify(json))
                })
              )
            const key = endpoint.path
            const query = key === "/admin/v1/attachments" ? `?workspace_id=${known.ids.workspaces}` : ""
            const example: { [field: string]: unknown } = {
              ...fitting(endpoint.body?.examples[0] ?? {}, known, 0),
              ...instead[endpoint.name]
            }
            if (endpoint.path.endsWith("/merge")) {
              const contact = { workspace_id: known.ids.workspaces, phone: "+4915199999999" }
              const { body } = yield* postTo("/admin/v1/contacts", contact)
              example.contact_id = JSON.parse(body).data.id
            }
            if (endpoint.path.endsWith("/unpublish")) {
              yield* postTo(pathOf(endpoint, known).replace("unpublish", "publish"), {})
            }
            const post = (key: string, more: object = {}) =>
              postTo(`${pathOf(endpoint, known)}${query}`, { ...example, ...more }, key)
            const [first, beside] = yield* Effect.all([post(key), post(key)], { concurrency: 2 })
            expect(causes().join("\n")).toBe("")
            if (refused.includes(endpoint.name)) return expect(first.status).toBeGreaterThanOrEqual(400)
            expect([first.status < 300, first.body]).toEqual([true, first.body])
            const again = yield* post(key)
            expect([again.status, again.body, again.headers["idempotency-replayed"]]).toEqual([
              first.status,
              first.body,
              "true"
            ])
            expect([beside.status, beside.body]).toEqual([first.status, first.body])
            expect([first, beside].filter(({ headers }) => headers["idempotency-replayed"] === "true")).toHaveLength(1)
            if (endpoint.body !== null) {
              const conflict = yield* post(key, { another: "request" })
              expect([conflict.status, JSON.parse(conflict.body).error.details]).toEqual([
                409,
                { reason: "different_request" }
              ])
            }
            expect(causes().join("\n")).toBe("")
          })
        )
      }
    }
  )
}
