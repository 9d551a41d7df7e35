import { expect } from "vitest"
import type { Answer } from "../Answer.js"
import { expectStatus, page, refusal } from "../Answers.js"
import { AccessToken, ListedContact, TokenFailure } from "../Resources.js"
import { once, type Section } from "../Suite.js"
import { shaped } from "../shaped.js"
import { shop } from "../shared.js"
import type { World } from "../World.js"

const held = ["contacts.read", "contacts.write", "messages.read"]

const client = once(async (world) => {
  const app = await (await shop(world)).application({ scopes: held })
  const issued = await world.admin.post(`/applications/${app.id}/oauth-clients`)
  return { ...app, issued, client_id: String(issued.client_id), client_secret: String(issued.client_secret) }
})

const ask = (world: World, body: object) => world.anonymous.post("/oauth/token", body, { key: null })

const granted = (answer: Answer) => {
  expectStatus(answer, 200)
  return shaped(AccessToken, answer.json, answer.request)
}

const failure = (answer: Answer, status: number): string => {
  expectStatus(answer, status)
  return shaped(TokenFailure, answer.json, answer.request).error
}

const newToken = async (world: World, more: object = {}) => {
  const { client_id, client_secret } = await client(world)
  return granted(await ask(world, { grant_type: "client_credentials", client_id, client_secret, ...more }))
}

/**
 * The token endpoint (docs/reference/authentication.md#token-endpoint). The tests run one after the other, because a
 * client address has 30 requests per minute: the last test uses them up, and all others together need fewer.
 */
