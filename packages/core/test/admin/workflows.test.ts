import { aWorkflow, aWorkflowVersion, aWorkspace, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { checkWorkflow } from "../../src/admin/workflows/checkWorkflow.js"
import { createWorkflow } from "../../src/admin/workflows/createWorkflow.js"
import { publishProblems } from "../../src/admin/workflows/publishProblems.js"
import { publishWorkflow } from "../../src/admin/workflows/publishWorkflow.js"
import { rotateWorkflowSecret } from "../../src/admin/workflows/rotateWorkflowSecret.js"
import { unpublishWorkflow } from "../../src/admin/workflows/unpublishWorkflow.js"
import { updateWorkflow } from "../../src/admin/workflows/updateWorkflow.js"
import { workflowCheckDraft, workflowDraft, workflowPatchDraft } from "../../src/admin/workflows/WorkflowInput.js"
import type { Definition, Workflow, WorkflowVersion } from "../../src/workflows/Workflow.js"
import { agreed, audit, inserted, refused } from "./outcomes.js"

const id = "01900000-0000-7000-8000-0000000000d1"
const seal = (secret: string) => `sealed ${secret}`
const tagged = (tag: string): Definition => ({
  conditions: null,
  actions: [{ type: "add_tag", tag, name: null, if: null, onError: "stop" }]
})
const workflow = aWorkflow({ id, status: "draft", definition: tagged("vip") })
const version = aWorkflowVersion({ id: "01900000-0000-7000-8000-0000000000d2", definition: tagged("vip") })
const published: Workflow = { ...workflow, status: "published", versionId: version.id, versions: 1, edited: false }

const input = {
  workspace_id: someWorkspaceId,
  name: "Tell about shipping",
  trigger: { type: "external_event", event: "order.shipped" }
}
const create = (body: object, workspace = aWorkspace()) =>
  createWorkflow(workspace, { draft: workflowDraft({ ...input, ...body }), seal }, someTime, makeTestIds())
const update = (body: object, present = workflow, newest?: WorkflowVersion) =>
  updateWorkflow({ workflow: present, newest }, workflowPatchDraft({ ...body }))
const publish = (present: Workflow, problems = {}) =>
  publishWorkflow({ workflow: present, problems }, someTime, makeTestIds())
const trigger = (event: string) => ({ trigger: { type: "external_event", event } })

describe("a new workflow", () => {
  it("is a draft that listens for its event, spaces and case as given", () => {
    expect(agreed(create(trigger(" Order.shipped "))).result.workflow).toMatchObject({
      status: "draft",
      eventName: " Order.shipped ",
      definition: { conditions: null, actions: [] },
      versions: 0,
      edited: true,
      version: 1
    })
  })
  it("keeps what it is to do, and a secret that is shown this once", () => {
    const body = { conditions: { tag: { has: "vip" } }, actions: [{ type: "add_tag", tag: "shipped" }] }
    const made = agreed(create(body))
    const { secret, workflow } = made.result
    expect(workflow.definition).toEqual({ ...tagged("shipped"), conditions: { tag: { has: "vip" } } })
    expect(secret).toMatch(/^whsec_.{32}$/)
    expect(workflow.secret).toBe(`sealed ${secret}`)
    expect(inserted(made, "workflows")).toEqual([workflow])
    expect(audit(made)).toEqual(["workflow.created"])
  })
  it("tells every problem at once", () => {
    const body = {
      workspace_id: id,
      name: " ",
      trigger: { type: "cron", event: "x".repeat(256) },
      actions: [{ type: "add_tag" }]
    }
    const command = { draft: workflowDraft(body), seal }
    expect(refused(createWorkflow(undefined, command, someTime, makeTestIds())).details).toEqual({
      workspace_id: ["must be the id of a workspace"],
      name: ["is required"],
      "trigger.type": ["must be one of external_event"],
      "trigger.event": ["must be at most 255 characters"],
      "actions.0.tag": ["is required"]
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
    const actions = [{ type: "add_tag", tag: "vip" }]
    const same = { name: workflow.name, ...trigger(workflow.eventName), conditions: null, actions }
    expect(agreed(update(same)).changes).toBeNull()
  })
  it("leaves the trigger of a published one alone, and names it", () => {
    expect(refused(update(trigger("order.sent"), published, version)).code).toBe("invalid_transition")
    const renamed = agreed(update({ name: "Ship", ...trigger("order.shipped") }, published, version)).result
    expect(renamed).toEqual({ ...published, name: "Ship", version: 2 })
    expect(agreed(update(trigger("order.sent"), { ...workflow, status: "unpublished" })).result.eventName).toBe(
      "order.sent"
    )
  })
  it("is one of the definition until it is as it was published", () => {
    const changed = agreed(update({ actions: [{ type: "add_tag", tag: "gold" }] }, published, version)).result
    expect(changed).toMatchObject({ status: "published", definition: tagged("gold"), edited: true, versions: 1 })
    const back = agreed(update({ actions: [{ type: "add_tag", tag: "vip" }] }, changed, version)).result
    expect(back).toMatchObject({ definition: tagged("vip"), edited: false })
  })
  it("takes the conditions away by null, and leaves them where they are not named", () => {
    const conditions = { tag: { has: "vip" } }
    const present = agreed(update({ conditions })).result
    expect(present.definition).toEqual({ ...workflow.definition, conditions })
    expect(agreed(update({ name: "Ship" }, present)).result.definition).toEqual(present.definition)
    expect(agreed(update({ conditions: null }, present)).result.definition).toEqual(workflow.definition)
  })
  it("cannot take it to another workspace", () => {
    expect(refused(update({ workspace_id: id, name: "" })).details).toEqual({
      workspace_id: ["cannot be changed"],
      name: ["is required"]
    })
  })
})

describe("publishing", () => {
  it("makes the definition a version of the next number", () => {
    const decision = agreed(publish({ ...workflow, versions: 2 }))
    const [made] = inserted(decision, "workflowVersions")
    expect(made).toMatchObject({ workflowId: id, number: 3, definition: workflow.definition, createdAt: someTime })
    expect(decision.result).toEqual({
      ...workflow,
      status: "published",
      versionId: made?.id,
      versions: 3,
      edited: false,
      version: 2
    })
    expect(audit(decision)).toEqual(["workflow.published"])
  })
  it("again makes no second version of what did not change", () => {
    const decision = agreed(publish({ ...published, status: "unpublished" }))
    expect(inserted(decision, "workflowVersions")).toEqual([])
    expect(decision.result).toEqual({ ...published, version: 2 })
  })
  it("is for what is published too, once it was changed", () => {
    expect(refused(publish(published)).code).toBe("invalid_transition")
    expect(agreed(publish({ ...published, edited: true })).result).toMatchObject({ versions: 2, edited: false })
  })
  it("is for what was published before there were versions", () => {
    const old = aWorkflow({ id, status: "published", definition: tagged("vip") })
    expect(agreed(publish(old)).result).toMatchObject({ status: "published", versions: 1 })
  })
  it("is refused with all that is wrong", () => {
    const problems = { "actions.0.bot_id": ["must be the id of a bot of this workspace"] }
    expect(refused(publish(workflow, problems))).toMatchObject({ code: "validation_failed", details: problems })
  })
  it("needs an action, and URLs that may be called", () => {
    const call = {
      type: "call_webhook",
      url: "http://a.example",
      body: null,
      name: null,
      if: null,
      onError: "stop"
    } as const
    const refusal = (url: string) => (url.startsWith("https:") ? null : "must be an https URL")
    expect(publishProblems({ conditions: null, actions: [] }, refusal)).toEqual({
      actions: ["must have at least one action"]
    })
    expect(publishProblems({ actions: [...tagged("vip").actions, call] }, refusal)).toEqual({
      "actions.1.url": ["must be an https URL"]
    })
    expect(publishProblems({ actions: [{ ...call, url: "https://a.example" }] }, refusal)).toEqual({})
    expect(publishProblems({ actions: [{ ...call, url: "https://a.example/{{contact_id}}" }] }, refusal)).toEqual({
      "actions.0.url": ["must have no placeholders: nothing is filled in in URLs; put it into the body"]
    })
    expect(publishProblems({ conditions: null }, refusal)).toEqual({})
  })
  it("needs a workflow", () => {
    expect(refused(publishWorkflow(undefined, someTime, makeTestIds())).code).toBe("not_found")
    expect(refused(unpublishWorkflow(undefined, someTime, makeTestIds())).code).toBe("not_found")
    expect(refused(updateWorkflow(undefined, workflowPatchDraft({}))).code).toBe("not_found")
  })
})

describe("unpublishing", () => {
  it("keeps what was published last", () => {
    const decision = agreed(unpublishWorkflow(published, someTime, makeTestIds()))
    expect(decision.result).toEqual({ ...published, status: "unpublished", version: 2 })
    expect(audit(decision)).toEqual(["workflow.unpublished"])
  })
  it.each(["draft", "unpublished"] as const)("is for what is published, not for a %s one", (status) => {
    expect(refused(unpublishWorkflow({ ...published, status }, someTime, makeTestIds())).code).toBe(
      "invalid_transition"
    )
  })
})

describe("the secret of a workflow", () => {
  it("is replaced, and written down as that alone", () => {
    const decision = agreed(rotateWorkflowSecret(published, seal, someTime, makeTestIds()))
    const { secret, workflow } = decision.result
    expect(workflow).toEqual({ ...published, secret: `sealed ${secret}`, version: 2 })
    expect(decision.changes?.sets).toEqual([
      { table: "workflows", key: { id }, values: { secret: `sealed ${secret}` } }
    ])
    expect(audit(decision)).toEqual(["workflow.secret_rotated"])
    expect(JSON.stringify(decision.changes)).not.toContain(`"${secret}`)
  })
})

describe("a check of a workflow", () => {
  const { name: _, ...nameless } = input
  const checked = (body: object, problems = {}) =>
    checkWorkflow({ workspace: aWorkspace(), problems }, workflowCheckDraft({ ...nameless, ...body }))

  it("needs no name", () => {
    expect(Either.getOrThrow(checked({}))).toEqual({ valid: true })
  })
  it("tells what is wrong with the words and with what they name at once", () => {
    const refusal = Either.getOrThrow(Either.flip(checked({ actions: [{ type: "add_tag" }] }, { trigger: ["odd"] })))
    expect(refusal.details).toEqual({ "actions.0.tag": ["is required"], trigger: ["odd"] })
  })
})
