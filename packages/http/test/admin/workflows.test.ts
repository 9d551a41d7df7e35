import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { administer, administerInVain, hosts } from "../hosts.js"

const trigger = { type: "external_event", event: "order.shipped" }
const newWorkspace = administer(201, "POST", "/workspaces", { name: "Bakery" })
const newWorkflow = Effect.flatMap(newWorkspace, ({ id }) =>
  administer(201, "POST", "/workflows", { workspace_id: id, name: "Ship", trigger })
)
const nobody = "01900000-0000-7000-8000-00000000dead"
const impossible = [409, "invalid_transition", {}]

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`workflows of the admin API on ${name}`, (it) => {
    it.effect("are made as drafts, read, changed and listed", () =>
      Effect.gen(function* () {
        const made = yield* newWorkflow
        expect(made).toEqual({
          id: made.id,
          workspace_id: made.workspace_id,
          name: "Ship",
          status: "draft",
          trigger,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        })
        const path = `/workflows/${made.id}`
        expect(yield* administer(200, "GET", path)).toEqual(made)
        const changed = { ...made, name: "Send", trigger: { ...trigger, event: "order.sent" } }
        expect(yield* administer(200, "PATCH", path, { name: "Send", trigger: changed.trigger })).toEqual(changed)
        expect(yield* administer(200, "PATCH", path, {})).toEqual(changed)
        const body = { workspace_id: made.workspace_id, name: "Second", trigger }
        const second = yield* administer(201, "POST", "/workflows", body)
        expect(yield* administer(200, "GET", `/workflows?workspace_id=${made.workspace_id}`)).toEqual([second, changed])
      })
    )

    it.effect("are published and unpublished, each once in turn", () =>
      Effect.gen(function* () {
        const made = yield* newWorkflow
        const path = `/workflows/${made.id}`
        expect(yield* administerInVain("POST", `${path}/unpublish`)).toEqual(impossible)
        expect(yield* administer(200, "POST", `${path}/publish`)).toEqual({ ...made, status: "published" })
        expect(yield* administerInVain("POST", `${path}/publish`)).toEqual(impossible)
        expect(yield* administer(200, "POST", `${path}/unpublish`)).toEqual({ ...made, status: "unpublished" })
        expect(yield* administerInVain("POST", `${path}/unpublish`)).toEqual(impossible)
        expect((yield* administer(200, "POST", `${path}/publish`)).status).toBe("published")
      })
    )

    it.effect("keep their trigger while they are published, and may be renamed", () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkflow
        const path = `/workflows/${id}`
        yield* administer(200, "POST", `${path}/publish`)
        const other = { ...trigger, event: "order.sent" }
        expect(yield* administerInVain("PATCH", path, { name: "Send", trigger: other })).toEqual(impossible)
        expect((yield* administer(200, "PATCH", path, { name: "Send", trigger })).name).toBe("Send")
        yield* administer(200, "POST", `${path}/unpublish`)
        expect((yield* administer(200, "PATCH", path, { trigger: other })).trigger).toEqual(other)
      })
    )

    it.effect("are refused with every problem at once", () =>
      Effect.gen(function* () {
        const { id } = yield* newWorkflow
        const wrong = { workspace_id: nobody, name: "", trigger: { type: "cron", event: " " } }
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
        expect(yield* administerInVain("PATCH", `/workflows/${id}`, { ...wrong, trigger: null })).toEqual([
          422,
          "validation_failed",
          { workspace_id: ["cannot be changed"], name: ["is required"], trigger: ["must be an object"] }
        ])
      })
    )

    it.effect("are not found by an id that is nobody's", () =>
      Effect.gen(function* () {
        for (const [method, path] of [
          ["GET", ""],
          ["PATCH", ""],
          ["POST", "/publish"],
          ["POST", "/unpublish"]
        ] as const) {
          const body = method === "PATCH" ? [{}] : []
          expect(yield* administerInVain(method, `/workflows/${nobody}${path}`, ...body)).toEqual([
            404,
            "not_found",
            {}
          ])
        }
      })
    )
  })
}
