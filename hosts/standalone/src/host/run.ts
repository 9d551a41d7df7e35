import { fromEnvironment, Logging, type Settings, Tracing } from "@parley/host-settings"
import { Console, Data, Effect, Layer } from "effect"
import { Database } from "parley/host"
import { databaseSetting } from "./engine.js"
import { serve, serveHttp, work } from "./serve.js"

/** Processes that share their work need a database that several can open (decisions.md §15). */
export class NeedsPostgres extends Data.TaggedError("NeedsPostgres")<{ readonly command: string }> {
  override get message(): string {
    return `PARLEY_DATABASE_URL must be postgres://… for parley ${this.command}: one SQLite file serves one process, and parley serve does everything in one`
  }
}

const withSettings = <A, E, R>(host: (settings: Settings) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(fromEnvironment(process.env), (settings) =>
    Effect.provide(host(settings), Layer.merge(Logging.layer(settings), Tracing.layer(settings)))
  )

const onPostgres =
  <A, E, R>(command: string, host: (settings: Settings) => Effect.Effect<A, E, R>) =>
  (settings: Settings): Effect.Effect<A, E | NeedsPostgres, R> =>
    settings.database._tag === "Sqlite" ? new NeedsPostgres({ command }) : host(settings)

/** What each command of the host does, by the settings of the environment. */
export const hosts = {
  serve: withSettings(serve),
  http: withSettings(onPostgres("http", serveHttp)),
  worker: withSettings(onPostgres("worker", work)),
  migrate: withSettings(({ database }) =>
    Effect.zipRight(
      Database.migrate(database, databaseSetting),
      Console.log(`${Database.nameOf(database)} is up to date`)
    )
  )
}
