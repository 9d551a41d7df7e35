import { Command } from "@effect/cli"
import { Channel } from "@parley/core"
import { Effect } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { add } from "./connectionAdd.js"
import { check, setUp, syncTemplates } from "./connectionChecks.js"
import { update } from "./connectionUpdate.js"
import { argument, leaf, limitOption, option, workspaceFilter } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { pathTo, show } from "./resource.js"
import { unknownEvents } from "./unknownEvents.js"

const kind = { command: "connection", noun: "connection", path: "/connections" }

const list = leaf(
  "list",
  "List connections, newest first. Example: parley connection list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/connections", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "channel", "provider", "name", "handle", "status", "is_test", "workspace_id"])
    )
)

const simulateInbound = leaf(
  "simulate-inbound",
  'Let a customer write to a sandbox connection. Example: parley connection simulate-inbound whatsapp +15550123456 "Hello"',
  {
    connection: argument("connection", "The connection's id; a channel's name stands for the demo's"),
    from: argument("from", "The customer's address on the channel"),
    body: argument("body", "What they write"),
    name: option("name", "What they call themselves")
  },
  ({ body, connection, from, name }, { client, json, target }) =>
    Effect.gen(function* () {
      const id = target.connections[connection] ?? connection
      if ((Channel.literals as ReadonlyArray<string>).includes(id)) {
        return yield* new CommandFailed({
          message: `There is no demo here: give the id of a ${connection} connection, as parley connection list shows it`
        })
      }
      yield* printOne(json, yield* client.call("POST", `${pathTo(kind, id)}/simulate-inbound`, { from, body, name }))
    })
)

export const connection = Command.make("connection").pipe(
  Command.withDescription("Connections, a workspace's accounts on channels"),
  Command.withSubcommands([
    add,
    list,
    show(kind),
    update(kind),
    check(kind),
    setUp(kind),
    syncTemplates(kind),
    simulateInbound,
    unknownEvents
  ])
)
