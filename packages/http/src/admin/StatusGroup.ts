import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { StatusResource } from "@parley/core"
import { single } from "../contract/single.js"

/** The service as a whole, for those who run it. */
export const StatusGroup = HttpApiGroup.make("status")
  .add(
    HttpApiEndpoint.get("get")`/status`
      .addSuccess(single(StatusResource))
      .annotate(OpenApi.Summary, "Read how the service is, and what may want attention")
  )
  .annotate(OpenApi.Title, "Status")
  .annotate(OpenApi.Description, "How the service is: its queue, and what may want attention.")
