import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AdminLeadResource, LeadListQuery, LeadPatch } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "lead")

/** Leads of every workspace (docs/reference/administration.md#templates-pipelines-and-custom-fields). */
export const LeadsGroup = HttpApiGroup.make("leads")
  .add(
    HttpApiEndpoint.get("list")`/leads`
      .setUrlParams(LeadListQuery)
      .addSuccess(cursorPage(AdminLeadResource))
      .annotate(OpenApi.Summary, "List leads, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/leads/${id}`
      .addSuccess(single(AdminLeadResource))
      .annotate(OpenApi.Summary, "Read one lead")
  )
  .add(
    HttpApiEndpoint.patch("update")`/leads/${id}`
      .setPayload(LeadPatch)
      .addSuccess(single(AdminLeadResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Move a lead to another stage")
  )
  .annotate(OpenApi.Title, "Leads")
  .annotate(OpenApi.Description, "Contacts on their way through a pipeline.")
