import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  ListQuery,
  uuid,
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
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** Workflows: automations that a business event starts (spec, Business events and automations). */
export const WorkflowsGroup = HttpApiGroup.make("workflows")
  .add(
    HttpApiEndpoint.post("create")`/workflows`
      .setPayload(WorkflowInput)
      .addSuccess(single(WorkflowWithSecretResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a workflow as a draft; its signing secret is shown this once")
  )
  .add(
    HttpApiEndpoint.post("validate")`/workflows/validate`
      .setPayload(WorkflowCheck)
      .addSuccess(single(WorkflowCheckResource))
      .annotate(OpenApi.Summary, "Find all that would keep a workflow from being published; nothing is written")
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
      .annotate(OpenApi.Summary, "Read one workflow, as it was edited last")
  )
  .add(
    HttpApiEndpoint.patch("update")`/workflows/${id}`
      .setPayload(WorkflowPatch)
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Change a workflow; what is published stays as it is until it is published again")
  )
  .add(
    HttpApiEndpoint.post("publish")`/workflows/${id}/publish`
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["validation_failed", "invalid_transition"])
      .annotate(OpenApi.Summary, "Publish a workflow as it is now: events of its name start it at once")
  )
  .add(
    HttpApiEndpoint.post("unpublish")`/workflows/${id}/unpublish`
      .addSuccess(single(WorkflowResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Unpublish a workflow: no event starts it, and runs that began go on")
  )
  .add(
    HttpApiEndpoint.post("rotateSecret")`/workflows/${id}/rotate-secret`
      .addSuccess(single(WorkflowWithSecretResource))
      .annotate(OpenApi.Summary, "Replace the signing secret of a workflow's webhooks: the old one is used no more")
  )
  .add(
    HttpApiEndpoint.get("listVersions")`/workflows/${id}/versions`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(WorkflowVersionResource))
      .annotate(OpenApi.Summary, "List what a workflow was published as, newest first")
  )
  .annotate(OpenApi.Title, "Workflows")
  .annotate(OpenApi.Description, "Automations that business events start: conditions, and actions in their order.")
