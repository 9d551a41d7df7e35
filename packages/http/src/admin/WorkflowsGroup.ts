import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ListQuery,
  WorkflowCheck,
  WorkflowCheckResource,
  WorkflowInput,
  WorkflowPatch,
  WorkflowResource,
  WorkflowVersionResource,
  WorkflowWithSecretResource,
  WorkspaceListQuery
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { ShowsSecret } from "../contract/IdempotencyKey.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "workflow")

/**
 * Workflows: automations started by business events (docs/reference/administration.md#workflow-and-bot-administration).
 */
export const WorkflowsGroup = HttpApiGroup.make("workflows")
  .add(
    HttpApiEndpoint.post("create")`/workflows`
      .setPayload(WorkflowInput)
      .addSuccess(single(WorkflowWithSecretResource), { status: 201 })
      .annotate(ShowsSecret, true)
      .annotate(OpenApi.Summary, "Create a workflow as a draft; its signing secret is shown this once")
  )
  .add(
    HttpApiEndpoint.post("validate")`/workflows/validate`
      .setPayload(WorkflowCheck)
      .addSuccess(single(WorkflowCheckResource))
      .annotate(OpenApi.Summary, "Validate a workflow for publishing; nothing is written")
  )
  .add(
    HttpApiEndpoint.get("list")`/workflows`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(WorkflowResource))
      .annotate(OpenApi.Summary, "List workflows, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/workflows/${id}`
      .addSuccess(single(WorkflowResource))
      .annotate(OpenApi.Summary, "Read one workflow, with its latest edits")
  )
  .add(
    HttpApiEndpoint.patch("update")`/workflows/${id}`
      .setPayload(WorkflowPatch)
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Change a workflow; the published version stays in effect until the next publish")
  )
  .add(
    HttpApiEndpoint.post("publish")`/workflows/${id}/publish`
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["validation_failed", "invalid_transition"])
      .annotate(OpenApi.Summary, "Publish a workflow's current definition: events of its name start it from now on")
  )
  .add(
    HttpApiEndpoint.post("unpublish")`/workflows/${id}/unpublish`
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Unpublish a workflow: no event starts it; active runs continue")
  )
  .add(
    HttpApiEndpoint.post("rotateSecret")`/workflows/${id}/rotate-secret`
      .addSuccess(single(WorkflowWithSecretResource))
      .annotate(ShowsSecret, true)
      .annotate(
        OpenApi.Summary,
        "Replace the signing secret of a workflow's webhooks: the old one stops working at once"
      )
  )
  .add(
    HttpApiEndpoint.get("listVersions")`/workflows/${id}/versions`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(WorkflowVersionResource))
      .annotate(OpenApi.Summary, "List the published versions of a workflow, newest first")
  )
  .annotate(OpenApi.Title, "Workflows")
  .annotate(OpenApi.Description, "Automations started by business events: conditions and ordered actions.")
