import { Command, Options } from "@effect/cli"
import { Channel } from "@parley/core"
import { Effect } from "effect"
import { argument, leaf, limitOption, needed, option, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"

const add = leaf(
  "add",
  'Add a template. Example: parley template add welcome "Hello {{1}}" --status approved',
  {
    name: argument("name", "What sends name it by"),
    body: argument("body", "Its text, with slots {{1}}, {{2}}, …"),
    channel: Options.choice("channel", Channel.literals).pipe(
      Options.withDescription("Where it is sent"),
      Options.withDefault("whatsapp" as const)
    ),
    language: Options.text("language").pipe(Options.withDescription("Its language"), Options.withDefault("en")),
    category: option("category", "marketing is not sent to those who opted out of it"),
    status: Options.choice("status", ["draft", "pending", "approved", "rejected", "paused"]).pipe(
      Options.withDescription("Only approved ones can be sent"),
      Options.withDefault("draft" as const)
    ),
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
  "List templates, newest first",
  { limit: limitOption, workspace: option("workspace", "Only this workspace's") },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/templates", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "channel", "language", "status", "body"])
    )
)

export const template = Command.make("template").pipe(
  Command.withDescription("Message templates"),
  Command.withSubcommands([add, list])
)
