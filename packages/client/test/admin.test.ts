import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { makeAdminClient } from "../src/admin/createAdminClient.js"
import {
  type AdminClient,
  type AdminSchemas,
  createAdminClient,
  isParleyError,
  ParleyError
} from "../src/admin/index.js"
import { adminToken, type Host, startHost } from "./host.js"
import { virtualTiming } from "./virtualTiming.js"

let host: Host
let admin: AdminClient

beforeAll(async () => {
  host = await startHost()
  admin = createAdminClient({ baseUrl: host.byKey.baseUrl, token: adminToken, actor: "grace" })
})
afterAll(() => host.stop())

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error
  )

describe("a served admin API", () => {
  it("creates, reads, changes and removes under the actor's name", async () => {
    const { data: workspace } = await admin.workspaces.create({ name: "Florist" })
    const input = { workspace_id: workspace.id, name: "Shop", mode: "test", scopes: ["webhooks.receive"] } as const
    const { data: application } = await admin.applications.create(input)
    const changed = await admin.applications.update(application.id, { name: "Web shop" })
    expect(changed.data).toMatchObject({ id: application.id, name: "Web shop", mode: "test" })
    const { data: endpoint } = await admin.webhooks.create(application.id, {
      url: "https://florist.example/hooks",
      events: ["*"]
    })
    expect(endpoint.secret).toMatch(/^whsec_/)
    expect((await admin.webhooks.remove(endpoint.id)).data.id).toBe(endpoint.id)
    expect((await admin.applications.get(application.id)).requestId).toMatch(/^[0-9a-f-]{36}$/)
    const { data: log } = await admin.logs.audit({ workspace_id: workspace.id })
    expect(new Set(log.map(({ actor }) => actor))).toEqual(new Set(["admin: grace"]))
  })

  it("fills two ids of a path in order", async () => {
    const { data: workspace } = await admin.workspaces.create({ name: "Florist" })
    const input = { workspace_id: workspace.id, name: "Shop", mode: "test", scopes: [] } as const
    const { data: application } = await admin.applications.create(input)
    const { data: key } = await admin.applications.issueKey(application.id)
    expect((await admin.applications.revokeKey(application.id, key.id)).data).toMatchObject({ id: key.id })
  })

  it("lists every row over pages", async () => {
    const { data: workspace } = await admin.workspaces.create({ name: "Florist" })
    for (const name of ["Ada", "Eve", "Mia"]) await admin.teams.create({ workspace_id: workspace.id, name })
    const query = { workspace_id: workspace.id, limit: 2 }
    const page = await admin.teams.list(query)
    expect([page.data.length, page.meta.has_more]).toEqual([2, true])
    const names: Array<string> = []
    for await (const team of admin.teams.listAll(query)) names.push(team.name)
    expect(names).toEqual(["Mia", "Eve", "Ada"])
  })

  it("repeats a creation under its key", async () => {
    const [one, two] = [
      await admin.workspaces.create({ name: "Once" }, { idempotencyKey: "once" }),
      await admin.workspaces.create({ name: "Once" }, { idempotencyKey: "once" })
    ]
    expect([two.data.id, one.replayed, two.replayed]).toEqual([one.data.id, false, true])
  })

  it("uploads a file by its bytes, its name and its type", async () => {
    const { data: workspace } = await admin.workspaces.create({ name: "Florist" })
    const query = { workspace_id: workspace.id }
    const { data: named } = await admin.attachments.create(new File(["Dear Ada"], "a b.txt", { type: "text/plain" }), {
      ...query,
      file_name: "letter.txt"
    })
    expect(named).toMatchObject({ content_type: "text/plain", file_name: "letter.txt", size: 8 })
    expect((await admin.attachments.get(named.id)).data).toEqual(named)
    const { data: file } = await admin.attachments.create(new File(["Dear Ada"], "a b.txt"), query)
    expect(file).toMatchObject({ content_type: "application/octet-stream", file_name: "a b.txt" })
    const once = { idempotencyKey: workspace.id }
    const bytes = new TextEncoder().encode("Dear Ada")
    const { data: first } = await admin.attachments.create(bytes, query, once)
    expect(await admin.attachments.create(bytes, query, once)).toMatchObject({ data: first, replayed: true })
  })

  it("fails with a ParleyError", async () => {
    const wrong = await failureOf(admin.workspaces.create({ name: "" }))
    expect(wrong).toBeInstanceOf(ParleyError)
    expect(wrong).toMatchObject({ code: "validation_failed", status: 422, details: { name: expect.anything() } })
    expect(await failureOf(admin.workspaces.get("nobody"))).toMatchObject({ code: "not_found" })
    const stranger = createAdminClient({ baseUrl: host.byKey.baseUrl, token: "wrong" })
    expect(isParleyError(await failureOf(stranger.status.get()), "unauthenticated")).toBe(true)
  })
})

