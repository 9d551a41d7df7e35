import { Effect, type Scope } from "effect"
import { listening, type ParleyProcess, parley } from "./processes.js"

/**
 * Starts a process that works off the queue of the data in this folder, each time that it is run. On Postgres it does
 * nothing else, and another process serves callers at this port meanwhile; one SQLite file serves one process, which
 * does both.
 */
export const workers = (
  folder: string,
  settings: { readonly [name: string]: string },
  port: string
): Effect.Effect<Effect.Effect<ParleyProcess, never, Scope.Scope>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const there = { ...settings, PARLEY_DATA_DIR: folder, PARLEY_PORT: port }
    if (settings.PARLEY_DATABASE_URL === undefined) return parley(["serve"], there)
    yield* listening(yield* parley(["http"], there))
    // Only the demo lets loopback through by itself.
    return parley(["worker"], { ...there, PARLEY_WEBHOOK_ALLOW: "127.0.0.0/8" })
  })
