import { Command } from "@effect/cli"
import { Effect } from "effect"
import { agent } from "./agent.js"
import { app } from "./app.js"
import { connection } from "./connection.js"
import { customField } from "./customField.js"
import { endpoint } from "./endpoint.js"
import { key } from "./key.js"
import { oauthClient } from "./oauthClient.js"
import { pipeline } from "./pipeline.js"
import { team } from "./team.js"
import { template } from "./template.js"
import { workflow } from "./workflow.js"
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
    oauthClient,
    endpoint,
    connection,
    template,
    workflow,
    pipeline,
    customField,
    agent,
    team
  ])
)
