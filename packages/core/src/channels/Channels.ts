import { Context, Effect, Layer } from "effect"
import type { Caller } from "../access/Caller.js"
import type { Refusal } from "../errors/Refusal.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import type { Paged } from "../input/PageQuery.js"
import { ChannelProviders } from "../ports/ChannelProvider.js"
import { lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Capabilities } from "./Channel.js"
import type { ChannelListQuery } from "./ChannelListQuery.js"
import type { Connection } from "./Connection.js"
import { capabilitiesOf } from "./capabilitiesOf.js"
import { pageOfChannels } from "./pageOfChannels.js"

/** A connection and what it can do. */
export interface KnownChannel {
  readonly connection: Connection
  readonly capabilities: Capabilities
}

/** Tells applications what they may send on. */
export interface Channels {
  /** `GET /channels`: the connections on the caller's allow-list, by name. */
  readonly list: (
    caller: Caller,
    query: Draft<ChannelListQuery>
  ) => Effect.Effect<Paged<KnownChannel>, Refusal | ReadError>
}
export const Channels = Context.GenericTag<Channels>("@parley/core/Channels")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  return Channels.of({
    list: ({ application, workspace }, draft) =>
      Effect.gen(function* () {
        const query = yield* complete(draft)
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
