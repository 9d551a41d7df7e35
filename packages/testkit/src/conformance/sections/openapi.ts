import { expect } from "vitest"
import {
  AccessToken,
  scopes as allScopes,
  Contact,
  Conversation,
  EventAcknowledgement,
  InboundMessage,
  Lead,
  ListedChannel,
  ListedContact,
  OutboundMessage,
  SendAcknowledgement,
  Template
} from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { endpoints, eventTypes } from "../Tables.js"

const document = once(async (world) => (await world.anonymous.get("/openapi.json")).json as any)

/** The target of a reference. */
const resolved = (json: any, value: any): any =>
  typeof value?.$ref === "string"
    ? resolved(
        json,
        value.$ref
          .slice(2)
          .split("/")
          .reduce((at: any, part: string) => at?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], json)
      )
    : value

/** Every reference in a value. */
const referencesIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([name, inner]) =>
        name === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner)
      )

const fieldsOf = (json: any, schema: any): ReadonlyArray<string> =>
  Object.keys(resolved(json, schema)?.properties ?? {}).sort()

/** The headers of a webhook (docs/reference/webhooks.md#delivery-headers). */
const deliveryHeaders = [
  ...["user-agent", "x-webhook-id", "x-webhook-timestamp", "x-webhook-signature", "x-event-id", "x-event-type"],
  ...["x-event-timestamp", "x-delivery-id", "x-delivery-attempt"]
]

/** Served paths, with the fields of their responses. */
const served: ReadonlyArray<readonly ["GET" | "POST", string, { readonly fields: object }]> = [
  ["POST", "/oauth/token", AccessToken],
  ["GET", "/contacts", ListedContact],
  ["POST", "/contacts", Contact],
  ["GET", "/contacts/{contact}", Contact],
  ["POST", "/messages", SendAcknowledgement],
  ["GET", "/messages/{id}", { fields: { ...OutboundMessage.fields, ...InboundMessage.fields } }],
  ["GET", "/conversations", Conversation],
  ["GET", "/conversations/{id}", Conversation],
  ["GET", "/conversations/{id}/messages", { fields: { ...OutboundMessage.fields, ...InboundMessage.fields } }],
  ["GET", "/templates", Template],
  ["POST", "/leads", Lead],
  ["POST", "/events", EventAcknowledgement],
  ["GET", "/channels", ListedChannel]
]

