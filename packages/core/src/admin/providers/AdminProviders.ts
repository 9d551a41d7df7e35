import { Context, Effect, Layer } from "effect"
import { type ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"

/** Tells what connections can be made of. */
export interface AdminProviders {
  /** Every provider that this host has, by kind. */
  readonly list: ReadonlyArray<ChannelProvider>
}
export const AdminProviders = Context.GenericTag<AdminProviders>("@parley/core/AdminProviders")

const make = Effect.map(ChannelProviders, ({ byKind }) =>
  AdminProviders.of({ list: [...byKind.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1)) })
)

export const layer: Layer.Layer<AdminProviders, never, ChannelProviders> = Layer.effect(AdminProviders, make)
