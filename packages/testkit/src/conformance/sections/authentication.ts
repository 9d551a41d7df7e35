import { expect } from "vitest"
import { page, refusal, resource } from "../Answers.js"
import { caller } from "../Caller.js"
import { freshEmail, freshHandle } from "../Handles.js"
import { Contact, ListedContact, SendAcknowledgement } from "../Resources.js"
import type { Section } from "../Suite.js"
import { shop } from "../shared.js"
import { endpoints } from "../Tables.js"

const unknownId = "01890a5d-ac96-774b-bcce-b302099a8057"

/** Authentication and visibility (docs/reference/authentication.md#api-keys). Access tokens are tested in `oauth`. */
export const authentication: Section = ({ proves, provesWith }) => {
  for (const { method, path } of endpoints.filter(({ path }) => path !== "/oauth/token")) {
    proves(`Authentication · rule 3 · ${method} ${path} · without a credential is 401`, async (world) => {
      const body = method === "POST" ? { body: {} } : {}
      const answer = await world.anonymous.ask(method, path.replace(/\{.*\}/, unknownId), body)
      expect(refusal(answer, 401, "unauthenticated")).toEqual({})
    })
  }
  proves("Authentication · rule 3 · an invalid credential is 401", async (world) => {
    const { key } = (await shop(world)).app
    const [start] = key.split("_")
    const wrong = [
      ...["Bearer", "Bearer ", `Basic ${btoa(`x:${key}`)}`, key, `Bearer ${key}x`, `Bearer ${key.slice(0, -1)}`],
      ...[`Bearer ${start}_live_${"x".repeat(32)}`, `Bearer ${start}_at_${"x".repeat(32)}`],
      `Bearer ${key.replace("_test_", "_live_")}`
    ]
    for (const authorization of wrong) {
      refusal(await world.anonymous.ask("GET", "/contacts", { headers: { authorization } }), 401, "unauthenticated")
    }
  })
  proves(
    "Authentication · rule 3 · the admin API and the public API refuse each other's credentials",
    async (world) => {
      const { key } = (await shop(world)).app
      refusal(await caller(world.wire, "/admin/v1", key).get("/workspaces"), 401, "unauthenticated")
      refusal(await caller(world.wire, "/admin/v1", null).get("/workspaces"), 401, "unauthenticated")
      const { request } = await world.admin.caller.get("/workspaces")
      expect(request).toContain("/admin/v1")
    }
  )

  for (const mode of ["live", "test"] as const) {
    proves(
      `Authentication · rule 1 · an API key of a ${mode} application tells its mode, and 32 characters`,
      async (world) => {
        const { key } = await (await shop(world)).application({ mode, connection_ids: [] })
        expect(key).toMatch(new RegExp(`^[a-z0-9]+_${mode}_[A-Za-z0-9]{32}$`))
      }
    )
  }
  proves("Authentication · rule 1 · a key is shown once", async (world) => {
    const { id, key, keyId } = (await shop(world)).app
    const listed = await world.admin.list(`/applications/${id}/api-keys`)
    expect(listed.map((one) => one.id)).toContain(keyId)
    expect(JSON.stringify(listed)).not.toContain(key)
  })
  proves("Authentication · rule 1 · a key has the current scopes of its application", async (world) => {
    const app = await (await shop(world)).application({ scopes: ["contacts.read"] })
    page(await app.api.get("/contacts"), ListedContact)
    expect(refusal(await app.api.post("/contacts", {}), 403, "forbidden")).toEqual({ required_scope: "contacts.write" })
    await world.admin.patch(`/applications/${app.id}`, { scopes: ["contacts.write"] })
    resource(await app.api.post("/contacts", { email: freshEmail() }), 201, Contact)
    expect(refusal(await app.api.get("/contacts"), 403, "forbidden")).toEqual({ required_scope: "contacts.read" })
  })
  proves(
    "Authentication · rule 3 · a revoked key is 401 at once on every host; other keys keep working",
    async (world) => {
      const app = await (await shop(world)).application()
      const second = await world.admin.post(`/applications/${app.id}/api-keys`)
      await Promise.all([app.api.get("/contacts"), app.api.get("/contacts")])
      await world.admin.delete(`/applications/${app.id}/api-keys/${app.keyId}`)
      for (let host = 0; host < 4; host++) refusal(await app.api.get("/contacts"), 401, "unauthenticated")
      page(await world.as(String(second.key)).get("/contacts"), ListedContact)
    }
  )
  proves("Authentication · rule 1 · a key is re-issued: the old one is 401 at once", async (world) => {
    const app = await (await shop(world)).application()
    const rotated = await world.admin.post(`/applications/${app.id}/api-keys/${app.keyId}/rotate`)
    for (let host = 0; host < 2; host++) refusal(await app.api.get("/contacts"), 401, "unauthenticated")
    page(await world.as(String(rotated.key)).get("/contacts"), ListedContact)
  })
  proves("Authentication · rule 4 · the scope is checked before anything is read", async (world) => {
    const { api } = await (await shop(world)).application({ scopes: ["events.send"] })
    for (const id of [unknownId, "none"]) {
      expect(refusal(await api.get(`/contacts/${id}`), 403, "forbidden")).toEqual({ required_scope: "contacts.read" })
    }
    const unread = await api.post("/contacts", undefined, { raw: "{", key: null })
    expect(refusal(unread, 403, "forbidden")).toEqual({ required_scope: "contacts.write" })
  })
  proves(
    "Authentication · rule 5 · a suspended application is 403 account_suspended until it is active again",
    async (world) => {
      const app = await (await shop(world)).application()
      const send = () =>
        app.api.post("/messages", {
          channel: "telegram",
          to: freshHandle("telegram"),
          type: "text",
          message: { body: "Hi" }
        })
      await world.admin.patch(`/applications/${app.id}`, { status: "suspended" })
      for (let host = 0; host < 2; host++) {
        refusal(await app.api.get("/contacts"), 403, "account_suspended")
        refusal(await send(), 403, "account_suspended")
      }
      await world.admin.patch(`/applications/${app.id}`, { status: "active" })
      resource(await send(), 202, SendAcknowledgement)
    }
  )
  provesWith(
    "GET /audit-log",
    "Authentication · rule 7 · issue, rotation and revocation are in the audit log",
    async (world) => {
      const app = await (await shop(world)).application()
      const rotated = await world.admin.post(`/applications/${app.id}/api-keys/${app.keyId}/rotate`)
      await world.admin.delete(`/applications/${app.id}/api-keys/${rotated.id}`)
      const log = JSON.stringify(await world.admin.list("/audit-log", { application_id: app.id }))
      for (const id of [app.keyId, rotated.id]) expect(log).toContain(id)
    }
  )
}
