import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ApplicationStatusQuery, ApplicationStatusResource, StatusResource } from "@parley/core"
import { single } from "../contract/single.js"

/** Status of the service, for operators. */
export const StatusGroup = HttpApiGroup.make("status")
  .add(
    HttpApiEndpoint.get("get")`/status`
      .addSuccess(single(StatusResource))
      .annotate(OpenApi.Summary, "Read the status of the service, and what needs attention")
  )
  .add(
    HttpApiEndpoint.get("byApplication")`/status/applications`
      .setUrlParams(ApplicationStatusQuery)
      .addSuccess(single(ApplicationStatusResource))
      .annotate(OpenApi.Summary, "Read what waits for each application, those with the most first")
  )
  .annotate(OpenApi.Title, "Status")
  .annotate(OpenApi.Description, "Status of the service: its queue, and what needs attention.")
