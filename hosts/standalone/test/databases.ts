import { freshPostgres } from "@parley/testkit/databases"
import { Effect, type Scope } from "effect"

/** The settings for a database of one's own of each kind. */
export const databases: ReadonlyArray<
  readonly [name: string, settings: Effect.Effect<{ readonly [name: string]: string }, never, Scope.Scope>]
> = [
  ["sqlite", Effect.succeed({})],
  ["postgres", Effect.map(freshPostgres, (url) => ({ PARLEY_DATABASE_URL: url }))]
]
