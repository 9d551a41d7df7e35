import { Command, Options } from "@effect/cli"
import { Channel } from "@parley/core"
import { Effect } from "effect"
import {
  argument,
  choice,
  leaf,
  limitOption,
  needed,
  option,
  optionalChoice,
  workspaceFilter,
  workspaceOption
} from "./leaf.js"
import { printList, printOne } from "./output.js"
import { show, update } from "./resource.js"

const kind = { command: "template", noun: "template", path: "/templates" }
const statuses = ["draft", "pending", "approved", "rejected", "paused"] as const
const category = option("category", "Such as utility; marketing is not sent to those who opted out of it")

const add = leaf(
  "add",
  'Add a template. Example: parley template add welcome "Hello {{1}}" --status approved',
  {
    name: argument("name", "What sends name it by"),
    body: argument("body", "Its text, with slots {{1}}, {{2}}, …"),
    channel: choice("channel", Channel.literals, "whatsapp", "Where it is sent"),
    language: Options.text("language").pipe(
      Options.withDescription("Its language (default en)"),
      Options.withDefault("en")
    ),
    category,
    status: choice("status", statuses, "draft", "Only approved ones can be sent"),
    workspace: workspaceOption
  },
  ({ body, category, channel, language, name, status, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const input = { workspace_id, name, channel, language, category, body, status }
      yield* printOne(json, yield* client.call("POST", "/templates", input))
    })
)

const list = leaf(
  "list",
  "List templates, newest first. Example: parley template list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/templates", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "channel", "language", "status", "body"])
    )
)

const change = update(
  kind,
  "Change a template's text, category or status. Example: parley template update <id> --status approved",
  {
    body: option("body", "Its text, with slots {{1}}, {{2}}, …"),
    category,
    status: optionalChoice("status", statuses, "Only approved ones can be sent")
  },
  (patch) => ({ ...patch })
)

export const template = Command.make("template").pipe(
  Command.withDescription("Message templates"),
  Command.withSubcommands([add, list, show(kind), change])
)
