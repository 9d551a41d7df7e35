import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { SandboxProvider } from "@parley/channel-sandbox"
import { isParleyError } from "@parley/client"
import { MemoryBlobs } from "@parley/node"
import { sharedDatabases } from "@parley/testkit/databases"
import { Effect, Schema } from "effect"
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest"
import { createParley, type Declaration, type Parley, SetupError } from "../src/index.js"
import { email, quiet } from "./shop.js"

const secretKey = Buffer.alloc(32, 7).toString("base64")

const acme = (workspace: string) =>
  ({
    workspace,
    connections: {
      desk: { channel: "email", handle: `desk@${workspace}.example`, settings: { opt_out: false } },
      support: { channel: "whatsapp", handle: `+49301${workspace.length}23456`, name: "Support line" }
    },
    templates: {
      shipped: { channel: "whatsapp", language: "en", body: "Order {{1}} is on its way.", status: "approved" }
    },
    applications: {
      shop: {
        scopes: ["messages.send", "messages.read", "webhooks.receive"],
        connections: ["desk", "support"],
        limits: { sends_per_minute: 50 },
        keys: ["website"]
      }
    },
    endpoints: {
      orders: {
        application: "shop",
        url: "https://shop.example/hooks",
        events: ["message.delivered", "message.failed"]
      }
    },
    workflows: {
      thanks: {
        trigger: { type: "external_event", event: "order.paid" },
        actions: [{ type: "add_tag", tag: "paid" }]
      }
    }
  }) as const satisfies Declaration

const failureOf = (call: Promise<unknown>): Promise<SetupError> =>
  call.then(
    () => {
      throw new Error("the setup did not fail")
    },
    (error: unknown) => {
      if (!(error instanceof SetupError)) throw error
      return error
    }
  )

/** Numbers of the parts of a workspace. */
const counts = async ({ admin }: Parley, workspace_id: string) => {
  const query = { workspace_id, limit: 100 }
  const [connections, templates, applications, workflows] = [
    (await admin.connections.list(query)).data,
    (await admin.templates.list(query)).data,
    (await admin.applications.list(query)).data,
    (await admin.workflows.list(query)).data
  ]
  let endpoints = 0
  let keys = 0
  for (const { id } of applications) {
    endpoints += (await admin.webhooks.list(id)).data.length
    keys += (await admin.applications.listKeys(id)).data.length
  }
  return [connections, templates, applications, workflows].map(({ length }) => length).concat(endpoints, keys)
}

