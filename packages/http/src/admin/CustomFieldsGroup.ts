import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { CustomFieldInput, CustomFieldListQuery, CustomFieldResource } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { single } from "../contract/single.js"

/** Custom contact fields of a workspace (docs/reference/contacts.md#custom-fields). */
export const CustomFieldsGroup = HttpApiGroup.make("customFields")
  .add(
    HttpApiEndpoint.post("create")`/custom-fields`
      .setPayload(CustomFieldInput)
      .addSuccess(single(CustomFieldResource), { status: 201 })
      .annotate(OpenApi.Summary, "Add a field to a workspace's contacts")
  )
  .add(
    HttpApiEndpoint.get("list")`/custom-fields`
      .setUrlParams(CustomFieldListQuery)
      .addSuccess(cursorPage(CustomFieldResource))
      .annotate(OpenApi.Summary, "List a workspace's custom fields by key, all on one page")
  )
  .annotate(OpenApi.Title, "Custom fields")
  .annotate(OpenApi.Description, "The fields that a workspace adds to its contacts.")
