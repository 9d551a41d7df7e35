import { Command, Options } from "@effect/cli"
import { Channel } from "@parley/core"
import { Effect } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { argument, leaf, limitOption, needed, option, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"

const add = leaf(
  "add",
  "Connect a channel. Example: parley connection add whatsapp +15550100 --test",
  {
    channel: argument("channel", `One of ${Channel.literals.join(", ")}`),
    handle: argument("handle", "The business's own address on the channel"),
    provider: Options.text("provider").pipe(Options.withDescription("What serves it"), Options.withDefault("sandbox")),
    name: option("name", "What to call it; else its handle"),
    test: Options.boolean("test").pipe(Options.withDescription("Mark it as test: for test applications")),
    workspace: workspaceOption
  },
  ({ channel, handle, name, provider, test, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const made = yield* client.call("POST", "/connections", {
        workspace_id: yield* needed("workspace", workspace, target),
        channel,
        provider,
        handle,
        name: name ?? handle,
        is_test: test
      })
      yield* printOne(json, made)
    })
)

const list = leaf(
  "list",
  "List connections, newest first",
  { limit: limitOption, workspace: option("workspace", "Only this workspace's") },
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
        return yield* new CommandFailed({ message: `There is no demo here: give the ${connection} connection's id` })
      }
      const path = `/connections/${encodeURIComponent(id)}/simulate-inbound`
      yield* printOne(json, yield* client.call("POST", path, { from, body, name }))
    })
)

export const connection = Command.make("connection").pipe(
  Command.withDescription("Connections, a workspace's accounts on channels"),
  Command.withSubcommands([add, list, simulateInbound])
)
