import { Command } from "@effect/cli"
import { Effect } from "effect"
import { apiCommand, argument, choice, needed, option, workspaceOption } from "./apiCommand.js"
import { printList, printOne } from "./output.js"

const create = apiCommand(
  "create",
  "Add a custom field to a workspace's contacts. Example: parley custom-field create size --type number",
  {
    key: argument("key", "The key in contacts' custom_fields"),
    type: choice("type", ["text", "number", "boolean", "date"], "text", "The type of its values"),
    label: option("label", "The displayed name (default: the key)"),
    workspace: workspaceOption
  },
  ({ key, label, type, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const input = { workspace_id, key, type, label: label ?? key }
      yield* printOne(json, yield* client.call("POST", "/custom-fields", input))
    })
)

const list = apiCommand(
  "list",
  "List a workspace's custom fields, by key. Example: parley custom-field list",
  { workspace: workspaceOption },
  ({ workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      yield* printList(json, yield* client.list("/custom-fields", { workspace_id }), ["key", "type", "label"])
    })
)

export const customField = Command.make("custom-field").pipe(
  Command.withDescription("Custom fields of a workspace's contacts"),
  Command.withSubcommands([create, list])
)
