import { Command } from "@effect/cli"
import { Effect } from "effect"
import { argument, leaf, limitOption, option } from "./leaf.js"
import { printList, printOne } from "./output.js"

const create = leaf(
  "create",
  'Create a workspace. Example: parley workspace create "Acme" --language en',
  {
    name: argument("name", "What to call it"),
    language: option("language", "The language of templates sent without one")
  },
  ({ name, language }, { client, json }) =>
    Effect.flatMap(client.call("POST", "/workspaces", { name, default_language: language }), (made) =>
      printOne(json, made)
    )
)

const list = leaf("list", "List workspaces, newest first", { limit: limitOption }, ({ limit }, { client, json }) =>
  Effect.flatMap(client.list("/workspaces", { limit }), (page) =>
    printList(json, page, ["id", "name", "status", "default_language", "created_at"])
  )
)

export const workspace = Command.make("workspace").pipe(
  Command.withDescription("Workspaces, inside which everything else lives"),
  Command.withSubcommands([create, list])
)
