import { Context, Effect } from "effect"

/**
 * What ends a command: its work, or a signal. `follow`: it prints until its user has enough. `host`: it serves until
 * its process manager stops it.
 */
export type Lifetime = "work" | "follow" | "host"

/** Receives the lifetime of the command that runs. */
export class CommandLifetime extends Context.Reference<CommandLifetime>()("@parley/standalone/CommandLifetime", {
  defaultValue: (): ((lifetime: Lifetime) => void) => () => {}
}) {}

/** Says that the present command runs until a signal. */
export const runsAs = (lifetime: Exclude<Lifetime, "work">): Effect.Effect<void> =>
  Effect.map(CommandLifetime, (report) => report(lifetime))
