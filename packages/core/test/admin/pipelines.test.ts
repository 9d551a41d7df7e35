import { aLead, aPipeline, aWorkspace, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { Workspace } from "../../src/access/Workspace.js"
import { createPipeline } from "../../src/admin/pipelines/createPipeline.js"
import { pipelineDraft, pipelinePatchDraft } from "../../src/admin/pipelines/PipelineInput.js"
import { stagesTakenAway, updatePipeline } from "../../src/admin/pipelines/updatePipeline.js"
import { agreed, refused } from "./outcomes.js"

const pipeline = aPipeline({ id: "01900000-0000-7000-8000-0000000000b1" })
const stages = [
  { key: "new", name: "New" },
  { key: "done", name: "Done" }
]
const create = (body: object, workspace: Workspace | undefined = aWorkspace()) =>
  createPipeline(
    workspace,
    pipelineDraft({ workspace_id: someWorkspaceId, name: "Sales", stages, ...body }),
    someTime,
    makeTestIds()
  )
const update = (body: { readonly [field: string]: unknown }, occupant?: ReturnType<typeof aLead>) =>
  updatePipeline({ pipeline, occupant }, pipelinePatchDraft(body))

describe("a new pipeline", () => {
  it("keeps its stages in their order", () => {
    const { changes, result } = agreed(create({}))
    expect(result).toMatchObject({ workspaceId: someWorkspaceId, name: "Sales", stages, version: 1 })
    expect(changes?.inserts).toMatchObject([{ table: "pipelines", row: result }])
  })
  it("needs a workspace, a name and stages", () => {
    expect(refused(create({ workspace_id: null, name: "", stages: [] })).details).toEqual({
      workspace_id: ["must be a UUID"],
      name: ["is required"],
      stages: ["must have 1 to 50 items"]
    })
    const elsewhere = createPipeline(
      undefined,
      pipelineDraft({ workspace_id: someWorkspaceId, name: "Sales", stages }),
      someTime,
      makeTestIds()
    )
    expect(refused(elsewhere).details).toEqual({ workspace_id: ["must be the id of a workspace"] })
  })
  it("has stages with a key and a name of their own", () => {
    expect(refused(create({ stages: [...stages, { key: "new", name: "Again" }] })).details).toEqual({
      stages: ["must have a different key each"]
    })
    expect(refused(create({ stages: [{ key: "1 st", name: "" }, { name: "x" }, 5] })).details).toEqual({
      "stages.0.key": ["must be 1 to 64 letters, digits, _ or -, beginning with a letter"],
      "stages.0.name": ["is required"],
      "stages.1.key": ["is required"],
      "stages.2": ["must be an object"]
    })
    const many = Array.from({ length: 51 }, (_, index) => ({ key: `s${index}`, name: "S" }))
    expect(refused(create({ stages: many })).details).toEqual({ stages: ["must have 1 to 50 items"] })
    expect(agreed(create({ stages: many.slice(1) })).result.stages).toHaveLength(50)
  })
  it("takes as keys what begins with a letter and has at most 64 plain characters", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z_-][A-Za-z0-9_-]{0,66}$/)), (key) => {
        const made = create({ stages: [{ key, name: "S" }] })
        expect(made._tag).toBe(/^[a-z][a-z0-9_-]*$/i.test(key) && key.length <= 64 ? "Right" : "Left")
      })
    )
  })
})

describe("a change of a pipeline", () => {
  it("renames it, and puts other stages in", () => {
    const body = { name: "Deals", stages: [{ key: "won", name: "Sold" }, ...stages] }
    const { changes, result } = agreed(update(body))
    expect(result).toEqual({ ...pipeline, ...body, version: 2 })
    expect(changes?.expects).toEqual([{ table: "pipelines", key: { id: pipeline.id }, where: { version: 1 } }])
  })
  it("leaves stages where they are that leads are in", () => {
    const occupant = aLead({ id: pipeline.id, stage: "won" })
    expect(refused(update({ stages }, occupant)).details).toEqual({
      stages: ["must keep the stage won, because leads are in it"]
    })
  })
  it("asks about the leads of the stages that it takes away, whatever their order", () => {
    const taken = (body: { readonly [field: string]: unknown }) => stagesTakenAway(pipeline, pipelinePatchDraft(body))
    expect(taken({ name: "Deals" })).toEqual([])
    expect(taken({ stages: [...pipeline.stages].reverse() })).toEqual([])
    expect(taken({ stages })).toEqual(["won"])
    expect(taken({ stages: [{ key: "other", name: "Other" }] })).toEqual(["new", "won"])
  })
  it("cannot take every stage away, nor move to another workspace", () => {
    expect(refused(update({ stages: [], workspace_id: pipeline.id })).details).toEqual({
      stages: ["must have 1 to 50 items"],
      workspace_id: ["cannot be changed"]
    })
  })
  it("is none where nothing is given, and 404 where there is no pipeline", () => {
    expect(agreed(update({})).changes).toBeNull()
    expect(refused(updatePipeline({ pipeline: undefined, occupant: undefined }, pipelinePatchDraft({}))).code).toBe(
      "not_found"
    )
  })
})
