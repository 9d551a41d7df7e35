import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { RetentionResource } from "@parley/core"
import { single } from "../contract/single.js"

/** Retention periods (docs/reference/administration.md#retention). */
export const RetentionGroup = HttpApiGroup.make("retention")
  .add(
    HttpApiEndpoint.get("get")`/retention`
      .addSuccess(single(RetentionResource))
      .annotate(OpenApi.Summary, "Read the retention periods")
  )
  .annotate(OpenApi.Title, "Retention")
  .annotate(OpenApi.Description, "Retention periods, set in the configuration of the host that responds.")