for (const [name, open] of sharedDatabases) {
  describe(`setup on ${name}`, { timeout: 60_000 }, () => {
    let parleys: ReadonlyArray<Parley>
    let parley: Parley
    let close: () => Promise<void>

    beforeAll(async () => {
      const opened = await new Promise<{
        readonly layers: Effect.Effect.Success<typeof open>
        readonly done: () => Promise<void>
      }>((resolve, reject) => {
        let end = () => {}
        const ended = new Promise<void>((resolve) => {
          end = resolve
        })
        const running = Effect.runPromise(
          Effect.scoped(
            Effect.flatMap(open, (layers) => {
              resolve({
                layers,
                done: async () => {
                  end()
                  await running
                }
              })
              return Effect.promise(() => ended)
            })
          )
        )
        running.catch(reject)
      })
      parleys = await Promise.all(
        opened.layers.map((storage) =>
          createParley({ ...quiet, storage, secretKey, channels: [SandboxProvider], blobs: MemoryBlobs.layer })
        )
      )
      parley = parleys[0] as Parley
      close = async () => {
        await Promise.all(parleys.map((one) => one.close()))
        await opened.done()
      }
    }, 60_000)
    afterAll(() => close())

    it("creates what is declared, once", async () => {
      const made = await parley.setup(acme("once"))
      expect(made.applications.shop.keys.website).toMatch(/^parley_live_/)
      expect(made.endpoints.orders.secret).toMatch(/^whsec_/)
      expect(made.workflows.thanks.secret).toMatch(/^whsec_/)
      expect(made.differences.map(({ kind, part }) => [kind, part])).toEqual([
        ["missing", "workspace"],
        ["missing", "connections.desk"],
        ["missing", "connections.support"],
        ["missing", "templates.shipped"],
        ["missing", "applications.shop"],
        ["missing", "applications.shop.keys.website"],
        ["missing", "endpoints.orders"],
        ["missing", "workflows.thanks"]
      ])
      const again = await parley.setup(acme("once"))
      expect(again).toEqual({
        ...made,
        applications: { shop: { id: made.applications.shop.id, keys: {} } },
        endpoints: { orders: { id: made.endpoints.orders.id, secret: null } },
        workflows: { thanks: { id: made.workflows.thanks.id, secret: null } },
        differences: []
      })
      expect(await counts(parley, made.workspace.id)).toEqual([2, 1, 1, 1, 1, 1])
      const { data: workflow } = await parley.admin.workflows.get(made.workflows.thanks.id)
      expect(workflow).toMatchObject({ name: "thanks", status: "published", published_version: 1 })
      const { data: log } = await parley.admin.logs.audit({ workspace_id: made.workspace.id })
      expect(new Set(log.map(({ actor }) => actor))).toEqual(new Set(["admin: setup"]))

      const sent = await parley.as(made.applications.shop.id).messages.send(email("ada@once.example"))
      expect(sent.data.status).toBe("queued")
      const byKey = parley.client(made.applications.shop.keys.website ?? "")
      expect((await byKey.channels.list()).data).toHaveLength(2)
    })

    it("creates each part once when ten processes start at once", async () => {
      const all = await Promise.all(
        Array.from({ length: 10 }, (_, index) => (parleys[index % parleys.length] as Parley).setup(acme("ten")))
      )
      const ids = all.map(({ applications, connections, endpoints, templates, workflows, workspace }) =>
        [
          workspace,
          connections.desk,
          connections.support,
          templates.shipped,
          applications.shop,
          endpoints.orders,
          workflows.thanks
        ].map(({ id }) => id)
      )
      expect(new Set(ids.map((one) => one.join()))).toHaveProperty("size", 1)
      expect(await counts(parley, all[0]?.workspace.id ?? "")).toEqual([2, 1, 1, 1, 1, 1])
      // Each secret is returned by the process that made it, and by no other.
      expect(all.filter(({ applications }) => applications.shop.keys.website !== undefined)).toHaveLength(1)
      expect(all.filter(({ endpoints }) => endpoints.orders.secret !== null)).toHaveLength(1)
      expect(all.filter(({ workflows }) => workflows.thanks.secret !== null)).toHaveLength(1)
      const named: Array<string> = []
      for await (const workspace of parley.admin.workspaces.listAll())
        if (workspace.name === "ten") named.push(workspace.id)
      expect(named).toHaveLength(1)
    })

    it("refuses nothing of what other processes just make", async () => {
      const start = (index: number) =>
        (parleys[index % parleys.length] as Parley).setup(acme("ten-refusing"), { onDrift: "refuse" })
      const all = await Promise.all(Array.from({ length: 10 }, (_, index) => start(index)))
      expect(new Set(all.map(({ workflows }) => workflows.thanks.id))).toHaveProperty("size", 1)
      expect(await counts(parley, all[0]?.workspace.id ?? "")).toEqual([2, 1, 1, 1, 1, 1])
    })

    it("names an existing workspace once when processes start at once", async () => {
      const { data } = await parley.admin.workspaces.create({ name: "by hand" })
      const declaration = { workspace: "by hand", applications: { shop: { scopes: [] } } }
      const all = await Promise.all([...parleys, ...parleys].map((one) => one.setup(declaration)))
      expect(new Set(all.map(({ workspace }) => workspace.id))).toEqual(new Set([data.id]))
      expect(await counts(parley, data.id)).toEqual([0, 0, 1, 0, 0, 0])
    })

    it("applies changes", async () => {
      const before = acme("apply")
      const made = await parley.setup(before)
      const { admin } = parley
      const secret = "whsec_of_our_own_secret_store"
      const after = {
        ...before,
        workspace: { name: "apply", timezone: "Europe/Berlin" },
        connections: { ...before.connections, desk: { ...before.connections.desk, settings: {}, name: "Desk" } },
        templates: { shipped: { ...before.templates.shipped, body: "{{1}} was shipped." } },
        applications: {
          shop: {
            ...before.applications.shop,
            scopes: ["messages.send", "webhooks.receive"],
            connections: ["desk"],
            limits: { sends_per_minute: 60 }
          }
        },
        endpoints: { orders: { ...before.endpoints.orders, url: "https://shop.example/other", secret } },
        workflows: { thanks: { ...before.workflows.thanks, actions: [{ type: "add_tag", tag: "thanked" }] } }
      } as const satisfies Declaration
      const { differences, ...changed } = await parley.setup(after)
      expect(differences.map(({ fields, part }) => [part, fields.map(({ field }) => field)])).toEqual([
        ["workspace", ["timezone"]],
        ["connections.desk", ["name", "settings"]],
        ["templates.shipped", ["body"]],
        ["applications.shop", ["scopes", "limits", "connections"]],
        ["endpoints.orders", ["url", "secret"]],
        ["workflows.thanks", ["actions"]]
      ])
      expect(JSON.stringify(differences)).not.toMatch(/own_secret_store|shop\.example\/other/)
      expect(changed.applications.shop.id).toBe(made.applications.shop.id)
      expect((await admin.workspaces.get(made.workspace.id)).data.timezone).toBe("Europe/Berlin")
      expect((await admin.connections.get(made.connections.desk.id)).data).toMatchObject({ name: "Desk", config: {} })
      expect((await admin.templates.get(made.templates.shipped.id)).data.body).toBe("{{1}} was shipped.")
      expect((await admin.applications.get(made.applications.shop.id)).data).toMatchObject({
        scopes: ["messages.send", "webhooks.receive"],
        connection_ids: [made.connections.desk.id],
        limits: { sends_per_minute: 60, requests_per_minute: 600 }
      })
      expect((await admin.webhooks.get(made.endpoints.orders.id)).data.url).toBe("https://shop.example/other")
      expect((await admin.workflows.get(made.workflows.thanks.id)).data).toMatchObject({
        published_version: 2,
        has_unpublished_changes: false
      })
      expect((await parley.setup(after)).differences).toEqual([])
    })

    it("leaves alone what operators changed in fields that are not declared", async () => {
      const { admin } = parley
      const made = await parley.setup(acme("operators"))
      const name = "By an operator"
      await admin.connections.update(made.connections.desk.id, { name })
      await admin.applications.update(made.applications.shop.id, { name })
      await admin.workflows.update(made.workflows.thanks.id, { name })
      await admin.connections.update(made.connections.support.id, { name })
      const { differences } = await parley.setup(acme("operators"))
      // `support` is the only part that declares its name.
      expect(differences).toMatchObject([{ part: "connections.support", fields: [{ field: "name", present: name }] }])
    })

    it("lists differences and changes nothing", async () => {
      const nothing = await parley.setup(acme("list"), { onDrift: "list" })
      expectTypeOf(nothing.applications.shop.id).toEqualTypeOf<string | null>()
      expect([nothing.workspace.id, nothing.applications.shop.id]).toEqual([null, null])
      expect(nothing.differences.map(({ kind }) => kind)).toEqual(new Array(8).fill("missing"))
      expect((await parley.setup(acme("list"), { onDrift: "list" })).differences).toHaveLength(8)

      const made = await parley.setup(acme("list"))
      const declaration = {
        ...acme("list"),
        applications: { shop: { ...acme("list").applications.shop, scopes: ["messages.send"] }, desk: { scopes: [] } },
        endpoints: {}
      } as const satisfies Declaration
      const listed = await parley.setup(declaration, { onDrift: "list", prune: true })
      expect(listed.differences).toEqual([
        { part: "applications.desk", kind: "missing", fields: [] },
        {
          part: "applications.shop",
          kind: "changed",
          fields: [{ field: "scopes", declared: ["messages.send"], present: acme("list").applications.shop.scopes }]
        },
        { part: "endpoints.orders", kind: "undeclared", fields: [] }
      ])
      expect([listed.applications.shop.id, listed.applications.desk.id]).toEqual([made.applications.shop.id, null])
      expect((await parley.setup(acme("list"), { onDrift: "list" })).differences).toEqual([])
    })

    it("refuses differences, and creates what is new without any", async () => {
      const made = await parley.setup(acme("refuse"), { onDrift: "refuse" })
      const changed = {
        ...acme("refuse"),
        applications: { shop: { ...acme("refuse").applications.shop, name: "Web shop" }, desk: { scopes: [] } }
      } as const satisfies Declaration
      const error = await failureOf(parley.setup(changed, { onDrift: "refuse" }))
      expect(error.message).toBe("setup: applications.shop differs from the declaration in name")
      expect(error.differences).toMatchObject([{ part: "applications.shop", kind: "changed" }])
      expect(await counts(parley, made.workspace.id)).toEqual([2, 1, 1, 1, 1, 1])
      const added = { ...changed, applications: { ...acme("refuse").applications, desk: { scopes: [] } } } as const
      const { applications } = await parley.setup(added, { onDrift: "refuse" })
      expect((await parley.admin.applications.get(applications.desk.id)).data.name).toBe("desk")
    })

    it("keeps what is no longer declared, unless it prunes", async () => {
      const { admin } = parley
      const made = await parley.setup(acme("prune"))
      const empty = { workspace: "prune" }
      const kept = await parley.setup(empty)
      expect(kept.differences.every(({ kind }) => kind === "undeclared")).toBe(true)
      expect((await admin.applications.get(made.applications.shop.id)).data.status).toBe("active")

      const pruned = await parley.setup(empty, { prune: true })
      expect(pruned.differences.map(({ part }) => part)).toEqual([
        "workflows.thanks",
        "endpoints.orders",
        "applications.shop.keys.website",
        "applications.shop",
        "templates.shipped",
        "connections.desk",
        "connections.support"
      ])
      const standing = async () => [
        (await admin.workflows.get(made.workflows.thanks.id)).data.status,
        (await admin.applications.get(made.applications.shop.id)).data.status,
        (await admin.templates.get(made.templates.shipped.id)).data.status,
        (await admin.connections.get(made.connections.desk.id)).data.status
      ]
      expect(await standing()).toEqual(["unpublished", "suspended", "paused", "disconnected"])
      expect((await admin.webhooks.list(made.applications.shop.id)).data).toEqual([])
      expect((await parley.setup(empty, { prune: true })).differences).toEqual([])

      const restored = await parley.setup(acme("prune"))
      expect(await standing()).toEqual(["published", "active", "approved", "active"])
      expect(restored.applications.shop.id).toBe(made.applications.shop.id)
      expect(restored.endpoints.orders.secret).toMatch(/^whsec_/)
      expect(restored.applications.shop.keys.website).toMatch(/^parley_live_/)
      expect((await parley.setup(acme("prune"))).differences).toEqual([])
    })

    it("revokes a key that an operator has rotated when it prunes", async () => {
      const made = await parley.setup(acme("rotated"))
      const { id } = made.applications.shop
      const [issued] = (await parley.admin.applications.listKeys(id)).data
      const { data: rotated } = await parley.admin.applications.rotateKey(id, issued?.id ?? "")
      const { data: again } = await parley.admin.applications.rotateKey(id, rotated.id)
      expect((await parley.setup(acme("rotated"))).differences).toEqual([])
      const client = parley.client(again.key)
      expect((await client.channels.list()).data).toHaveLength(2)
      const { keys: _, ...shop } = acme("rotated").applications.shop
      await parley.setup({ ...acme("rotated"), applications: { shop } }, { prune: true })
      await expect(client.channels.list()).rejects.toMatchObject({ code: "unauthenticated" })
    })

    it("leaves what operators suspended or disconnected as it is", async () => {
      const made = await parley.setup(acme("operators"))
      await parley.admin.applications.update(made.applications.shop.id, { status: "suspended" })
      await parley.admin.connections.update(made.connections.desk.id, { status: "disconnected" })
      expect((await parley.setup(acme("operators"))).differences).toEqual([])
      expect((await parley.admin.applications.get(made.applications.shop.id)).data.status).toBe("suspended")
    })

    it("leaves a workflow that an operator unpublished, unless the declaration publishes it", async () => {
      const declared = acme("unpublished")
      const { thanks } = declared.workflows
      const made = await parley.setup(declared)
      const workflow = async () => (await parley.admin.workflows.get(made.workflows.thanks.id)).data
      await parley.admin.workflows.unpublish(made.workflows.thanks.id)
      expect((await parley.setup(declared, { onDrift: "refuse" })).differences).toEqual([])
      expect((await workflow()).status).toBe("unpublished")

      const actions = [{ type: "add_tag", tag: "thanked" }] as const
      const changed = await parley.setup({ ...declared, workflows: { thanks: { ...thanks, actions } } })
      expect(changed.differences).toMatchObject([{ part: "workflows.thanks", fields: [{ field: "actions" }] }])
      expect(await workflow()).toMatchObject({ status: "unpublished", actions: [{ tag: "thanked" }] })

      const published = { ...declared, workflows: { thanks: { ...thanks, actions, publish: true } } } as const
      expect((await parley.setup(published)).differences).toMatchObject([{ fields: [{ field: "published" }] }])
      expect(await workflow()).toMatchObject({ status: "published", published_version: 2 })
    })

    it("creates a deleted endpoint again, or says that it is gone", async () => {
      const made = await parley.setup(acme("gone"))
      await parley.admin.webhooks.remove(made.endpoints.orders.id)
      const error = await failureOf(parley.setup(acme("gone"), { onDrift: "refuse" }))
      expect(error.differences).toEqual([{ part: "endpoints.orders", kind: "gone", fields: [] }])
      const again = await Promise.all(parleys.map((one) => one.setup(acme("gone"))))
      expect(new Set(again.map(({ endpoints }) => endpoints.orders.id))).toHaveProperty("size", 1)
      expect(again[0]?.endpoints.orders.id).not.toBe(made.endpoints.orders.id)
      expect(await counts(parley, made.workspace.id)).toEqual([2, 1, 1, 1, 1, 1])
    })

    it("names parts that exist, by their ids", async () => {
      const { data: workspace } = await parley.admin.workspaces.create({ name: "adopted" })
      const { data: application } = await parley.admin.applications.create({
        workspace_id: workspace.id,
        name: "By hand",
        mode: "live",
        scopes: ["messages.send"]
      })
      const declaration = (id?: string) =>
        ({
          workspace: "adopted",
          applications: { shop: { id, scopes: ["messages.send", "messages.read"] } }
        }) as const satisfies Declaration
      const made = await parley.setup(declaration(application.id))
      expect([made.workspace.id, made.applications.shop.id]).toEqual([workspace.id, application.id])
      expect((await parley.admin.applications.get(application.id)).data.name).toBe("By hand")
      expect((await parley.setup(declaration())).applications.shop.id).toBe(application.id)
      const other = await failureOf(parley.setup(declaration("01900000-0000-7000-8000-000000000000")))
      expect(other.problems).toMatchObject([{ part: "applications.shop", field: "id" }])
    })

    it("refuses contradictions before it changes anything", async () => {
      const { workspace, applications } = await parley.setup(acme("contradictions"))
      const foreign = await parley.setup({ workspace: "foreign", applications: { shop: { scopes: [] } } })
      const declared = acme("contradictions")
      const { desk } = declared.connections
      const wrong: ReadonlyArray<readonly [Declaration, ReadonlyArray<readonly [string, string | null]>]> = [
        [{ ...declared, workspace: { name: "contradictions", id: foreign.workspace.id } }, [["workspace", "id"]]],
        [{ workspace: { name: "nobody", id: applications.shop.id } }, [["workspace", "id"]]],
        [
          { workspace: "contradictions", applications: { new: { id: foreign.applications.shop.id, scopes: [] } } },
          [["applications.new", "id"]]
        ],
        [
          { workspace: "contradictions", applications: { new: { id: "nobody", scopes: [] } } },
          [["applications.new", "id"]]
        ],
        [
          {
            workspace: "contradictions",
            applications: { ...declared.applications, new: { id: applications.shop.id, scopes: [] } },
            connections: declared.connections
          },
          [["applications.new", "id"]]
        ],
        [
          {
            ...declared,
            connections: { ...declared.connections, desk: { ...desk, handle: "other@acme.example", is_test: true } }
          },
          [
            ["connections.desk", "is_test"],
            ["connections.desk", "handle"]
          ]
        ],
        [
          {
            ...declared,
            workflows: { thanks: { ...declared.workflows.thanks, trigger: { type: "external_event", event: "other" } } }
          },
          [["workflows.thanks", "trigger"]]
        ],
        [
          {
            ...declared,
            applications: { ...declared.applications, new: { scopes: [] } },
            endpoints: { orders: { ...declared.endpoints.orders, application: "new" } }
          },
          [["endpoints.orders", "application"]]
        ]
      ]
      for (const [declaration, problems] of wrong) {
        const error = await failureOf(parley.setup({ ...declaration, templates: {} }))
        expect(error.problems.map(({ field, part }) => [part, field])).toEqual(problems)
      }
      expect(await counts(parley, workspace.id)).toEqual([2, 1, 1, 1, 1, 1])
    })

    it("says what the administration refuses, and finishes when it is corrected", async () => {
      const declared = acme("corrected")
      const half = {
        ...declared,
        endpoints: { orders: { ...declared.endpoints.orders, url: "http://10.0.0.1/", secret: "short" } }
      }
      const error = await failureOf(parley.setup(half))
      expect(error.problems).toMatchObject([
        { part: "endpoints.orders", field: "secret" },
        { part: "endpoints.orders", field: "url" }
      ])
      expect(isParleyError(error.cause, "validation_failed")).toBe(true)
      const made = await parley.setup(declared)
      expect(made.differences.map(({ part }) => part)).toEqual(["endpoints.orders", "workflows.thanks"])
      expect(await counts(parley, made.workspace.id)).toEqual([2, 1, 1, 1, 1, 1])
    })

    it("hands over the secrets that were made before it failed, and shows them to no log", async () => {
      const declared = acme("halfway")
      const { orders } = declared.endpoints
      const half = { ...declared, endpoints: { orders, broken: { ...orders, url: "http://10.0.0.1/" } } }
      const error = await failureOf(parley.setup(half))
      const { applications, endpoints, workflows, workspace } = error.made ?? expect.fail("nothing was made")
      const key = applications.shop?.keys.website ?? ""
      expect((await parley.client(key).channels.list()).data).toHaveLength(2)
      expect(endpoints).toEqual({
        orders: { id: expect.any(String), secret: expect.stringMatching(/^whsec_/) },
        broken: { id: null, secret: null }
      })
      expect(workflows).toEqual({ thanks: { id: null, secret: null } })
      expect(inspect(error) + JSON.stringify(error)).not.toMatch(/whsec_|parley_live_/)
      expect((await parley.setup(declared)).workspace).toEqual(workspace)
      expect((await failureOf(parley.setup({ ...declared, applications: {} }))).made).toBeNull()
    })

    it("says which setting of a connection is wrong", async () => {
      const desk = { ...acme("settings").connections.desk, settings: { opt_out: "ignore" } }
      const { problems } = await failureOf(parley.setup({ workspace: "settings", connections: { desk } }))
      expect(problems).toMatchObject([{ part: "connections.desk", field: "settings.opt_out" }])
    })

    it("refuses a workspace name that several workspaces have", async () => {
      for (const _ of [1, 2]) await parley.admin.workspaces.create({ name: "twice" })
      const { problems } = await failureOf(parley.setup({ workspace: "twice" }))
      expect(problems).toEqual([{ part: "workspace", field: null, message: expect.stringContaining("2 workspaces") }])
    })
  })
}

