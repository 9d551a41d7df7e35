import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { administer, administerInVain, Hosts, hosts, newCaller, post } from "../hosts.js"

const newWorkspace = administer(201, "POST", "/workspaces", { name: "Bakery" })
const stages = [
  { key: "new", name: "New" },
  { key: "won", name: "Won" }
]
const unknownId = "01900000-0000-7000-8000-00000000dead"
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const invalid = (details: { readonly [field: string]: string }) => [
  422,
  "validation_failed",
  Object.fromEntries(Object.entries(details).map(([field, message]) => [field, [message]]))
]

/** A lead in a new workspace. */
const newLead = Effect.gen(function* () {
  const { one } = yield* Hosts
  const caller = yield* newCaller()
  const pipeline = yield* administer(201, "POST", "/pipelines", {
    workspace_id: caller.workspaceId,
    name: "Sales",
    stages
  })
  const contact = yield* post(one, caller, "/contacts", { email: "ada@example.org" }, "contact")
  const contact_id = (contact.json as { readonly data: { readonly id: string } }).data.id
  const lead = yield* post(one, caller, "/leads", { contact_id }, "lead")
  return { caller, pipeline, contact_id, lead: (lead.json as { readonly data: any }).data }
})

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the CRM settings of the admin API on ${name}`, (it) => {
    it.effect("manage pipelines", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const made = yield* administer(201, "POST", "/pipelines", { workspace_id, name: "Sales", stages })
        expect(made).toEqual({ id: made.id, workspace_id, name: "Sales", stages, created_at: time })
        const path = `/pipelines/${made.id}`
        expect(yield* administer(200, "GET", path)).toEqual(made)
        const more = { name: "Deals", stages: [...stages, { key: "lost", name: "Lost" }].reverse() }
        expect(yield* administer(200, "PATCH", path, more)).toEqual({ ...made, ...more })
        expect(yield* administer(200, "PATCH", path, { stages })).toEqual({ ...made, name: "Deals" })
        const second = yield* administer(201, "POST", "/pipelines", { workspace_id, name: "Second", stages })
        const listed = yield* administer(200, "GET", `/pipelines?workspace_id=${workspace_id}`)
        expect(listed).toEqual([second, { ...made, name: "Deals" }])
        expect(
          yield* administerInVain("POST", "/pipelines", { workspace_id: unknownId, name: "", stages: "new" })
        ).toEqual(
          invalid({ workspace_id: "must be the id of a workspace", name: "is required", stages: "must be a list" })
        )
      })
    )

    it.effect("do not delete a stage with leads", () =>
      Effect.gen(function* () {
        const { lead, pipeline } = yield* newLead
        const path = `/pipelines/${pipeline.id}`
        const without = (key: string) => ({ stages: stages.filter((stage) => stage.key !== key) })
        expect(yield* administerInVain("PATCH", path, without("new"))).toEqual(
          invalid({ stages: "must keep the stage new, because leads are in it" })
        )
        expect(yield* administer(200, "GET", path)).toEqual(pipeline)
        yield* administer(200, "PATCH", `/leads/${lead.id}`, { stage: "won" })
        expect((yield* administer(200, "PATCH", path, without("new"))).stages).toEqual([{ key: "won", name: "Won" }])
      })
    )

    it.effect("move leads from stage to stage", () =>
      Effect.gen(function* () {
        const { caller, lead } = yield* newLead
        const path = `/leads/${lead.id}`
        const shown = { ...lead, workspace_id: caller.workspaceId }
        expect(yield* administer(200, "GET", path)).toEqual(shown)
        expect(yield* administer(200, "PATCH", path, {})).toEqual(shown)
        const moved = yield* administer(200, "PATCH", path, { stage: "won" })
        expect(moved).toEqual({ ...shown, stage: "won", updated_at: moved.updated_at })
        expect(moved.updated_at >= lead.updated_at).toBe(true)
        expect(yield* administer(200, "GET", `/leads?workspace_id=${caller.workspaceId}`)).toEqual([moved])
        expect(yield* administerInVain("PATCH", path, { stage: "won" })).toEqual([409, "invalid_transition", {}])
        expect(yield* administerInVain("PATCH", path, { stage: "gone", contact_id: unknownId })).toEqual(
          invalid({ stage: "must be the key of a stage of the pipeline", contact_id: "cannot be changed" })
        )
      })
    )

    it.effect("send an event with both stages for a move", () =>
      Effect.gen(function* () {
        const { caller, lead } = yield* newLead
        const { storage } = yield* Hosts
        const moved = yield* administer(200, "PATCH", `/leads/${lead.id}`, { stage: "won" })
        const { workspace_id: _, ...shown } = moved
        const [event] = yield* storage.list({
          from: "events",
          where: { workspaceId: caller.workspaceId, type: "lead.stage_changed" },
          after: null,
          limit: 10
        })
        expect(JSON.parse(event?.data ?? "")).toEqual({ lead: shown, from_stage: "new", to_stage: "won" })
      })
    )

    it.effect("manage custom fields, which contacts then accept", () =>
      Effect.gen(function* () {
        const { one } = yield* Hosts
        const caller = yield* newCaller()
        const { workspaceId: workspace_id } = caller
        const add = (key: string, type: string) =>
          administer(201, "POST", "/custom-fields", { workspace_id, key, type, label: `The ${key}` })
        const size = yield* add("size", "number")
        expect(size).toEqual({ workspace_id, key: "size", type: "number", label: "The size" })
        const born = yield* add("born", "date")
        const listed = yield* one("GET", `/admin/v1/custom-fields?workspace_id=${workspace_id}`, {
          token: "admin-token"
        })
        expect(listed.json).toEqual({
          data: [born, size],
          meta: { per_page: 100, has_more: false },
          links: { next: null, prev: null }
        })
        expect(yield* administerInVain("POST", "/custom-fields", { ...size, type: "text" })).toEqual(
          invalid({ key: "is taken by another custom field" })
        )
        expect(yield* administerInVain("GET", "/custom-fields")).toEqual(invalid({ workspace_id: "is required" }))

        const contact = (custom_fields: object, key: string) =>
          post(one, caller, "/contacts", { email: `${key}@example.org`, custom_fields }, key)
        expect((yield* contact({ size: 4, born: "1815-12-10" }, "a")).status).toBe(201)
        const refused = yield* contact({ size: "4", colour: "red" }, "b")
        expect(Object.keys(refused.error?.details ?? {}).sort()).toEqual(["custom_fields.colour", "custom_fields.size"])
        const elsewhere = yield* newCaller()
        const foreign = { email: "c@example.org", custom_fields: { size: 4 } }
        expect((yield* post(one, elsewhere, "/contacts", foreign, "c")).status).toBe(422)
      })
    )

    it.effect("create one custom field from concurrent requests with one key", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const { one, other } = yield* Hosts
        const json = { workspace_id, key: "size", type: "text", label: "Size" }
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? one : other)("POST", "/admin/v1/custom-fields", { token: "admin-token", json })
          ),
          { concurrency: "unbounded" }
        )
        expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
      })
    )

    it.effect("manage agents", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const made = yield* administer(201, "POST", "/agents", { workspace_id, name: "Grace", email: "G@shop.example" })
        expect(made).toEqual({
          id: made.id,
          workspace_id,
          name: "Grace",
          email: "g@shop.example",
          status: "active",
          avatar_url: null,
          created_at: time
        })
        const path = `/agents/${made.id}`
        const changed = { ...made, name: "Grace Hopper", email: null, status: "inactive" }
        const body = { name: "Grace Hopper", email: "", status: "inactive" }
        expect(yield* administer(200, "PATCH", path, body)).toEqual(changed)
        expect(yield* administer(200, "GET", path)).toEqual(changed)
        const second = yield* administer(201, "POST", "/agents", { workspace_id, name: "Alan" })
        expect(yield* administer(200, "GET", `/agents?workspace_id=${workspace_id}`)).toEqual([second, changed])
        expect(yield* administerInVain("POST", "/agents", { workspace_id, email: "x" })).toEqual(
          invalid({ name: "is required", email: "must be an email address" })
        )
      })
    )

    it.effect("manage teams of the workspace's own agents", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const newAgent = (workspace: string, name: string) =>
          Effect.map(administer(201, "POST", "/agents", { workspace_id: workspace, name }), ({ id }) => id as string)
        const grace = yield* newAgent(workspace_id, "Grace")
        const alan = yield* newAgent(workspace_id, "Alan")
        const stranger = yield* newAgent((yield* newWorkspace).id, "Ada")
        const input = { workspace_id, name: "Desk", agent_ids: [grace, grace.toUpperCase(), alan] }
        const made = yield* administer(201, "POST", "/teams", input)
        expect(made).toEqual({ ...input, id: made.id, agent_ids: [grace, alan], created_at: time })
        const path = `/teams/${made.id}`
        const foreign = invalid({ agent_ids: "must be agents of the team's workspace" })
        expect(yield* administerInVain("POST", "/teams", { ...input, agent_ids: [stranger] })).toEqual(foreign)
        expect(yield* administerInVain("PATCH", path, { agent_ids: [grace, stranger] })).toEqual(foreign)
        const changed = { ...made, name: "Night", agent_ids: [alan] }
        expect(yield* administer(200, "PATCH", path, { name: "Night", agent_ids: [alan] })).toEqual(changed)
        expect(yield* administer(200, "GET", path)).toEqual(changed)
        const second = yield* administer(201, "POST", "/teams", { workspace_id, name: "Empty" })
        expect(yield* administer(200, "GET", `/teams?workspace_id=${workspace_id}`)).toEqual([second, changed])
        expect(second.agent_ids).toEqual([])
      })
    )

    it.effect("answer 404 for unknown and malformed ids", () =>
      Effect.gen(function* () {
        for (const id of [unknownId, "none"]) {
          for (const path of ["pipelines", "leads", "agents", "teams"]) {
            expect([path, yield* administerInVain("GET", `/${path}/${id}`)]).toEqual([path, [404, "not_found", {}]])
            expect([path, yield* administerInVain("PATCH", `/${path}/${id}`, {})]).toEqual([
              path,
              [404, "not_found", {}]
            ])
          }
        }
      })
    )
  })
}
