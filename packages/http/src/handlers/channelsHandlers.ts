import { type Caller, Channels, channelResource } from "@parley/core"
import { Effect } from "effect"
import type { ChannelsGroup } from "../contract/ChannelsGroup.js"
import { pagedListOf } from "../contract/pagedList.js"
import type { GroupHandlers } from "../server/Call.js"

/** Implements the group `channels` of the contract. */
export const channelsHandlers: Effect.Effect<GroupHandlers<typeof ChannelsGroup, Caller>, never, Channels> = Effect.map(
  Channels,
  (channels) => ({
    list: ({ caller, query, url }) =>
      Effect.map(channels.list(caller, query), (page) =>
        pagedListOf(url, page, ({ connection, capabilities }) => channelResource(connection, capabilities))
      )
  })
)
