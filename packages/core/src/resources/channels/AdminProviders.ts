import { Context, Effect } from "effect"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import type { Capabilities } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { type ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"
import { offeredCapabilities } from "./capabilitiesOf.js"

/** Lists the channel providers that connections can use, and what connections can do with them. */
export interface AdminProviders {
  /** All providers of this host, ordered by kind. */
  readonly list: ReadonlyArray<ChannelProvider>
  readonly capabilities: (connection: Connection) => Capabilities
}
export const AdminProviders = Context.GenericTag<AdminProviders>("@parley/core/AdminProviders")

export const make = Effect.zipWith(ChannelProviders, EngineSettings, (providers, { attachments }) =>
  AdminProviders.of({
    list: [...providers.byKind.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1)),
    capabilities: (connection) => offeredCapabilities(providers, connection, attachments.maxBytes)
  })
)
