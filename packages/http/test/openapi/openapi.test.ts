import { OpenApi as Annotations, HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { catalogue, EventType, errorCodes, ids, sampleIds, scopes, uuid } from "@parley/core"
import { Schema } from "effect"
import {
  adminDescription,
  type Description,
  openApiDocument,
  publicDescription,
  Raises,
  RequiredScopes,
  single
} from "../../src/index.js"
import { errorTable } from "../../src/openapi/errorTable.js"
import { type OpenApi, type Operation, operationsOf, resolved } from "./agreement.js"

const documentOf = (description: Description) =>
  openApiDocument(description, "https://api.example.org/mounted") as unknown as OpenApi & { readonly info: any }
const document = documentOf(publicDescription)
const administration = documentOf(adminDescription)
const operation = (path: string, method: string): Operation => {
  const found = document.paths[path]?.[method]
  if (found === undefined) throw new Error(`There is no ${method} ${path}.`)
  return found
}
const codesOf = (its: Operation): ReadonlyArray<string> =>
  Object.entries(its.responses)
    .filter(([status]) => status >= "400")
    .flatMap(([, response]) => Object.keys(resolved(document, response).content["application/json"].examples))

it("has version 1.0.0 and the mounted URL", () => {
  expect(document.info.version).toBe("1.0.0")
  expect(document.servers).toEqual([{ url: "https://api.example.org/mounted/api/v1" }])
})

it("has the specified endpoints with their success responses", () => {
  const successes = operationsOf(document).map(
    ({ method, path, operation }) => `${method} ${path} ${Object.keys(operation.responses)[0]}`
  )
  expect(successes.sort()).toEqual(
    [
      "POST /oauth/token 200",
      "GET /contacts 200",
      "POST /contacts 201",
      "GET /contacts/{contact} 200",
      "POST /messages 202",
      "GET /messages/{id} 200",
      "GET /conversations 200",
      "GET /conversations/{id} 200",
      "GET /conversations/{id}/messages 200",
      "POST /conversations/{id}/typing 200",
      "POST /conversations/{id}/read 200",
      "GET /templates 200",
      "POST /attachments 201",
      "GET /attachments/{id} 200",
      "POST /leads 201",
      "POST /events 202",
      "GET /channels 200"
    ].sort()
  )
})

it("declares each operation's credentials and scopes", () => {
  expect(operation("/messages", "post").security).toEqual([
    { apiKey: [] },
    { oauth2: ["messages.send"] },
    { oauth2: ["templates.send"] }
  ])
  expect(operation("/channels", "get").security).toEqual([{ apiKey: [] }, { oauth2: [] }])
  expect(operation("/oauth/token", "post").security).toEqual([])
  const { clientCredentials } = document.components.securitySchemes.oauth2.flows
  expect(clientCredentials.tokenUrl).toBe("https://api.example.org/mounted/api/v1/oauth/token")
  expect(Object.keys(clientCredentials.scopes)).toEqual(scopes)
  expect(operationsOf(administration).every(({ operation }) => "adminToken" in (operation.security[0] ?? {}))).toBe(
    true
  )
})

it.each(["/contacts", "/messages", "/attachments", "/leads", "/events"])(
  "requires an Idempotency-Key of POST %s",
  (path) => {
    const key = operation(path, "post").parameters?.find(({ name }) => name === "Idempotency-Key")
    expect(key).toMatchObject({
      in: "header",
      required: true,
      schema: { type: "string", minLength: 1, maxLength: 255 }
    })
  }
)

const usual = ["method_not_allowed", "rate_limited", "internal_error", "service_unavailable"]
const application = ["unauthenticated", "account_suspended", "workspace_unavailable"]
const key = ["bad_request", "payload_too_large", "validation_failed", "idempotency_conflict"]
const write = ["workspace_suspended", "feature_not_in_plan", "limit_reached", "insufficient_balance"]

it.each([
  ["get", "/channels", ["validation_failed"]],
  ["get", "/contacts", ["forbidden", "validation_failed"]],
  ["get", "/contacts/{contact}", ["forbidden", "not_found"]],
  ["get", "/conversations/{id}/messages", ["forbidden", "not_found", "validation_failed"]],
  ["post", "/contacts", ["forbidden", ...key, ...write]],
  [
    "post",
    "/messages",
    [
      "forbidden",
      ...key,
      ...write,
      "template_not_approved",
      "outside_service_window",
      "channel_unavailable",
      "provider_error"
    ]
  ]
] as const)("declares the errors of %s %s", (method, path, own) => {
  expect([...codesOf(operation(path, method))].sort()).toEqual([...usual, ...application, ...own].sort())
})

it("declares the token endpoint's errors in their own format", () => {
  const { responses } = operation("/oauth/token", "post")
  expect(Object.keys(responses)).toEqual(["200", "400", "401", "405", "413", "429", "500", "503"])
  expect(Object.keys(responses["400"].content["application/json"].examples)).toEqual([
    "invalid_request",
    "unsupported_grant_type",
    "invalid_scope"
  ])
})

it("lists every code under its status, with an example envelope", () => {
  for (const described of [document, administration]) {
    for (const { operation } of operationsOf(described)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const { examples = {}, schema } = resolved(described, response).content["application/json"]
        for (const [code, reference] of Object.entries(examples)) {
          if (!(code in catalogue)) continue
          expect([code, `${catalogue[code as keyof typeof catalogue].status}`]).toEqual([code, status])
          expect(resolved(described, reference).value.error.code).toBe(code)
          expect(schema.properties.error.allOf[1].properties.code.enum).toContain(code)
        }
      }
    }
  }
})

