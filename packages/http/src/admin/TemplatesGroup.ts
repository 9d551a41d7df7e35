import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AdminTemplateResource, TemplateInput, TemplatePatch, WorkspaceListQuery } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { single } from "../contract/single.js"

const id = pathId("id", "template")

/** Message templates (docs/reference/administration.md#templates-pipelines-and-custom-fields). */
export const TemplatesGroup = HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.post("create")`/templates`
      .setPayload(TemplateInput)
      .addSuccess(single(AdminTemplateResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a template")
  )
  .add(
    HttpApiEndpoint.get("list")`/templates`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(AdminTemplateResource))
      .annotate(OpenApi.Summary, "List templates, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/templates/${id}`
      .addSuccess(single(AdminTemplateResource))
      .annotate(OpenApi.Summary, "Read one template")
  )
  .add(
    HttpApiEndpoint.patch("update")`/templates/${id}`
      .setPayload(TemplatePatch)
      .addSuccess(single(AdminTemplateResource))
      .annotate(OpenApi.Summary, "Change a template's text, category or status")
  )
  .annotate(OpenApi.Title, "Templates")
  .annotate(OpenApi.Description, "Texts with slots, and whether they are approved.")
