import { readFile } from "node:fs/promises"
import { Command, Options } from "@effect/cli"
import { Channel } from "@parley/core"
import { Effect, Schema } from "effect"
import type { Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import {
  argument,
  leaf,
  limitOption,
  needed,
  option,
  optionalChoice,
  workspaceFilter,
  workspaceOption
} from "./leaf.js"
import { printList, printOne } from "./output.js"
import { pathGiven } from "./pathGiven.js"
import { given, idOf, pathTo, show } from "./resource.js"

const kind = { command: "connection", noun: "connection", path: "/connections" }

/** Files and not values: what is on a command line, others can see. */
const settings = {
  config: option("config", "A JSON file with the provider's settings"),
  credentials: option("credentials", "A JSON file with the provider's credentials, which never come back")
}

/** The object in a JSON file; null where there is no file. */
const objectIn = (path: string | null): Effect.Effect<Resource | null, CommandFailed> =>
  path === null
    ? Effect.succeed(null)
    : Effect.tryPromise({
        try: () => readFile(pathGiven(path), "utf8"),
        catch: (error) => new CommandFailed({ message: `${path} cannot be read: ${(error as Error).message}` })
      }).pipe(
        Effect.flatMap((text) =>
          Effect.mapError(
            Schema.decodeUnknown(JsonObject)(text),
            () => new CommandFailed({ message: `${path} must have one JSON object in it` })
          )
        )
      )
const JsonObject = Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

const add = leaf(
  "add",
  "Connect a channel. Example: parley connection add whatsapp +15550100 --test Example: parley connection add telegram @acme_bot --provider telegram --credentials token.json",
  {
    channel: argument("channel", `One of ${Channel.literals.join(", ")}`),
    handle: argument("handle", "The business's own address on the channel"),
    provider: Options.text("provider").pipe(
      Options.withDescription("What serves it (default sandbox)"),
      Options.withDefault("sandbox")
    ),
    name: option("name", "What to call it; else its handle"),
    test: Options.boolean("test").pipe(Options.withDescription("Mark it as test: for test applications")),
    ...settings,
    workspace: workspaceOption
  },
  ({ channel, config, credentials, handle, name, provider, test, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const made = yield* client.call("POST", "/connections", {
        workspace_id: yield* needed("workspace", workspace, target),
        channel,
        provider,
        handle,
        name: name ?? handle,
        is_test: test,
        ...given({ config: yield* objectIn(config), credentials: yield* objectIn(credentials) })
      })
      yield* printOne(json, made)
    })
)

const list = leaf(
  "list",
  "List connections, newest first. Example: parley connection list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/connections", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "channel", "provider", "name", "handle", "status", "is_test", "workspace_id"])
    )
)

const update = leaf(
  "update",
  "Change a connection, pause, disconnect or activate it; config and credentials are replaced as a whole. Example: parley connection update <id> --status paused",
  {
    id: idOf(kind),
    name: option("name", "What to call it"),
    status: optionalChoice("status", ["active", "paused", "disconnected"], "Only an active one sends"),
    ...settings
  },
  ({ config, credentials, id, name, status }, { client, json }) =>
    Effect.gen(function* () {
      const files = { config: yield* objectIn(config), credentials: yield* objectIn(credentials) }
      yield* printOne(json, yield* client.call("PATCH", pathTo(kind, id), given({ name, status, ...files })))
    })
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
  Command.withSubcommands([add, list, show(kind), update, simulateInbound])
)
