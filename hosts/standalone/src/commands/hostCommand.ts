import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { runsAs } from "./CommandLifetime.js"
import { described } from "./described.js"

/** The programs that use the database directly. Loaded on demand, since other commands need no database. */
export const loadHosts = Effect.promise(() => import("../host/run.js"))

/** A command that uses the database directly. */
export const hostCommand = (name: string, host: "migrate" | "recount", description: string) =>
  Command.make(name, {}, () =>
    Effect.flatMap(loadHosts, ({ hosts }) => hosts[host] as Effect.Effect<unknown, Error>)
  ).pipe(described(description))

const processes = Options.integer("processes").pipe(
  Options.withDescription(
    "Number of processes that share the port, about one for each CPU; Postgres only. Default: PARLEY_PROCESSES, or 1"
  ),
  Options.filterMap(
    (count) => (count >= 1 && count <= 99 ? Option.some(count) : Option.none()),
    "must be a whole number from 1 to 99"
  ),
  Options.optional
)

/** A command that runs a host until a signal stops it. */
export const runHostCommand = (host: "serve" | "http" | "worker", description: string) =>
  Command.make(host, { processes }, (given) =>
    Effect.zipRight(
      runsAs("host"),
      Effect.flatMap(loadHosts, ({ hosts }) => hosts[host](given.processes) as Effect.Effect<unknown, Error>)
    )
  ).pipe(described(description))