it("declares the headers of each response", () => {
  const everywhere = ["X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining"]
  const more: { readonly [status: string]: ReadonlyArray<string> } = {
    "401": ["WWW-Authenticate"],
    "405": ["Allow"],
    "429": ["Retry-After", "X-RateLimit-Reset"],
    "503": ["Retry-After"]
  }
  for (const { operation } of operationsOf(document)) {
    const takesKey = operation.parameters?.some(({ name }) => name === "Idempotency-Key")
    for (const [status, response] of Object.entries(operation.responses)) {
      const own = status.startsWith("2") && takesKey ? ["Idempotency-Replayed"] : (more[status] ?? [])
      expect(Object.keys(resolved(document, response).headers)).toEqual([...everywhere, ...own])
    }
  }
})

it.each([
  ["first_name", 100],
  ["last_name", 100],
  ["company", 255],
  ["job_title", 255],
  ["email", 255],
  ["phone", 40],
  ["country", 2],
  ["city", 100],
  ["language", 10]
])("limits a contact's %s to %i characters", (field, maxLength) => {
  expect(document.components.schemas.ContactInput.properties[field]).toMatchObject({
    type: ["string", "null"],
    maxLength
  })
})

it("limits a contact's lists and lifecycle stages", () => {
  const { tags, identities, lifecycle_stage } = document.components.schemas.ContactInput.properties
  expect(tags).toMatchObject({ maxItems: 20, items: { maxLength: 100 } })
  expect(identities).toMatchObject({ maxItems: 10, items: { properties: { handle: { maxLength: 255 } } } })
  expect(lifecycle_stage.enum).toEqual(["lead", "prospect", "customer", "churned", null])
})

it("limits queries", () => {
  const limits = Object.fromEntries(
    operation("/contacts", "get").parameters?.map((one) => [one.name, one.schema]) ?? []
  )
  expect(limits).toMatchObject({
    search: { maxLength: 255 },
    tag: { maxLength: 100 },
    channel: { maxLength: 40 },
    lifecycle_stage: { enum: ["lead", "prospect", "customer", "churned"] },
    per_page: { type: "integer", minimum: 1, maximum: 100 },
    page: { type: "integer", minimum: 1 }
  })
})

