import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { LeadInput, LeadResource } from "@parley/core"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { Raises, refusedWrites } from "./Raises.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"

/** Contacts on their way through a pipeline (docs/reference/leads.md#creating-a-lead). */
export const LeadsGroup = HttpApiGroup.make("leads")
  .add(
    HttpApiEndpoint.post("create")`/leads`
      .setHeaders(IdempotencyKey)
      .setPayload(LeadInput)
      .addSuccess(single(LeadResource), { status: 201 })
      .annotate(RequiredScopes, ["leads.create"])
      .annotate(Raises, refusedWrites)
      .annotate(OpenApi.Summary, "Create a lead in a pipeline")
  )
  .annotate(OpenApi.Title, "Leads")
  .annotate(OpenApi.Description, "Contacts on their way through a pipeline.")
