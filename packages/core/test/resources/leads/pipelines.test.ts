import { aLead, aPipeline, aWorkspace, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { Workspace } from "../../../src/model/Workspace.js"
import { createPipeline } from "../../../src/resources/leads/createPipeline.js"
import { decodePipelineInput, decodePipelinePatch } from "../../../src/resources/leads/PipelineInput.js"
import { removedStages, updatePipeline } from "../../../src/resources/leads/updatePipeline.js"
import { agreed, refused } from "../../outcomes.js"

const pipeline = aPipeline({ id: "01900000-0000-7000-8000-0000000000b1" })
const stages = [
  { key: "new", name: "New" },
  { key: "done", name: "Done" }
]
const create = (body: object, workspace: Workspace | undefined = aWorkspace()) =>
  createPipeline(
    workspace,
    decodePipelineInput({ workspace_id: someWorkspaceId, name: "Sales", stages, ...body }),
    someTime,
    makeTestIds()
  )
const update = (body: { readonly [field: string]: unknown }, leadInStage?: ReturnType<typeof aLead>) =>
  updatePipeline({ pipeline, leadInStage }, decodePipelinePatch(body))

describe("a new pipeline", () => {
  it("keeps its stages in their order", () => {
    const { changes, result } = agreed(create({}))
    expect(result).toMatchObject({ workspaceId: someWorkspaceId, name: "Sales", stages, version: 1 })
    expect(changes?.inserts).toMatchObject([{ table: "pipelines", row: result }])
  })
  it("requires a workspace, a name and stages", () => {
    expect(refused(create({ workspace_id: null, name: "", stages: [] })).details).toEqual({
      workspace_id: ["must be a UUID"],
      name: ["is required"],
      stages: ["must have 1 to 50 items"]
    })
    const elsewhere = createPipeline(
      undefined,
      decodePipelineInput({ workspace_id: someWorkspaceId, name: "Sales", stages }),
      someTime,
      makeTestIds()
    )
    expect(refused(elsewhere).details).toEqual({ workspace_id: ["must be the id of a workspace"] })
  })
  it("requires stages with a name and different keys", () => {
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
  it("accepts keys of at most 64 plain characters that begin with a letter", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z_-][A-Za-z0-9_-]{0,66}$/)), (key) => {
        const made = create({ stages: [{ key, name: "S" }] })
        expect(made._tag).toBe(/^[a-z][a-z0-9_-]*$/i.test(key) && key.length <= 64 ? "Right" : "Left")
      })
    )
  })
})

describe("a change of a pipeline", () => {
  it("renames it and replaces its stages", () => {
    const body = { name: "Deals", stages: [{ key: "won", name: "Sold" }, ...stages] }
    const { changes, result } = agreed(update(body))
    expect(result).toEqual({ ...pipeline, ...body, version: 2 })
    expect(changes?.expects).toEqual([{ table: "pipelines", key: { id: pipeline.id }, where: { version: 1 } }])
  })
  it("cannot remove a stage with leads", () => {
    const leadInStage = aLead({ id: pipeline.id, stage: "won" })
    expect(refused(update({ stages }, leadInStage)).details).toEqual({
      stages: ["must keep the stage won, because leads are in it"]
    })
  })
  it("finds the removed stages in any order", () => {
    const taken = (body: { readonly [field: string]: unknown }) => removedStages(pipeline, decodePipelinePatch(body))
    expect(taken({ name: "Deals" })).toEqual([])
    expect(taken({ stages: [...pipeline.stages].reverse() })).toEqual([])
    expect(taken({ stages })).toEqual(["won"])
    expect(taken({ stages: [{ key: "other", name: "Other" }] })).toEqual(["new", "won"])
  })
  it("cannot remove all stages or move to another workspace", () => {
    expect(refused(update({ stages: [], workspace_id: pipeline.id })).details).toEqual({
      stages: ["must have 1 to 50 items"],
      workspace_id: ["cannot be changed"]
    })
  })
  it("writes nothing for an empty patch, and is 404 for an unknown pipeline", () => {
    expect(agreed(update({})).changes).toBeNull()
    expect(refused(updatePipeline({ pipeline: undefined, leadInStage: undefined }, decodePipelinePatch({}))).code).toBe(
      "not_found"
    )
  })
})