describe("a client", () => {
  const seen: Array<readonly [method: string, url: string]> = []
  /** 0: the connection is lost. */
  const scriptedBy = (...statuses: ReadonlyArray<number>) => {
    seen.length = 0
    const fetch = async (url: unknown, init: RequestInit = {}) => {
      const status = statuses[seen.length] ?? 200
      seen.push([String(init.method), String(url)])
      if (status === 0) throw new TypeError("fetch failed")
      return new Response(JSON.stringify(status === 200 ? { data: { id: "1" } } : {}), { status })
    }
    const options = {
      baseUrl: "https://parley.test/messaging/",
      token: "secret",
      fetch: fetch as typeof globalThis.fetch
    }
    return makeAdminClient(options, virtualTiming().timing)
  }

  it("repeats a change that found the service unavailable", async () => {
    await scriptedBy(503, 503).teams.update("1", { name: "Ada" })
    expect(seen).toEqual(new Array(3).fill(["PATCH", "https://parley.test/messaging/admin/v1/teams/1"]))
  })

  it("does not report a refusal that a lost attempt of its own may have caused", async () => {
    const lost = { code: "network_error", status: null }
    expect(await failureOf(scriptedBy(0, 409).conversations.update("1", { status: "resolved" }))).toMatchObject(lost)
    expect(await failureOf(scriptedBy(0, 503, 404).contacts.erase("1"))).toMatchObject(lost)
    expect(seen).toHaveLength(3)
    expect(await failureOf(scriptedBy(502, 404).contacts.erase("1"))).toMatchObject({ status: 502 })
    expect((await scriptedBy(0).contacts.erase("1")).data).toEqual({ id: "1" })
  })

  it("reports other refusals of a repetition", async () => {
    expect(await failureOf(scriptedBy(0, 422).contacts.update("1", {}))).toMatchObject({ status: 422 })
    // A request that was refused for its rate had no effect.
    expect(await failureOf(scriptedBy(429, 404).contacts.erase("1"))).toMatchObject({ status: 404 })
    expect(await failureOf(scriptedBy(0, 404).contacts.get("1"))).toMatchObject({ status: 404 })
    // The key recognises the repetition.
    expect(await failureOf(scriptedBy(0, 409).workflows.publish("1"))).toMatchObject({ status: 409 })
  })

  it("refuses ids that a URL resolves away", async () => {
    const client = scriptedBy()
    for (const id of ["", ".", ".."]) {
      expect(await failureOf(client.contacts.erase(id))).toBeInstanceOf(TypeError)
    }
    // @ts-expect-error an id is required
    expect(await failureOf(client.contacts.erase())).toBeInstanceOf(TypeError)
    expect(seen).toEqual([])
  })

  it("refuses invalid and unknown options", () => {
    const valid = { baseUrl: "https://parley.test", token: "secret" }
    for (const wrong of [{ baseUrl: "parley.test" }, { token: "two\nlines" }, { actor: "" }, { apiKey: "key" }]) {
      expect(() => createAdminClient({ ...valid, ...wrong }), JSON.stringify(wrong)).toThrow(TypeError)
    }
    for (const given of [undefined, null, "https://parley.test"]) {
      expect(() => createAdminClient(given as never)).toThrow(
        /^createAdminClient takes one object with all options: baseUrl, token, /
      )
    }
  })
})

// The compiler is the test: `@ts-expect-error` marks what it must reject, and an unused mark is an error.
it("types inputs and answers", () => {
  const calls = (client: AdminClient) => [
    // @ts-expect-error an application needs a mode
    client.applications.create({ workspace_id: "1", name: "Shop", scopes: [] }),
    // @ts-expect-error an unknown scope
    client.applications.update("1", { scopes: ["everything"] }),
    // @ts-expect-error the workspace is required
    client.customFields.list()
  ]
  expectTypeOf(calls).returns.toBeArray()
  expectTypeOf<Awaited<ReturnType<AdminClient["connections"]["get"]>>["data"]>().toEqualTypeOf<
    AdminSchemas["Connection"]
  >()
})
