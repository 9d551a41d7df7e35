import { Command } from "@effect/cli"
import { Effect } from "effect"
import { apiCommand, argument, option, optionalChoice } from "./apiCommand.js"
import { printOne } from "./output.js"
import { list, show, update } from "./resource.js"

const kind = { command: "workspace", noun: "workspace", path: "/workspaces" }

const settings = {
  default_language: option("language", "The default language of templates"),
  timezone: option("timezone", "The time zone of automations, such as Europe/Berlin")
}

const create = apiCommand(
  "create",
  'Create a workspace. Example: parley workspace create "Acme" --language en',
  { name: argument("name", "The workspace's name"), settings },
  ({ name, settings }, { client, json }) =>
    Effect.flatMap(client.call("POST", kind.path, { name, ...settings }), (made) => printOne(json, made))
)

export const workspace = Command.make("workspace").pipe(
  Command.withDescription("Workspaces, which contain all other resources"),
  Command.withSubcommands([
    create,
    list(kind.path, "List workspaces, newest first. Example: parley workspace list", {}, [
      "id",
      "name",
      "status",
      "default_language",
      "timezone",
      "created_at"
    ]),
    show(kind),
    update(
      kind,
      "Change a workspace, suspend or activate it. Example: parley workspace update <id> --status suspended",
      {
        name: option("name", "The workspace's name"),
        ...settings,
        status: optionalChoice(
          "status",
          ["active", "suspended", "unavailable"],
          "A suspended workspace is read-only, an unavailable one is not accessible"
        )
      }
    )
  ])
)
