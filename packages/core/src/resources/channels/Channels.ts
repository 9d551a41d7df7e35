import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { complete } from "../../kernel/input/complete.js"
import type { Paged } from "../../kernel/input/PageQuery.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Capabilities } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { lookup, type ReadError, Storage } from "../../ports/Storage.js"
import type { Caller } from "../access/Caller.js"
import type { ChannelListQuery } from "./ChannelListQuery.js"
import { capabilitiesOf } from "./capabilitiesOf.js"
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

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
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
          capabilities: capabilitiesOf(providers, connection)
        }))
        return { ...page, rows }
      })
  })
})

export const layer: Layer.Layer<Channels, never, Storage | ChannelProviders> = Layer.effect(Channels, make)
