import { Command } from "@effect/cli"
import { channelNamePattern } from "@parley/core"
import { Effect } from "effect"
import type { AdminClient } from "./AdminClient.js"
import { apiCommand, argument, option, workspaceFilter } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { add } from "./connectionAdd.js"
import { check } from "./connectionCheck.js"
import { importHistory } from "./connectionImportHistory.js"
import { update } from "./connectionUpdate.js"
import { printOne } from "./output.js"
import { providersOf } from "./providers.js"
import { act, list, listBelow, pathTo, show } from "./resource.js"

const kind = { command: "connection", noun: "connection", path: "/connections" }

/** Whether the host has a channel of this name, which is then no connection's id. */
const isChannel = (client: AdminClient, name: string): Effect.Effect<boolean, CommandFailed> =>
  Effect.map(providersOf(client), (providers) => providers.some(({ channels }) => channels.includes(name)))

const simulateInbound = apiCommand(
  "simulate-inbound",
  'Let a customer write to a sandbox connection. Example: parley connection simulate-inbound whatsapp +15550123456 "Hello"',
  {
    connection: argument("connection", "The connection's id, or a channel's name for the demo's connection"),
    from: argument("from", "The customer's handle on the channel"),
    body: argument("body", "The text of the message"),
    name: option("name", "The customer's display name")
  },
  ({ body, connection, from, name }, { client, json, target }) =>
    Effect.gen(function* () {
      const id = target.connections[connection] ?? connection
      if (channelNamePattern.test(id) && (yield* isChannel(client, id))) {
        return yield* new CommandFailed({
          message: `There is no demo here: give the id of a ${connection} connection, from parley connection list`
        })
      }
      yield* printOne(json, yield* client.call("POST", `${pathTo(kind, id)}/simulate-inbound`, { from, body, name }))
    })
)

export const connection = Command.make("connection").pipe(
  Command.withDescription("Connections, a workspace's accounts on channels"),
  Command.withSubcommands([
    add,
    list(
      kind.path,
      "List connections, newest first. Example: parley connection list",
      { workspace_id: workspaceFilter },
      ["id", "channel", "provider", "name", "handle", "status", "is_test", "workspace_id"]
    ),
    show(kind),
    update(kind),
    check(kind),
    act(kind, "setup", "Set up the webhook at a connection's vendor. Example: parley connection setup <id>", {
      method: "POST",
      path: "/setup"
    }),
    act(
      kind,
      "sync-templates",
      "Import the templates of a connection's account now. Example: parley connection sync-templates <id>",
      {
        method: "POST",
        path: "/sync-templates",
        next: ({ created, updated }, id) =>
          created === 0 && updated === 0
            ? `There were no new templates. If some are missing, run parley connection check ${id}.`
            : null
      }
    ),
    importHistory(kind),
    simulateInbound,
    listBelow(
      kind,
      ["unknown-events", "/unknown-events"],
      "List a connection's webhook events of unknown kinds, newest first. Example: parley connection unknown-events <id>",
      {},
      ["created_at", "kind", "raw", "id"]
    )
  ])
)