export const oauth: Section = ({ proves }) => {
  proves(
    "POST /oauth/token · answers 200 with a token for an hour and every scope, not wrapped in data",
    async (world) => {
      const { client_id, client_secret } = await client(world)
      const body = { grant_type: "client_credentials", client_id, client_secret }
      let answer = await ask(world, body)
      if (answer.status === 429) {
        // Another run has used up this minute's requests.
        await new Promise((done) => setTimeout(done, Number(answer.headers.get("retry-after")) * 1_000))
        answer = await ask(world, body)
      }
      const token = granted(answer)
      expect(token.scope.split(" ").sort()).toEqual([...held].sort())
      expect(answer.headers.get("cache-control")).toContain("no-store")
      page(await world.as(token.access_token).get("/contacts"), ListedContact)
    }
  )
  proves("POST /oauth/token · scope · restricts the token", async (world) => {
    const token = await newToken(world, { scope: "contacts.read messages.read" })
    expect(token.scope.split(" ").sort()).toEqual(["contacts.read", "messages.read"])
    const api = world.as(token.access_token)
    page(await api.get("/contacts"), ListedContact)
    expect(refusal(await api.post("/contacts", {}), 403, "forbidden")).toEqual({ required_scope: "contacts.write" })
  })
  proves("POST /oauth/token · accepts a form", async (world) => {
    const { client_id, client_secret } = await client(world)
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }).toString()
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    granted(await world.anonymous.ask("POST", "/oauth/token", { raw: form, headers }))
  })
  proves("POST /oauth/token · unsupported_grant_type · is 400", async (world) => {
    const { client_id, client_secret } = await client(world)
    for (const grant_type of ["refresh_token", "password"]) {
      expect(failure(await ask(world, { grant_type, client_id, client_secret }), 400)).toBe("unsupported_grant_type")
    }
  })
  proves(
    "POST /oauth/token · invalid_scope · is 400 for a scope that the application lacks or that does not exist",
    async (world) => {
      const { client_id, client_secret } = await client(world)
      for (const scope of ["contacts.read events.send", "everything"]) {
        const answer = await ask(world, { grant_type: "client_credentials", client_id, client_secret, scope })
        expect(failure(answer, 400)).toBe("invalid_scope")
      }
    }
  )
  proves("POST /oauth/token · invalid_client · is 401 for an unknown client or a wrong secret", async (world) => {
    const { client_id, client_secret, key } = await client(world)
    for (const wrong of [
      { client_id: "nobody", client_secret },
      { client_id, client_secret: `${client_secret}x` },
      { client_id, client_secret: key }
    ]) {
      expect(failure(await ask(world, { grant_type: "client_credentials", ...wrong }), 401)).toBe("invalid_client")
    }
  })
  proves("POST /oauth/token · invalid_request · is 400 for a missing field or an unreadable body", async (world) => {
    const { client_id, client_secret } = await client(world)
    expect(failure(await ask(world, { client_id, client_secret }), 400)).toBe("invalid_request")
    expect(failure(await ask(world, { grant_type: "client_credentials", client_id }), 400)).toBe("invalid_request")
    const raw = await world.anonymous.ask("POST", "/oauth/token", { raw: "{" })
    expect(failure(raw, 400)).toBe("invalid_request")
  })
  proves("Authentication · rule 2 · a token has its granted scopes that the application still has", async (world) => {
    const { id } = await client(world)
    const api = world.as((await newToken(world)).access_token)
    page(await api.get("/contacts"), ListedContact)
    await world.admin.patch(`/applications/${id}`, { scopes: ["contacts.write", "events.send"] })
    expect(refusal(await api.get("/contacts"), 403, "forbidden")).toEqual({ required_scope: "contacts.read" })
    // Scopes granted to the application later do not belong to the token.
    expect(refusal(await api.post("/events", {}), 403, "forbidden")).toEqual({ required_scope: "events.send" })
    await world.admin.patch(`/applications/${id}`, { scopes: held })
    page(await api.get("/contacts"), ListedContact)
  })
  proves(
    "Authentication · rule 5 · a suspended application gets no token, and its tokens are refused",
    async (world) => {
      const { id, client_id, client_secret } = await client(world)
      const api = world.as((await newToken(world)).access_token)
      await world.admin.patch(`/applications/${id}`, { status: "suspended" })
      refusal(await api.get("/contacts"), 403, "account_suspended")
      const answer = await ask(world, { grant_type: "client_credentials", client_id, client_secret })
      expect(failure(answer, 401)).toBe("invalid_client")
      await world.admin.patch(`/applications/${id}`, { status: "active" })
    }
  )
  proves("Authentication · rule 3 · a rotated or revoked client's tokens are 401 at once", async (world) => {
    const { id, client_id, issued } = await client(world)
    const path = `/applications/${id}/oauth-clients`
    const before = world.as((await newToken(world)).access_token)
    const rotated = await world.admin.post(`${path}/${issued.id}/rotate`)
    refusal(await before.get("/contacts"), 401, "unauthenticated")
    const secrets = { client_id: rotated.client_id ?? client_id, client_secret: rotated.client_secret }
    const after = world.as(granted(await ask(world, { grant_type: "client_credentials", ...secrets })).access_token)
    page(await after.get("/contacts"), ListedContact)
    await world.admin.delete(`${path}/${rotated.id}`)
    refusal(await after.get("/contacts"), 401, "unauthenticated")
    expect(failure(await ask(world, { grant_type: "client_credentials", ...secrets }), 401)).toBe("invalid_client")
  })
  proves("Credentials · an OAuth client's secret is shown once", async (world) => {
    const { id, client_secret } = await client(world)
    expect(JSON.stringify(await world.admin.list(`/applications/${id}/oauth-clients`))).not.toContain(client_secret)
  })
  proves("POST /oauth/token · only POST", async (world) => {
    const { headers, status } = await world.anonymous.get("/oauth/token")
    expect([status, headers.get("allow")]).toEqual([405, "POST"])
  })
  proves("Limits · token requests · 30 a minute by client address, then 429", async (world) => {
    let remaining = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt <= 30; attempt++) {
      const answer = await ask(world, { grant_type: "none" })
      expect(answer.headers.get("x-ratelimit-limit")).toBe("30")
      if (answer.status === 429) {
        expect(failure(answer, 429)).toBe("temporarily_unavailable")
        expect(Number(answer.headers.get("retry-after"))).toBeLessThanOrEqual(60)
        return
      }
      const left = Number(answer.headers.get("x-ratelimit-remaining"))
      expect(left).toBeLessThan(remaining)
      remaining = left
    }
    throw new Error("31 token requests in a row were taken")
  })
}
