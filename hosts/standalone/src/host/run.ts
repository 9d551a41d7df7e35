import cluster from "node:cluster"
import { Database } from "@parley/host/layers"
import { fromEnvironment, Logging, type Settings, Tracing, unknownSettings } from "@parley/host-settings"
import { Console, Data, Effect, Layer, Option } from "effect"
import { didYouMean } from "../commands/didYouMean.js"
import { databaseSetting } from "./engine.js"
import { allMetrics, settingsOfOneProcess } from "./processes/ofProcess.js"
import { type ProcessNotStarted, supervise } from "./processes/supervise.js"
import { serve, serveHttp, work } from "./serve.js"

/** Several processes need a database that all of them can open (docs/reference/running.md#processes). */
export class NeedsPostgres extends Data.TaggedError("NeedsPostgres")<{ readonly command: string }> {
  override get message(): string {
    return `PARLEY_DATABASE_URL must be postgres://… for parley ${this.command}: a SQLite file supports one process only, for which there is parley serve`
  }
}

const withSettings = <A, E, R>(host: (settings: Settings) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(fromEnvironment(process.env), (settings) =>
    Effect.provide(
      Effect.zipRight(warnOfUnknownSettings, host(settings)),
      Layer.merge(Logging.layer(settings), Tracing.layer(settings))
    )
  )

/** A misspelled setting is not read: the host would run with the default. */
const warnOfUnknownSettings = Effect.flatMap(unknownSettings(process.env), ({ known, unknown }) =>
  Effect.forEach(
    unknown,
    (name) => Effect.logWarning(`${name} is not a setting and is ignored.${didYouMean(name, known)}`),
    { discard: true }
  )
)

const onPostgres =
  <A, E, R>(command: string, host: (settings: Settings) => Effect.Effect<A, E, R>) =>
  (settings: Settings): Effect.Effect<A, E | NeedsPostgres, R> =>
    settings.database._tag === "Sqlite" ? new NeedsPostgres({ command }) : host(settings)

/** Runs a host in the given number of processes, by default that of the settings. */
const inSeveralProcesses =
  <A, E>(command: string, host: (settings: Settings) => Effect.Effect<A, E>) =>
  (processes: Option.Option<number>) =>
    withSettings((given): Effect.Effect<A, E | NeedsPostgres | ProcessNotStarted> => {
      const settings = { ...given, processes: Option.getOrElse(processes, () => given.processes) }
      if (settings.processes === 1) return host(settings)
      if (settings.database._tag === "Sqlite") return new NeedsPostgres({ command: `${command} in several processes` })
      return cluster.isPrimary ? supervise(settings) : Effect.provide(host(settingsOfOneProcess(settings)), allMetrics)
    })

/** Copies the SQLite database to a new file, beside a running host. */
export const backup = (copy: string) =>
  withSettings(({ database }) =>
    Effect.zipRight(
      Database.backup(database, { copy, setting: databaseSetting }),
      Console.log(`${Database.nameOf(database)} was copied to ${copy}`)
    )
  )

/** The programs of the host commands, by the environment's settings. */
export const hosts = {
  serve: inSeveralProcesses("serve", serve),
  http: inSeveralProcesses("http", onPostgres("http", serveHttp)),
  worker: inSeveralProcesses("worker", onPostgres("worker", work)),
  migrate: withSettings(({ database }) =>
    Effect.zipRight(
      Database.migrate(database, databaseSetting),
      Console.log(`${Database.nameOf(database)} is up to date`)
    )
  ),
  recount: withSettings(({ database }) =>
    Effect.flatMap(Database.recountContacts(database, databaseSetting), ({ wrongCounts }) =>
      Console.log(
        wrongCounts === 0
          ? "The lists of contacts were rebuilt: every count was correct"
          : `The lists of contacts were rebuilt: ${wrongCounts} of their counts ${wrongCounts === 1 ? "was" : "were"} wrong`
      )
    )
  )
}
