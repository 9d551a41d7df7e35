import { Command } from "@effect/cli"
import { Effect } from "effect"
import { argument, leaf, limitOption, option, optionalChoice } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { show, update } from "./resource.js"

const kind = { command: "workspace", noun: "workspace", path: "/workspaces" }

const timezone = option("timezone", "The time zone that automations go by, such as Europe/Berlin")

const create = leaf(
  "create",
  'Create a workspace. Example: parley workspace create "Acme" --language en',
  {
    name: argument("name", "What to call it"),
    language: option("language", "The language of templates sent without one"),
    timezone
  },
  ({ name, language, timezone }, { client, json }) =>
    Effect.flatMap(client.call("POST", "/workspaces", { name, default_language: language, timezone }), (made) =>
      printOne(json, made)
    )
)

const list = leaf(
  "list",
  "List workspaces, newest first. Example: parley workspace list",
  { limit: limitOption },
  ({ limit }, { client, json }) =>
    Effect.flatMap(client.list("/workspaces", { limit }), (page) =>
      printList(json, page, ["id", "name", "status", "default_language", "timezone", "created_at"])
    )
)

const change = update(
  kind,
  "Change a workspace, suspend or activate it. Example: parley workspace update <id> --status suspended",
  {
    name: option("name", "What to call it"),
    language: option("language", "The language of templates sent without one"),
    timezone,
    status: optionalChoice(
      "status",
      ["active", "suspended", "unavailable"],
      "A suspended one can be read only, an unavailable one not at all"
    )
  },
  ({ language, name, status, timezone }) => ({ name, default_language: language, timezone, status })
)

export const workspace = Command.make("workspace").pipe(
  Command.withDescription("Workspaces, inside which everything else lives"),
  Command.withSubcommands([create, list, show(kind), change])
)
