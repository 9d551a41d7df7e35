import { expect, layer } from "@effect/vitest"
import { changes, expect as expects, remove, set } from "@parley/core"
import { Effect } from "effect"
import { administer, administerInVain, Hosts, hosts, newCaller, post } from "../hosts.js"

const trigger = { type: "external_event", event: "order.shipped" }
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const newWorkspace = administer(201, "POST", "/workspaces", { name: "Bakery" })
const newWorkflow = (body: object = {}) =>
  Effect.gen(function* () {
    const { id } = yield* newWorkspace
    const input = { workspace_id: id, name: "Ship", trigger, actions: [addTag("shipped")], ...body }
    const { secret, ...workflow } = yield* administer(201, "POST", "/workflows", input)
    return { ...workflow, secret: secret as string } as { readonly id: string; readonly [field: string]: unknown }
  })
const addTag = (tag: string) => ({ type: "add_tag", tag })
/** The action as returned, with defaults. */
const shown = (action: object) => ({ name: null, if: null, on_error: "stop", ...action })
const unknownId = "01900000-0000-7000-8000-00000000dead"
const impossible = [409, "invalid_transition", {}]
const auditOf = ({ workspace_id }: { readonly [field: string]: unknown }) =>
  Effect.map(administer(200, "GET", `/audit-log?workspace_id=${workspace_id}`), (entries) =>
    (entries as ReadonlyArray<{ readonly action: string }>)
      .map(({ action }) => action)
      .filter((action) => action.startsWith("workflow"))
  )

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`workflows of the admin API on ${name}`, (it) => {
    it.effect("are created as drafts, read, changed and listed", () =>
      Effect.gen(function* () {
        const conditions = { all: [{ tag: { has: "vip" } }, { data: { key: "order.total", is_more_than: 100 } }] }
        const actions = [addTag("shipped"), { type: "wait", for: "90m", name: "a while" }]
        const { secret, ...made } = yield* newWorkflow({ conditions, actions })
        expect(secret).toMatch(/^whsec_.{32}$/)
        expect(made).toMatchObject({
          id: made.id,
          workspace_id: made.workspace_id,
          name: "Ship",
          status: "draft",
          trigger,
          conditions,
          actions: [shown(addTag("shipped")), { type: "wait", for: "90m", name: "a while" }],
          published_version: null,
          has_unpublished_changes: true,
          created_at: timestamp
        })
        const path = `/workflows/${made.id}`
        expect(yield* administer(200, "GET", path)).toEqual(made)
        const changes = { name: "Send", trigger: { ...trigger, event: "order.sent" }, conditions: null }
        const changed = { ...made, ...changes }
        expect(yield* administer(200, "PATCH", path, changes)).toEqual(changed)
        expect(yield* administer(200, "PATCH", path, {})).toEqual(changed)
        // A returned body is a valid PATCH.
        expect(yield* administer(200, "PATCH", path, changed)).toEqual(changed)
        const body = { workspace_id: made.workspace_id, name: "Second", trigger }
        const { secret: _, ...second } = yield* administer(201, "POST", "/workflows", body)
        expect(second).toMatchObject({ conditions: null, actions: [] })
        expect(yield* administer(200, "GET", `/workflows?workspace_id=${made.workspace_id}`)).toEqual([second, changed])
      })
    )

    it.effect("are published and unpublished, and refuse either twice in a row", () =>
      Effect.gen(function* () {
        const { secret, ...made } = yield* newWorkflow()
        const path = `/workflows/${made.id}`
        expect(yield* administerInVain("POST", `${path}/unpublish`)).toEqual(impossible)
        const published = { ...made, status: "published", published_version: 1, has_unpublished_changes: false }
        expect(yield* administer(200, "POST", `${path}/publish`)).toEqual(published)
        expect(yield* administerInVain("POST", `${path}/publish`)).toEqual(impossible)
        const unpublished = { ...published, status: "unpublished", published_version: null }
        expect(yield* administer(200, "POST", `${path}/unpublish`)).toEqual(unpublished)
        expect(yield* administerInVain("POST", `${path}/unpublish`)).toEqual(impossible)
        expect(yield* administer(200, "POST", `${path}/publish`)).toEqual(published)
        expect(yield* auditOf(made)).toEqual([
          "workflow.published",
          "workflow.unpublished",
          "workflow.published",
          "workflow.created"
        ])
      })
    )

    it.effect("keep their versions: changes take effect at the next publish", () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkflow()
        const path = `/workflows/${id}`
        yield* administer(200, "POST", `${path}/publish`)
        const changed = yield* administer(200, "PATCH", path, { actions: [addTag("sent")] })
        expect(changed).toMatchObject({ status: "published", published_version: 1, has_unpublished_changes: true })
        const [first, ...older] = yield* administer(200, "GET", `${path}/versions`)
        expect([first.number, older]).toEqual([1, []])
        expect(yield* administer(200, "POST", `${path}/publish`)).toMatchObject({
          published_version: 2,
          has_unpublished_changes: false
        })
        const second = { workflow_id: id, number: 2, conditions: null, actions: [shown(addTag("sent"))] }
        expect(yield* administer(200, "GET", `${path}/versions`)).toEqual([
          { ...second, id: expect.any(String), created_at: timestamp },
          first
        ])
        expect(yield* administer(200, "GET", `${path}/versions?limit=1`)).toHaveLength(1)
      })
    )

    it.effect("keep their trigger while published, and can be renamed", () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkflow()
        const path = `/workflows/${id}`
        yield* administer(200, "POST", `${path}/publish`)
        const other = { ...trigger, event: "order.sent" }
        expect(yield* administerInVain("PATCH", path, { name: "Send", trigger: other })).toEqual(impossible)
        expect((yield* administer(200, "PATCH", path, { name: "Send", trigger })).name).toBe("Send")
        yield* administer(200, "POST", `${path}/unpublish`)
        expect((yield* administer(200, "PATCH", path, { trigger: other })).trigger).toEqual(other)
      })
    )

    it.effect("are not published with missing references or without actions", () =>
      Effect.gen(function* () {
        const actions = [addTag("a"), { type: "assign", agent_id: unknownId }, { type: "start_bot", bot_id: unknownId }]
        const { id } = yield* newWorkflow({ actions })
        const [status, code, details] = yield* administerInVain("POST", `/workflows/${id}/publish`)
        expect([status, code, Object.keys(details as object)]).toEqual([
          422,
          "validation_failed",
          ["actions.1.agent_id", "actions.2.bot_id"]
        ])
        expect((yield* administer(200, "GET", `/workflows/${id}`)).status).toBe("draft")
        const empty = yield* newWorkflow({ actions: [] })
        expect(yield* administerInVain("POST", `/workflows/${empty.id}/publish`)).toEqual([
          422,
          "validation_failed",
          { actions: ["must have at least one action"] }
        ])
      })
    )

    it.effect("are validated without being created, with all problems at once", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const good = { workspace_id, trigger, actions: [addTag("shipped")] }
        expect(yield* administer(200, "POST", "/workflows/validate", good)).toEqual({ valid: true })
        const conditions = { assigned_agent: { is: unknownId } }
        const bad = { ...good, trigger: { ...trigger, event: "" }, conditions, actions: [] }
        const [status, code, details] = yield* administerInVain("POST", "/workflows/validate", bad)
        expect([status, code, Object.keys(details as object).sort()]).toEqual([
          422,
          "validation_failed",
          ["actions", "conditions.assigned_agent.is", "trigger.event"]
        ])
        const [, , ofUnknownWorkspace] = yield* administerInVain("POST", "/workflows/validate", {
          ...good,
          workspace_id: unknownId
        })
        expect(ofUnknownWorkspace).toEqual({ workspace_id: ["must be the id of a workspace"] })
        expect(yield* administer(200, "GET", `/workflows?workspace_id=${workspace_id}`)).toEqual([])
      })
    )

    it.effect("get a new secret, which is shown once", () =>
      Effect.gen(function* () {
        const { secret, ...made } = yield* newWorkflow()
        const path = `/workflows/${made.id}`
        const rotated = yield* administer(200, "POST", `${path}/rotate-secret`)
        expect(rotated).toEqual({ ...made, secret: expect.stringMatching(/^whsec_.{32}$/) })
        expect(rotated.secret).not.toBe(secret)
        expect(yield* administer(200, "GET", path)).toEqual(made)
        expect(yield* auditOf(made)).toEqual(["workflow.secret_rotated", "workflow.created"])
      })
    )

    it.effect("are rejected with every problem at once", () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkflow()
        const wrong = { workspace_id: unknownId, name: "", trigger: { type: "cron", event: " " } }
        expect(yield* administerInVain("POST", "/workflows", wrong)).toEqual([
          422,
          "validation_failed",
          {
            workspace_id: ["must be the id of a workspace"],
            name: ["is required"],
            "trigger.type": ["must be one of external_event"],
            "trigger.event": ["is required"]
          }
        ])
        expect(
          yield* administerInVain("PATCH", `/workflows/${id}`, {
            ...wrong,
            trigger: null,
            actions: [{ type: "add_tag" }]
          })
        ).toEqual([
          422,
          "validation_failed",
          {
            workspace_id: ["cannot be changed"],
            name: ["is required"],
            trigger: ["must be an object"],
            "actions.0.tag": ["is required"]
          }
        ])
      })
    )

    it.effect("are not found by an unknown id", () =>
      Effect.gen(function* () {
        for (const [method, path] of [
          ["GET", ""],
          ["PATCH", ""],
          ["POST", "/publish"],
          ["POST", "/unpublish"],
          ["POST", "/rotate-secret"],
          ["GET", "/versions"],
          ["GET", "/runs"]
        ] as const) {
          const body = method === "PATCH" ? [{}] : []
          expect(yield* administerInVain(method, `/workflows/${unknownId}${path}`, ...body)).toEqual([
            404,
            "not_found",
            {}
          ])
        }
      })
    )

    const started = Effect.gen(function* () {
      const caller = yield* newCaller()
      const input = { workspace_id: caller.workspaceId, name: "Ship", trigger, actions: [addTag("shipped")] }
      const workflow = yield* administer(201, "POST", "/workflows", input)
      yield* administer(200, "POST", `/workflows/${workflow.id}/publish`)
      const contact = yield* administer(201, "POST", "/contacts", {
        workspace_id: caller.workspaceId,
        email: "ada@example.com"
      })
      const { one } = yield* Hosts
      const send = (key: string) =>
        post(one, caller, "/events", { event: trigger.event, contact_id: contact.id, data: { order: key } }, key)
      return { caller, workflow, contact, send }
    })

    it.effect("have runs, which are listed, read and stopped", () =>
      Effect.gen(function* () {
        const { caller, contact, send, workflow } = yield* started
        expect(yield* administer(200, "GET", `/workflows/${workflow.id}/runs`)).toEqual([])
        yield* send("1")
        yield* send("2")
        const runs = yield* administer(200, "GET", `/workflows/${workflow.id}/runs`)
        const [second, first] = runs
        expect(first).toEqual({
          id: expect.any(String),
          workspace_id: caller.workspaceId,
          workflow_id: workflow.id,
          application_id: caller.applicationId,
          contact_id: contact.id,
          event: { id: expect.any(String), name: trigger.event },
          status: "running",
          reason: null,
          created_at: timestamp,
          ended_at: null
        })
        const path = `/workflow-runs/${first.id}`
        const read = { ...first, event: { ...first.event, data: { order: "1" } }, version: 1, steps: [], pending: null }
        expect(yield* administer(200, "GET", path)).toEqual({
          ...read,
          job: {
            id: first.id,
            state: "due",
            explanation: expect.stringContaining("no worker has claimed it"),
            next_at: timestamp,
            lease_owner: null,
            error: null
          }
        })
        const stopped = {
          ...read,
          job: null,
          status: "stopped",
          reason: "an administrator stopped it",
          ended_at: timestamp
        }
        expect(yield* administer(200, "POST", `${path}/stop`)).toEqual(stopped)
        expect(yield* administer(200, "GET", path)).toEqual(stopped)
        expect(yield* administerInVain("POST", `${path}/stop`)).toEqual(impossible)
        expect((yield* auditOf(workflow))[0]).toBe("workflow_run.stopped")
        expect((yield* administerInVain("POST", `${path}/retry`)).slice(0, 2)).toEqual([409, "invalid_transition"])
        // As after an action that failed.
        const { id } = second
        const { storage } = yield* Hosts
        yield* storage.commit(
          changes(caller.workspaceId, {
            expects: [expects("jobs", { id }), expects("workflowRuns", { id })],
            deletes: [remove("jobs", { id })],
            sets: [set("workflowRuns", { id }, { status: "failed", reason: "answered 400", endedAt: 1 })]
          })
        )
        expect(yield* administer(200, "POST", `/workflow-runs/${id}/retry`)).toMatchObject({
          ...{ id, status: "running", reason: null, ended_at: null },
          job: { state: "due" }
        })
        expect((yield* auditOf(workflow))[0]).toBe("workflow_run.retried")

        const ids = (query: string) =>
          Effect.map(administer(200, "GET", query), (rows) => (rows as typeof runs).map(({ id }: any) => id))
        const all = [second.id, first.id]
        expect(yield* ids(`/workflow-runs?workspace_id=${caller.workspaceId}`)).toEqual(all)
        expect(yield* ids(`/workflow-runs?contact_id=${contact.id}`)).toEqual(all)
        expect(yield* ids(`/workflow-runs?contact_id=${contact.id}&status=stopped`)).toEqual([first.id])
        expect(yield* ids(`/workflows/${workflow.id}/runs?status=running`)).toEqual([second.id])
        expect(yield* ids(`/workflows/${workflow.id}/runs?contact_id=${unknownId}`)).toEqual([])
        expect(yield* ids(`/workflows/${workflow.id}/runs?limit=1`)).toEqual([second.id])
      })
    )

    it.effect("are dry-run without writing anything", () =>
      Effect.gen(function* () {
        const { caller, contact, workflow } = yield* started
        const { id: sales } = yield* administer(201, "POST", "/pipelines", {
          workspace_id: caller.workspaceId,
          name: "Sales",
          stages: [{ key: "new", name: "New" }]
        })
        const tried = {
          workspace_id: caller.workspaceId,
          trigger,
          application_id: caller.applicationId,
          identity: { channel: "email", external_id: "Ada@example.com" },
          data: { order: "7" },
          conditions: { data: { key: "order", is: "7" } },
          actions: [
            addTag("shipped"),
            { type: "wait", for: "2d" },
            { type: "create_lead", pipeline_id: sales, if: { tag: { has: "shipped" } } },
            { type: "call_webhook", url: "https://a.example", body: { order: "{{data.order}}" }, name: "told" },
            { type: "notify", message: "no", if: { step: { failed: "told" } } }
          ]
        }
        const { reason, status, steps } = yield* administer(200, "POST", "/workflows/dry-run", tried)
        expect([status, reason]).toEqual(["completed", null])
        expect(steps.map(({ outcome, says, type }: any) => [type, outcome, says])).toEqual([
          ["add_tag", "done", null],
          ["wait", "done", null],
          ["create_lead", "done", null],
          ["call_webhook", "done", '{"order":"7"}'],
          ["notify", "skipped", null]
        ])
        expect((yield* administer(200, "GET", `/contacts/${contact.id}`)).tags).toEqual([])
        expect(yield* administer(200, "GET", `/leads?contact_id=${contact.id}`)).toEqual([])
        expect(yield* administer(200, "GET", `/workflows/${workflow.id}/runs`)).toEqual([])

        const other = { ...tried, data: { order: "8" } }
        const skipped = yield* administer(200, "POST", "/workflows/dry-run", other)
        expect(skipped).toEqual({ status: "skipped", reason: expect.stringContaining("conditions"), steps: [] })
      })
    )

    it.effect("reject a dry run with invalid input", () =>
      Effect.gen(function* () {
        const { caller } = yield* started
        const stranger = yield* newCaller()
        const tried = { workspace_id: caller.workspaceId, trigger, application_id: caller.applicationId }
        const problems = (body: object) =>
          Effect.map(administerInVain("POST", "/workflows/dry-run", body), ([status, , details]) => {
            expect(status).toBe(422)
            return Object.keys(details as object).sort()
          })
        expect(yield* problems(tried)).toEqual(["contact_id", "identity"])
        const foreign = { ...tried, application_id: stranger.applicationId, contact_id: unknownId, actions: [{}] }
        expect(yield* problems(foreign)).toEqual(["actions.0.type", "application_id", "contact_id"])
        expect(yield* problems({ ...tried, workspace_id: "x" })).toEqual(["workspace_id"])
        expect(yield* problems({ ...foreign, workspace_id: unknownId, actions: [] })).toEqual(["workspace_id"])
        const address = { channel: "email", external_id: "ada@example.com" }
        expect(yield* problems({ ...tried, contact_id: unknownId, identity: address })).toEqual([
          "contact_id",
          "identity"
        ])
      })
    )

    it.effect("reject lists of runs by invalid filters and unknown ids", () =>
      Effect.gen(function* () {
        const { workflow } = yield* started
        expect(yield* administerInVain("GET", "/workflow-runs?status=failed")).toEqual([
          422,
          "validation_failed",
          { workspace_id: ["is required with status, unless contact_id is given"] }
        ])
        expect((yield* administerInVain("GET", `/workflows/${workflow.id}/runs?status=dead&contact_id=x`))[2]).toEqual({
          status: ["must be one of running, waiting, completed, skipped, failed, stopped"],
          contact_id: ["must be a UUID"]
        })
        for (const [method, path] of [
          ["GET", ""],
          ["POST", "/stop"],
          ["POST", "/retry"]
        ] as const) {
          expect(yield* administerInVain(method, `/workflow-runs/${unknownId}${path}`)).toEqual([404, "not_found", {}])
        }
      })
    )
  })
}