it("describes the body and headers of every webhook event", () => {
  expect(Object.keys(document.webhooks ?? {})).toEqual(EventType.literals)
  for (const [type, { post }] of Object.entries(document.webhooks ?? {})) {
    const { schema, example } = post.requestBody.content["application/json"]
    expect(schema.properties.type.enum).toEqual([type])
    expect([example.type, Object.keys(example.data)]).toEqual([type, Object.keys(schema.properties.data.properties)])
    expect(post.parameters?.map((parameter) => resolved(document, parameter).name)).toEqual([
      "User-Agent",
      "X-Webhook-ID",
      "X-Webhook-Timestamp",
      "X-Webhook-Signature",
      "X-Event-ID",
      "X-Event-Type",
      "X-Event-Timestamp",
      "X-Delivery-ID",
      "X-Delivery-Attempt"
    ])
  }
})

it("contains the whole error catalogue", () => {
  expect(document.info.description).toContain(errorTable())
  expect(errorTable().match(/^\| `/gm)).toHaveLength(errorCodes.length)
})

for (const [name, described] of [
  ["public", document],
  ["administration's", administration]
] as const) {
  it(`describes every component, parameter, operation and tag of the ${name} document`, () => {
    const { schemas } = described.components
    for (const [component, { description, examples }] of Object.entries(schemas)) {
      expect([component, typeof description, JSON.stringify(examples)]).toEqual([
        component,
        "string",
        expect.not.stringContaining('"example"')
      ])
    }
    for (const { operation } of operationsOf(described)) {
      const unexplained = (operation.parameters ?? []).filter((parameter) => parameter.description === undefined)
      expect([operation.operationId, operation.summary === undefined, unexplained]).toEqual([
        operation.operationId,
        false,
        []
      ])
      expect([operation.operationId, typeof operation.description]).toEqual([operation.operationId, "string"])
      const withoutExample = (operation.parameters ?? []).filter(
        ({ example, in: where }) => where === "path" && (example === undefined || example === "example")
      )
      expect([operation.operationId, withoutExample]).toEqual([operation.operationId, []])
    }
    expect(Object.keys(described.components.responses).filter((name) => name.length > 45)).toEqual([])
    const names = operationsOf(described).map(({ operation }) => operation.operationId)
    expect(new Set(names).size).toBe(names.length)
  })
}

it("includes a new endpoint from its contract alone", () => {
  const Leaf = Schema.Struct({ id: ids.contact, colour: Schema.NullOr(Schema.Literal("red", "green")) }).annotations({
    identifier: "Leaf"
  })
  const api = HttpApi.make("leaves")
    .add(
      HttpApiGroup.make("leaves")
        .add(
          HttpApiEndpoint.get("get")`/leaves/${HttpApiSchema.param("leaf", uuid)}`
            .addSuccess(single(Leaf))
            .annotate(RequiredScopes, ["contacts.read"])
            .annotate(Raises, ["limit_reached"])
            .annotate(Annotations.Summary, "Read one leaf")
        )
        .annotate(Annotations.Title, "Leaves")
    )
    .prefix("/api/v1")
    .annotate(Annotations.Version, "2.0.0")
  const { paths, components } = documentOf({ ...publicDescription, api, webhooks: false })
  const get = paths["/leaves/{leaf}"]?.get
  expect(get).toMatchObject({
    operationId: "leavesGet",
    tags: ["Leaves"],
    summary: "Read one leaf",
    description: "Needs the scope `contacts.read`.",
    parameters: [{ name: "leaf", in: "path", required: true, schema: { type: "string", format: "uuid" } }],
    security: [{ apiKey: [] }, { oauth2: ["contacts.read"] }]
  })
  expect(Object.keys(get?.responses ?? {})).toEqual(["200", "402", "403", "404", "405", "429", "500", "503"])
  expect(get?.responses["200"].content["application/json"].example).toEqual({
    data: { id: sampleIds.contact, colour: null }
  })
  expect(components.schemas.Leaf.properties).toEqual({
    id: { type: "string", format: "uuid", examples: [sampleIds.contact] },
    colour: { type: ["string", "null"], enum: ["red", "green", null] }
  })
})
