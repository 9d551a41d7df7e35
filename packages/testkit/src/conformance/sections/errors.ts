import { expect } from "vitest"
import type { Answer } from "../Answer.js"
import { expectStatus, refusal, resource } from "../Answers.js"
import { freshKey } from "../Caller.js"
import { freshEmail, freshNumber } from "../Handles.js"
import { Contact } from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { shop } from "../shared.js"
import { endpoints, errorCodes } from "../Tables.js"
import type { World } from "../World.js"

const api = async (world: World) => (await shop(world)).app.api

const text = { channel: "email", to: "ada@customer.example", type: "text", message: { body: "Hi" } }
const mebibyte = 1_048_576

/** How to cause each error code. The codes of sends, suspension and limits are tested in other sections. */
const raised: { readonly [code: string]: (world: World) => Promise<Answer> } = {
  unauthenticated: (world) => world.anonymous.get("/contacts"),
  forbidden: async (world) => (await (await shop(world)).application({ scopes: [] })).api.get("/contacts"),
  not_found: async (world) => (await api(world)).get("/contacts/none"),
  validation_failed: async (world) => (await api(world)).post("/contacts", {}),
  idempotency_conflict: async (world) => {
    const key = freshKey()
    await (await api(world)).post("/contacts", { email: freshEmail() }, { key })
    return (await api(world)).post("/contacts", { email: freshEmail() }, { key })
  },
  template_not_approved: async (world) => {
    await (await shop(world)).template({ name: "draft", status: "draft" })
    const body = { channel: "whatsapp", to: freshNumber(), type: "template", message: { template: "draft" } }
    return (await api(world)).post("/messages", body)
  },
  outside_service_window: async (world) =>
    (await api(world)).post("/messages", { ...text, channel: "whatsapp", to: freshNumber() }),
  method_not_allowed: async (world) => (await api(world)).ask("PUT", "/contacts"),
  payload_too_large: async (world) =>
    (await api(world)).post("/contacts", undefined, { raw: "x".repeat(mebibyte + 1) }),
  bad_request: async (world) => (await api(world)).post("/contacts", undefined, { raw: "{" }),
  invalid_tenant_transition: async (world) => {
    const { workspaceId } = await shop(world)
    return world.admin.caller.patch(`/workspaces/${workspaceId}`, { status: "active" })
  },
  invalid_transition: async (world) => {
    const { id } = await (await shop(world)).workflow("errors")
    return world.admin.caller.post(`/workflows/${id}/publish`, undefined)
  }
}

/** The rows of the document's error catalogue, by code. */
const catalogue = once(async (world) => {
  const { json } = await world.anonymous.get("/openapi.json")
  const { info } = json as { readonly info: { readonly description: string } }
  return new Map(
    info.description.split("\n").flatMap((line) => {
      const cells = line.split("|").map((cell) => cell.trim())
      return cells.length < 5 ? [] : [[String(cells[1]).replaceAll("`", ""), cells] as const]
    })
  )
})

/**
 * Error codes (docs/reference/errors.md#codes-of-the-public-interface). The envelope is checked on every error response
 * of the suite.
 */
