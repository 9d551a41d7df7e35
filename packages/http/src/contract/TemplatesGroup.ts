import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { TemplateListQuery, TemplateResource } from "@parley/core"
import { pagedList } from "./pagedList.js"
import { RequiredScopes } from "./RequiredScopes.js"

/** Message templates of the workspace (docs/reference/templates.md#listing-templates). */
export const TemplatesGroup = HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("list")`/templates`
      .setUrlParams(TemplateListQuery)
      .addSuccess(pagedList(TemplateResource))
      .annotate(RequiredScopes, ["templates.read"])
      .annotate(OpenApi.Summary, "List templates by name")
      .annotate(OpenApi.Description, "Only those that can be sent, unless `include_unapproved` is true.")
  )
  .annotate(OpenApi.Title, "Templates")
  .annotate(OpenApi.Description, "Texts with slots. WhatsApp lets a conversation begin with an approved one only.")
