import manifest from "../../package.json" with { type: "json" }
import { agent } from "./agent.js"
import { app } from "./app.js"
import { attachment } from "./attachment.js"
import { audit } from "./audit.js"
import { backup } from "./backup.js"
import { bot } from "./bot.js"
import type { CommandLine } from "./commandLine.js"
import { completion } from "./completion.js"
import { connection } from "./connection.js"
import { contact } from "./contact.js"
import { conversation } from "./conversation.js"
import { customField } from "./customField.js"
import { delivery } from "./delivery.js"
import { endpoint } from "./endpoint.js"
import { event } from "./event.js"
import { hostCommand, runHostCommand } from "./hostCommand.js"
import { job } from "./job.js"
import { key } from "./key.js"
import { lead } from "./lead.js"
import { logs } from "./logs.js"
import { message } from "./message.js"
import { notification } from "./notification.js"
import { oauthClient } from "./oauthClient.js"
import { pipeline } from "./pipeline.js"
import { providers } from "./providers.js"
import { retention } from "./retention.js"
import { run } from "./run.js"
import { secrets } from "./secrets.js"
import { status } from "./status.js"
import { task } from "./task.js"
import { team } from "./team.js"
import { template } from "./template.js"
import { workflow } from "./workflow.js"
import { workspace } from "./workspace.js"

/** The `parley` command with its subcommands. */
export const parley: CommandLine = {
  name: "parley",
  version: manifest.version,
  what: "Multichannel messaging behind one API",
  sections: [
    {
      heading: "Run Parley",
      commands: [
        runHostCommand(
          "serve",
          "Run the server and the worker in one process; PARLEY_… environment variables are its settings. Example: PARLEY_PORT=9000 parley serve"
        ),
        runHostCommand(
          "http",
          "Run only the server, on Postgres. Example: PARLEY_DATABASE_URL=postgres://… parley http"
        ),
        runHostCommand(
          "worker",
          "Run only a worker, on Postgres. Example: PARLEY_DATABASE_URL=postgres://… parley worker"
        ),
        hostCommand(
          "migrate",
          "migrate",
          "Migrate the database to the present schema. Example: PARLEY_DATABASE_URL=postgres://… parley migrate"
        ),
        backup,
        secrets,
        retention,
        completion(() => parley)
      ]
    },
    { heading: "See what it does", commands: [status, job, logs, audit, event, notification] },
    {
      heading: "Set it up",
      commands: [
        workspace,
        app,
        key,
        oauthClient,
        providers,
        connection,
        template,
        workflow,
        bot,
        run,
        pipeline,
        customField,
        agent,
        team
      ]
    },
    { heading: "Webhooks", commands: [endpoint, delivery] },
    { heading: "Customers", commands: [contact, conversation, message, attachment, lead, task] }
  ]
}
