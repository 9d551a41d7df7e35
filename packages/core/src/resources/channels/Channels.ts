import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { complete } from "../../kernel/input/complete.js"
import type { Paged } from "../../kernel/input/PageQuery.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Capabilities } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { lookup, type ReadError, Storage } from "../../ports/Storage.js"
import type { Caller } from "../access/Caller.js"
import type { ChannelListQuery } from "./ChannelListQuery.js"
import { offeredCapabilities } from "./capabilitiesOf.js"
import { pageOfChannels } from "./pageOfChannels.js"

/** A connection and its capabilities. */
export interface KnownChannel {
  readonly connection: Connection
  readonly capabilities: Capabilities
}

/** Lists the channels that applications may send on. */
export interface Channels {
  /** `GET /channels`: the connections on the caller's allow-list, ordered by name. */
  readonly list: (
    caller: Caller,
    query: PartialDecode<ChannelListQuery>
  ) => Effect.Effect<Paged<KnownChannel>, Refusal | ReadError>
}
export const Channels = Context.GenericTag<Channels>("@parley/core/Channels")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const { attachments } = yield* EngineSettings
  return Channels.of({
    list: ({ application, workspace }, decoded) =>
      Effect.gen(function* () {
        const query = yield* complete(decoded)
        const { connections } = yield* storage.read({
          connections: lookup("connections", { workspaceId: workspace.id })
        })
        const page = pageOfChannels(application, connections, query)
        const rows = page.rows.map((connection) => ({
          connection,
          capabilities: offeredCapabilities(providers, connection, attachments.maxBytes)
        }))
        return { ...page, rows }
      })
  })
})
