import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { RetentionResource } from "@parley/core"
import { single } from "../contract/single.js"

/** How long history is kept (decisions.md §12). */
export const RetentionGroup = HttpApiGroup.make("retention")
  .add(
    HttpApiEndpoint.get("get")`/retention`
      .addSuccess(single(RetentionResource))
      .annotate(OpenApi.Summary, "Read how long history is kept")
  )
  .annotate(OpenApi.Title, "Retention")
  .annotate(OpenApi.Description, "How long history is kept; the settings of the host that answers decide it.")