export const errors: Section = ({ proves }) => {
  for (const [code, status] of Object.entries(errorCodes)) {
    const raise = raised[code]
    if (raise !== undefined) {
      proves(`Errors · ${code} · is raised with ${status}`, async (world) => refusal(await raise(world), status, code))
    }
    proves(`Errors · ${code} · is ${status} in the catalogue of the document, with its retry rule`, async (world) => {
      const row = (await catalogue(world)).get(code)
      expect(row?.[2]).toBe(String(status))
      const retry = status === 429 ? /Retry-After/ : [500, 502, 503].includes(status) ? /Idempotency-Key/ : /^no$/
      expect(row?.[5]).toMatch(retry)
    })
  }
  proves("Errors · the catalogue has these codes and no more", async (world) => {
    const { json } = await world.anonymous.get("/openapi.json")
    const codes = (json as any).components.schemas.ErrorBody.properties.code.enum
    expect([...codes].sort()).toEqual(Object.keys(errorCodes).sort())
  })

  proves("Errors · request_id · is generated, not taken from the client", async (world) => {
    const ours = "01890a5d-ac96-774b-bcce-b302099a8057"
    const answer = await world.anonymous.ask("GET", "/contacts", { headers: { "x-request-id": ours } })
    expect(answer.headers.get("x-request-id")).not.toBe(ours)
  })
  proves("Errors · not_found · an unknown path, with and without a credential", async (world) => {
    for (const path of ["/nowhere", "", "/contact", "/messages", "/contacts/a/b", "/%ff"]) {
      // `GET /messages` is a known path with another method.
      if (path === "/messages") continue
      refusal(await (await api(world)).get(path), 404, "not_found")
      refusal(await world.anonymous.get(path), 404, "not_found")
    }
  })
  for (const path of new Set(endpoints.map((one) => one.path))) {
    const methods = endpoints.filter((one) => one.path === path).map(({ method }) => method)
    proves(`Errors · method_not_allowed · ${path} names ${methods.join(" and ")} in Allow`, async (world) => {
      for (const method of ["PUT", "PATCH", "DELETE"]) {
        const answer = await (await api(world)).ask(method, path.replace(/\{.*\}/, "none"))
        expectStatus(answer, 405)
        const allowed = (answer.headers.get("allow") ?? "").split(/,\s*/)
        expect(allowed.filter((one) => one === "GET" || one === "POST").sort()).toEqual([...methods].sort())
      }
    })
  }
  proves("Errors · payload_too_large · beyond 1 MiB, counted while reading", async (world) => {
    const caller = await api(world)
    const make = (length: number) => {
      const start = JSON.stringify({ email: freshEmail(), junk: "" }).slice(0, -2)
      return caller.post("/contacts", undefined, { raw: `${start}${"x".repeat(length - start.length - 2)}"}` })
    }
    resource(await make(mebibyte), 201, Contact)
    refusal(await make(mebibyte + 1), 413, "payload_too_large")
    refusal(await make(4 * mebibyte), 413, "payload_too_large")
  })
  const unreadable: ReadonlyArray<
    readonly [what: string, raw: string | Uint8Array, headers?: { readonly [name: string]: string }]
  > = [
    ["no JSON", '{"email": '],
    ["nothing", ""],
    ["a list", "[]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["bytes that are no UTF-8", Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)],
    ["another content type", "{}", { "content-type": "text/plain" }],
    ["a form", "email=a", { "content-type": "application/x-www-form-urlencoded" }]
  ]
  for (const [what, raw, headers = {}] of unreadable) {
    proves(`Errors · bad_request · a body that is ${what}`, async (world) => {
      refusal(await (await api(world)).post("/contacts", undefined, { raw, headers }), 400, "bad_request")
    })
  }
  proves("Errors · the order of checks · credential, limit, scope, body, key, fields", async (world) => {
    const tenant = await shop(world)
    const wrong = { raw: "{", key: null }
    refusal(await world.anonymous.post("/contacts", undefined, wrong), 401, "unauthenticated")
    const one = await tenant.application({ scopes: [], limits: { requests_per_minute: 1 } })
    refusal(await one.api.post("/contacts", undefined, wrong), 403, "forbidden")
    refusal(await one.api.post("/contacts", undefined, wrong), 429, "rate_limited")
    refusal(await tenant.app.api.post("/contacts", undefined, wrong), 400, "bad_request")
    refusal(await tenant.app.api.post("/contacts", {}, { key: null }), 400, "bad_request")
    refusal(await tenant.app.api.post("/contacts", {}), 422, "validation_failed")
  })
  proves("Errors · messages · are readable sentences without input values", async (world) => {
    const body = {
      first_name: ["Sesame"],
      email: "Sesame",
      tags: "Sesame",
      lifecycle_stage: "Sesame",
      phone: { Sesame: 1 }
    }
    const answer = await (await api(world)).post("/contacts", body)
    const details = refusal(answer, 422, "validation_failed")
    expect(Object.keys(details).sort()).toEqual(["email", "first_name", "lifecycle_stage", "phone", "tags"])
    expect(answer.text).not.toContain("Sesame")
  })
}
