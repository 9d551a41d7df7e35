import { aWorkflow, aWorkflowVersion, aWorkspace, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { checkWorkflow } from "../../../src/flows/workflows/checkWorkflow.js"
import { createWorkflow } from "../../../src/flows/workflows/createWorkflow.js"
import { publishProblems } from "../../../src/flows/workflows/publishProblems.js"
import { publishWorkflow } from "../../../src/flows/workflows/publishWorkflow.js"
import { rotateWorkflowSecret } from "../../../src/flows/workflows/rotateWorkflowSecret.js"
import { unpublishWorkflow } from "../../../src/flows/workflows/unpublishWorkflow.js"
import { updateWorkflow } from "../../../src/flows/workflows/updateWorkflow.js"
import {
  decodeWorkflowCheck,
  decodeWorkflowInput,
  decodeWorkflowPatch
} from "../../../src/flows/workflows/WorkflowInput.js"
import type { Action } from "../../../src/model/Action.js"
import type { Definition, Workflow, WorkflowVersion } from "../../../src/model/Workflow.js"
import { agreed, audit, inserted, refused } from "../../outcomes.js"

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
  createWorkflow(workspace, { decoded: decodeWorkflowInput({ ...input, ...body }), seal }, someTime, makeTestIds())
const update = (body: object, present = workflow, newest?: WorkflowVersion) =>
  updateWorkflow(
    { workflow: present, definition: present.definition, newest: newest?.definition },
    { decoded: decodeWorkflowPatch({ ...body }), seal: (url) => url }
  )
const publish = (present: Workflow, problems = {}) =>
  publishWorkflow({ workflow: present, problems }, someTime, makeTestIds())
const trigger = (event: string) => ({ trigger: { type: "external_event", event } })

describe("a new workflow", () => {
  it("is a draft with its event name unchanged, including spaces and case", () => {
    expect(agreed(create(trigger(" Order.shipped "))).result.workflow).toMatchObject({
      status: "draft",
      eventName: " Order.shipped ",
      definition: { conditions: null, actions: [] },
      versions: 0,
      edited: true,
      version: 1
    })
  })
  it("stores its definition and a sealed secret that is shown once", () => {
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
    const command = { decoded: decodeWorkflowInput(body), seal }
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
  it("writes nothing if nothing changes", () => {
    expect(agreed(update({})).changes).toBeNull()
    const actions = [{ type: "add_tag", tag: "vip" }]
    const same = { name: workflow.name, ...trigger(workflow.eventName), conditions: null, actions }
    expect(agreed(update(same)).changes).toBeNull()
  })
  it("refuses to change the trigger of a published workflow", () => {
    expect(refused(update(trigger("order.sent"), published, version)).code).toBe("invalid_transition")
    const renamed = agreed(update({ name: "Ship", ...trigger("order.shipped") }, published, version)).result
    expect(renamed).toEqual({ ...published, name: "Ship", version: 2 })
    expect(agreed(update(trigger("order.sent"), { ...workflow, status: "unpublished" })).result.eventName).toBe(
      "order.sent"
    )
  })
  it("marks the definition as edited until it equals the published version", () => {
    const changed = agreed(update({ actions: [{ type: "add_tag", tag: "gold" }] }, published, version)).result
    expect(changed).toMatchObject({ status: "published", definition: tagged("gold"), edited: true, versions: 1 })
    const back = agreed(update({ actions: [{ type: "add_tag", tag: "vip" }] }, changed, version)).result
    expect(back).toMatchObject({ definition: tagged("vip"), edited: false })
  })
  it("removes the conditions by null and keeps them if omitted", () => {
    const conditions = { tag: { has: "vip" } }
    const present = agreed(update({ conditions })).result
    expect(present.definition).toEqual({ ...workflow.definition, conditions })
    expect(agreed(update({ name: "Ship" }, present)).result.definition).toEqual(present.definition)
    expect(agreed(update({ conditions: null }, present)).result.definition).toEqual(workflow.definition)
  })
  it("cannot change the workspace", () => {
    expect(refused(update({ workspace_id: id, name: "" })).details).toEqual({
      workspace_id: ["cannot be changed"],
      name: ["is required"]
    })
  })
})

describe("publishing", () => {
  it("stores the definition as the version with the next number", () => {
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
  it("again makes no new version of an unchanged definition", () => {
    const decision = agreed(publish({ ...published, status: "unpublished" }))
    expect(inserted(decision, "workflowVersions")).toEqual([])
    expect(decision.result).toEqual({ ...published, version: 2 })
  })
  it("is refused for an unchanged published workflow and allowed for an edited one", () => {
    expect(refused(publish(published)).code).toBe("invalid_transition")
    expect(agreed(publish({ ...published, edited: true })).result).toMatchObject({ versions: 2, edited: false })
  })
  it("is allowed for a published workflow without a version", () => {
    const old = aWorkflow({ id, status: "published", definition: tagged("vip") })
    expect(agreed(publish(old)).result).toMatchObject({ status: "published", versions: 1 })
  })
  it("is refused with all problems", () => {
    const problems = { "actions.0.bot_id": ["must be the id of a bot of this workspace"] }
    expect(refused(publish(workflow, problems))).toMatchObject({ code: "validation_failed", details: problems })
  })
  it("needs at least one action, and permitted URLs", () => {
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
    const media = (url: string): Action => {
      const files = [{ url, contentType: "image/png", fileName: null }]
      return {
        ...{ type: "send_message", channel: "preferred", connectionId: null, wanted: null },
        ...{ name: null, if: null, onError: "stop" },
        content: { type: "media", body: null, subject: null, files }
      }
    }
    expect(publishProblems({ actions: [media(call.url), media("{{data.url}}")] }, refusal)).toEqual({
      "actions.0.attachments.0.url": [expect.any(String)]
    })
    expect(publishProblems({ conditions: null }, refusal)).toEqual({})
  })
  it("fails with not_found for an unknown workflow", () => {
    expect(refused(publishWorkflow(undefined, someTime, makeTestIds())).code).toBe("not_found")
    expect(refused(unpublishWorkflow(undefined, someTime, makeTestIds())).code).toBe("not_found")
    expect(refused(updateWorkflow(undefined, { decoded: decodeWorkflowPatch({}), seal: (url) => url })).code).toBe(
      "not_found"
    )
  })
})

describe("unpublishing", () => {
  it("keeps the last published version", () => {
    const decision = agreed(unpublishWorkflow(published, someTime, makeTestIds()))
    expect(decision.result).toEqual({ ...published, status: "unpublished", version: 2 })
    expect(audit(decision)).toEqual(["workflow.unpublished"])
  })
  it.each(["draft", "unpublished"] as const)("is refused for a %s workflow", (status) => {
    expect(refused(unpublishWorkflow({ ...published, status }, someTime, makeTestIds())).code).toBe(
      "invalid_transition"
    )
  })
})

describe("the secret of a workflow", () => {
  it("is replaced with an audit entry that does not contain it", () => {
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
    checkWorkflow({ workspace: aWorkspace(), problems }, decodeWorkflowCheck({ ...nameless, ...body }))

  it("needs no name", () => {
    expect(Either.getOrThrow(checked({}))).toEqual({ valid: true })
  })
  it("reports invalid fields and missing references together", () => {
    const refusal = Either.getOrThrow(Either.flip(checked({ actions: [{ type: "add_tag" }] }, { trigger: ["odd"] })))
    expect(refusal.details).toEqual({ "actions.0.tag": ["is required"], trigger: ["odd"] })
  })
})
