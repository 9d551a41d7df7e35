import { aWorkflow, aWorkspace, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit"
import { describe, expect, it } from "vitest"
import { createWorkflow } from "../../src/admin/workflows/createWorkflow.js"
import { moveWorkflow } from "../../src/admin/workflows/moveWorkflow.js"
import { updateWorkflow } from "../../src/admin/workflows/updateWorkflow.js"
import { workflowDraft, workflowPatchDraft } from "../../src/admin/workflows/WorkflowInput.js"
import { agreed, refused } from "./outcomes.js"

const id = "01900000-0000-7000-8000-0000000000d1"
const workflow = aWorkflow({ id, status: "draft" })
const input = {
  workspace_id: someWorkspaceId,
  name: "Tell about shipping",
  trigger: { type: "external_event", event: "order.shipped" }
}
const create = (body: object, workspace = aWorkspace()) =>
  createWorkflow(workspace, workflowDraft({ ...input, ...body }), someTime, makeTestIds())
const update = (body: object, present = workflow) => updateWorkflow(present, workflowPatchDraft({ ...body }))
const trigger = (event: string) => ({ trigger: { type: "external_event", event } })

describe("a new workflow", () => {
  it("is a draft that listens for its event, spaces and case as given", () => {
    expect(agreed(create(trigger(" Order.shipped "))).result).toMatchObject({
      status: "draft",
      eventName: " Order.shipped ",
      version: 1
    })
  })
  it("tells every problem at once", () => {
    const body = { workspace_id: id, name: " ", trigger: { type: "cron", event: "x".repeat(256) } }
    expect(refused(createWorkflow(undefined, workflowDraft(body), someTime, makeTestIds())).details).toEqual({
      workspace_id: ["must be the id of a workspace"],
      name: ["is required"],
      "trigger.type": ["must be one of external_event"],
      "trigger.event": ["must be at most 255 characters"]
    })
  })
})

describe("a change of a workflow", () => {
  it("sets name and trigger", () => {
    expect(agreed(update({ name: "Ship", ...trigger("order.sent") })).result).toEqual({
      ...workflow,
      name: "Ship",
      eventName: "order.sent",
      version: 2
    })
  })
  it("changes nothing where all stays", () => {
    expect(agreed(update({})).changes).toBeNull()
    expect(agreed(update({ name: workflow.name, ...trigger(workflow.eventName) })).changes).toBeNull()
  })
  it("leaves the trigger of a published one alone, and names it", () => {
    const published = { ...workflow, status: "published" as const }
    expect(refused(update(trigger("order.sent"), published)).code).toBe("invalid_transition")
    expect(agreed(update({ name: "Ship", ...trigger("order.shipped") }, published)).result.name).toBe("Ship")
    expect(agreed(update(trigger("order.sent"), { ...workflow, status: "unpublished" })).result.eventName).toBe(
      "order.sent"
    )
  })
  it("cannot take it to another workspace", () => {
    expect(refused(update({ workspace_id: id, name: "" })).details).toEqual({
      workspace_id: ["cannot be changed"],
      name: ["is required"]
    })
  })
})

describe("publishing", () => {
  it.each([
    ["draft", "published", true],
    ["unpublished", "published", true],
    ["published", "published", false],
    ["published", "unpublished", true],
    ["unpublished", "unpublished", false],
    ["draft", "unpublished", false]
  ] as const)("brings %s to %s: %s", (before, after, moves) => {
    const moved = moveWorkflow({ ...workflow, status: before }, after)
    if (moves) expect(agreed(moved).result).toEqual({ ...workflow, status: after, version: 2 })
    else expect(refused(moved).code).toBe("invalid_transition")
  })
  it("needs a workflow", () => {
    expect(refused(moveWorkflow(undefined, "published")).code).toBe("not_found")
    expect(refused(updateWorkflow(undefined, workflowPatchDraft({}))).code).toBe("not_found")
  })
})
