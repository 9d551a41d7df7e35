import { HttpApi, OpenApi } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Context, Option } from "effect"
import { ParleyApi, RequiredScopes } from "../src/index.js"

it("asks of each endpoint the scopes of decisions.md §3", () => {
  const scopes: { [endpoint: string]: ReadonlyArray<string> | null } = {}
  HttpApi.reflect(ParleyApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const named = Context.getOption(mergedAnnotations, RequiredScopes)
      scopes[`${endpoint.method} ${endpoint.path}`] = Option.getOrNull(named)
    }
  })
  expect(scopes).toEqual({
    "POST /api/v1/contacts": ["contacts.write"],
    "GET /api/v1/contacts/:contact": ["contacts.read"],
    "POST /api/v1/messages": ["messages.send", "templates.send"],
    "GET /api/v1/messages/:id": ["messages.read", "messages.status"]
  })
})

it("can be described as OpenAPI", () => {
  const { paths } = OpenApi.fromApi(ParleyApi)
  const create = paths["/api/v1/contacts"]?.post
  expect(create?.summary).toBe("Create a contact")
  expect(create?.parameters).toContainEqual(
    expect.objectContaining({ name: "idempotency-key", in: "header", required: true })
  )
  expect(Object.keys(create?.responses ?? {})).toEqual(expect.arrayContaining(["201", "400", "409", "422", "429"]))
  expect(Object.keys(paths["/api/v1/messages"]?.post?.responses ?? {})).toContain("202")
  expect(paths["/api/v1/messages/{id}"]?.get?.parameters).toContainEqual(
    expect.objectContaining({ name: "id", in: "path" })
  )
})
