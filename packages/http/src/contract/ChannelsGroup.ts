import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ChannelListQuery, ChannelResource } from "@parley/core"
import { pagedList } from "./pagedList.js"
import { RequiredScopes } from "./RequiredScopes.js"

/** The connections that the application may send on (docs/reference/channels.md#listing-channels). */
export const ChannelsGroup = HttpApiGroup.make("channels")
  .add(
    HttpApiEndpoint.get("list")`/channels`
      .setUrlParams(ChannelListQuery)
      .addSuccess(pagedList(ChannelResource))
      // Any valid credential will do.
      .annotate(RequiredScopes, [])
      .annotate(OpenApi.Summary, "List the connections on the application's allow-list")
  )
  .annotate(OpenApi.Title, "Channels")
  .annotate(OpenApi.Description, "The connections that the application may use.")