describe("an invalid declaration", () => {
  const invalid: ReadonlyArray<readonly [unknown, unknown, ReadonlyArray<string>]> = [
    [null, {}, ["declaration must be an object"]],
    [{}, {}, ["workspace must be a name of 1 to 255 characters"]],
    [{ workspace: " " }, {}, ["workspace must be a name of 1 to 255 characters"]],
    [{ workspace: { name: "acme", colour: 1 } }, {}, ["workspace.colour is unknown"]],
    [{ workspace: "acme", bots: {} }, {}, ["declaration.bots is unknown"]],
    [{ workspace: "acme" }, { onDrift: "ignore" }, ["options.onDrift must be apply, list or refuse"]],
    [
      { workspace: "acme" },
      { prune: "yes", dry: true },
      ["options.dry is unknown", "options.prune must be true or false"]
    ],
    [{ workspace: "acme", connections: [] }, {}, ["connections must be an object"]],
    [{ workspace: "acme", connections: { desk: 1 } }, {}, ["connections.desk must be an object"]],
    [
      { workspace: "acme", templates: { "a/b": { locale: "en" } } },
      {},
      [expect.stringMatching(/^templates\.a\/b must be 1 to 63/), "templates.a/b.locale is unknown"] as never
    ],
    [
      { workspace: "acme", applications: { shop: { connections: ["desk"], keys: "web", id: 1 } } },
      {},
      [
        "applications.shop.id must be an id",
        "applications.shop.connections names desk, which is not declared",
        "applications.shop.keys must be a list of names"
      ]
    ],
    [
      { workspace: "acme", applications: { shop: { keys: ["web", "web"] } } },
      {},
      ["applications.shop.keys must have each name once"]
    ],
    [
      { workspace: "acme", endpoints: { orders: { application: "toString" } } },
      {},
      ["endpoints.orders.application must be the name of a declared application"]
    ],
    [
      { workspace: "acme", workflows: { thanks: { publish: 1 } } },
      {},
      ["workflows.thanks.publish must be true or false"]
    ]
  ]
  it("is refused with all problems, and nothing is read or written", async () => {
    const parley = await createParley(quiet)
    try {
      for (const [declaration, options, lines] of invalid) {
        const error = await failureOf(parley.setup(declaration as Declaration, options as object))
        expect(error.message.replace("setup: ", "").split("\n")).toEqual(lines)
      }
      expect((await parley.admin.workspaces.list()).data).toEqual([])
    } finally {
      await parley.close()
    }
  })

  it("needs a provider of the channel", async () => {
    const parley = await createParley(quiet)
    try {
      const fax = { channel: "fax" as never, handle: "1" }
      const { problems } = await failureOf(parley.setup({ workspace: "acme", connections: { fax } }))
      expect(problems).toEqual([
        {
          part: "connections.fax",
          field: "channel",
          message: "must be a channel of a provider in the option channels of createParley"
        }
      ])
    } finally {
      await parley.close()
    }
  })
})

