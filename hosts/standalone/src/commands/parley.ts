import { Command } from "@effect/cli"
import { Effect } from "effect"
import { app } from "./app.js"
import { connection } from "./connection.js"
import { endpoint } from "./endpoint.js"
import { key } from "./key.js"
import { template } from "./template.js"
import { workspace } from "./workspace.js"

// Loaded when they are run: a command over the admin API needs no database.
const host = (name: "serve" | "http" | "worker" | "migrate", description: string) =>
  Command.make(name, {}, () =>
    Effect.flatMap(
      Effect.promise(() => import("../host/run.js")),
      ({ hosts }) => hosts[name] as Effect.Effect<unknown, Error>
    )
  ).pipe(Command.withDescription(description))

/** The command, with everything that it can do. */
export const parley = Command.make("parley").pipe(
  Command.withDescription("Messaging over many channels, by one API"),
  Command.withSubcommands([
    host("serve", "Run the server and the worker in one process; settings come from PARLEY_… in the environment"),
    host("http", "Run the server alone (Postgres only)"),
    host("worker", "Run the worker alone (Postgres only)"),
    host("migrate", "Bring the database up to date"),
    workspace,
    app,
    key,
    endpoint,
    connection,
    template
  ])
)