/** The OpenAPI document: `GET /api/v1/openapi.json`. */
export const openapi: Section = ({ proves }) => {
  proves("OpenAPI · the document and its page need no credential", async (world) => {
    const { json, status } = await world.anonymous.get("/openapi.json")
    expect([status, (json as any).openapi]).toEqual([200, expect.stringMatching(/^3\.1\./)])
    const page = await world.anonymous.ask("GET", "/docs", { headers: { accept: "text/html" } })
    expect([page.status, page.headers.get("content-type")]).toEqual([200, expect.stringContaining("text/html")])
  })
  proves("OpenAPI · every reference leads somewhere", async (world) => {
    const json = await document(world)
    for (const $ref of new Set(referencesIn(json))) expect(resolved(json, { $ref }), $ref).toBeTypeOf("object")
  })
  proves("OpenAPI · has the endpoints of the table, and no more", async (world) => {
    const { paths } = await document(world)
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`)
    )
    expect(described.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort())
  })
  for (const { method, path, success, scopes, query, isIdempotent } of endpoints) {
    proves(`OpenAPI · ${method} ${path} · says ${success}, its parameters and scopes`, async (world) => {
      const json = await document(world)
      const operation = json.paths[path][method.toLowerCase()]
      expect(Object.keys(operation.responses).filter((status) => status.startsWith("2"))).toEqual([String(success)])
      const parameters = (operation.parameters ?? []).map((one: any) => resolved(json, one))
      const named = (where: string) => parameters.filter((one: any) => one.in === where).map((one: any) => one.name)
      expect(named("query").sort()).toEqual([...query].sort())
      expect(named("path")).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(named("header")).toEqual(isIdempotent ? ["Idempotency-Key"] : [])
      for (const one of parameters) if (one.name === "Idempotency-Key") expect(one.required).toBe(true)
      const message = JSON.stringify([operation.description, operation.security])
      for (const scope of scopes) expect(message).toContain(scope)
      const failures = path === "/oauth/token" ? ["400", "401", "429"] : ["401", "405", "429", "500", "503"]
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(failures))
    })
  }
  for (const [method, path, schema] of served) {
    proves(`OpenAPI · ${method} ${path} · answers with the fields of the resource`, async (world) => {
      const json = await document(world)
      const answers = Object.entries(json.paths[path][method.toLowerCase()].responses)
      const [, done] = answers.find(([status]) => status.startsWith("2")) ?? []
      const body = resolved(json, resolved(json, done).content["application/json"].schema)
      const { data } = path === "/oauth/token" ? { data: body } : body.properties
      expect(fieldsOf(json, resolved(json, data).items ?? data)).toEqual(Object.keys(schema.fields).sort())
    })
  }
  proves("OpenAPI · a contact's fields have the limits of the table", async (world) => {
    const json = await document(world)
    const { schema } = json.paths["/contacts"].post.requestBody.content["application/json"]
    const { properties } = resolved(json, schema)
    const most = (field: string) => /"maxLength":(\d+)/.exec(JSON.stringify(resolved(json, properties[field])))?.[1]
    const limits = {
      ...{ first_name: 100, last_name: 100, company: 255, job_title: 255, email: 255, phone: 40, country: 2 },
      ...{ city: 100, language: 10 }
    }
    for (const [field, limit] of Object.entries(limits)) expect([field, most(field)]).toEqual([field, String(limit)])
    expect(JSON.stringify(properties.tags)).toContain('"maxItems":20')
    expect(JSON.stringify(properties.identities)).toContain('"maxItems":10')
  })
  for (const [type, keys] of Object.entries(eventTypes)) {
    proves(`OpenAPI · webhooks · ${type} is described with its data`, async (world) => {
      const json = await document(world)
      const { schema } = json.webhooks[type].post.requestBody.content["application/json"]
      const { data } = resolved(json, schema).properties
      expect(fieldsOf(json, data)).toEqual([...keys].sort())
    })
  }
  proves("OpenAPI · webhooks · are those of the table, and no more", async (world) => {
    expect(Object.keys((await document(world)).webhooks).sort()).toEqual(Object.keys(eventTypes).sort())
  })
  proves("OpenAPI · webhooks · bot.completed · says how: finished, timed out, stopped or failed", async (world) => {
    const json = await document(world)
    const { schema } = json.webhooks["bot.completed"].post.requestBody.content["application/json"]
    const bot = resolved(json, resolved(json, resolved(json, schema).properties.data).properties.bot)
    expect(Object.keys(bot.properties).sort()).toEqual(["answers", "id", "name", "outcome", "session_id", "started_at"])
    const message = JSON.stringify(resolved(json, bot.properties.outcome))
    for (const word of ["finished", "timed_out", "stopped", "failed"]) expect(message).toContain(`"${word}"`)
  })
  proves("OpenAPI · webhooks · every header of a delivery is described", async (world) => {
    const json = await document(world)
    const named = json.webhooks["message.sent"].post.parameters.map((one: any) =>
      resolved(json, one).name.toLowerCase()
    )
    for (const header of deliveryHeaders) expect(named).toContain(header)
  })
  proves("Scopes · the eleven are described with the OAuth flow", async (world) => {
    const { securitySchemes } = (await document(world)).components
    const flow = Object.values<any>(securitySchemes).find(({ flows }) => flows !== undefined).flows.clientCredentials
    expect(Object.keys(flow.scopes).sort()).toEqual([...allScopes].sort())
  })
  proves(
    "Limits · what takes a day or is a receiver's duty is in the document: retention, tolerance",
    async (world) => {
      const json = await document(world)
      const text = JSON.stringify(json.paths["/messages"].post)
      expect(text).toContain("24 hours")
      expect(JSON.stringify(json.tags)).toContain("300 seconds")
    }
  )
}