it("a setup on a closed engine fails with service_unavailable", async () => {
  const parley = await createParley(quiet)
  await parley.close()
  const error = await parley.setup({ workspace: "acme" }).catch((error: unknown) => error)
  expect(isParleyError(error, "service_unavailable")).toBe(true)
})

/** A provider with a secret, beside the sandbox. */
const courier = {
  ...SandboxProvider,
  kind: "courier",
  credentials: Schema.Struct({ token: Schema.String, user: Schema.optional(Schema.String) })
} as typeof SandboxProvider

it("a connection keeps its provider when further ones of its channel are added", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-setup-"))
  const declaration = { workspace: "acme", connections: { desk: { channel: "email", handle: "desk@acme.example" } } }
  const differences: Array<unknown> = []
  const other = { ...courier, kind: "other courier" }
  for (const channels of [[SandboxProvider], [SandboxProvider, courier], [courier, SandboxProvider, other]]) {
    const parley = await createParley({ ...quiet, storage: { url: `sqlite:${join(folder, "parley.db")}` }, channels })
    try {
      const made = await parley.setup(declaration as Declaration)
      differences.push(made.differences.map(({ part }) => part))
    } finally {
      await parley.close()
    }
  }
  expect(differences).toEqual([["workspace", "connections.desk"], [], []])
  await rm(folder, { recursive: true })
})

describe("secrets of a connection", () => {
  const declared = (token: string) => ({
    workspace: "acme",
    connections: { desk: { channel: "email", handle: "desk@acme.example", credentials: { token } } }
  })

  it("are compared with the stored ones, and not shown", async () => {
    const parley = await createParley({ ...quiet, channels: [SandboxProvider, courier] })
    try {
      const made = await parley.setup(declared("first-token"))
      const { data } = await parley.admin.connections.get(made.connections.desk.id)
      expect(data.provider).toBe("courier")
      expect((await parley.setup(declared("first-token"))).differences).toEqual([])
      const { differences } = await parley.setup(declared("second-token"))
      expect(differences).toEqual([
        {
          part: "connections.desk",
          kind: "changed",
          fields: [{ field: "credentials", declared: null, present: null }]
        }
      ])
      expect((await parley.setup(declared("second-token"))).differences).toEqual([])
      const { data: log } = await parley.admin.logs.audit({ action: "connection.credentials_changed" })
      expect(log).toHaveLength(1)
    } finally {
      await parley.close()
    }
  })
})
