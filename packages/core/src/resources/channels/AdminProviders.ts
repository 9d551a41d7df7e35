import { Context, Effect } from "effect"
import { type ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"

/** Lists the channel providers that connections can use. */
export interface AdminProviders {
  /** All providers of this host, ordered by kind. */
  readonly list: ReadonlyArray<ChannelProvider>
}
export const AdminProviders = Context.GenericTag<AdminProviders>("@parley/core/AdminProviders")

export const make = Effect.map(ChannelProviders, ({ byKind }) =>
  AdminProviders.of({ list: [...byKind.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1)) })
)
