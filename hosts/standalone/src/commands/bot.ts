import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { apply } from "./botApply.js"
import { botText } from "./botText.js"
import {
  argument,
  itemsOf,
  leaf,
  limitOption,
  needed,
  option,
  optionalChoice,
  workspaceFilter,
  workspaceOption
} from "./leaf.js"
import { printList, printOne } from "./output.js"
import { idOf, pathTo } from "./resource.js"

const kind = { command: "bot", noun: "bot", path: "/bots" }
const id = idOf(kind)

const create = leaf(
  "create",
  "Create a bot without a script, for which the host's own responder answers; parley bot apply makes one with a script from a file. Example: parley bot create Assistant --keywords help,question",
  {
    name: argument("name", "What to call it"),
    keywords: option("keywords", "Words that start it, separated by commas"),
    connections: option(
      "connections",
      "The ids of connections on which new conversations start it, separated by commas"
    ),
    workspace: workspaceOption
  },
  ({ connections, keywords, name, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const start = { keywords: itemsOf(keywords ?? ""), new_conversation_on: itemsOf(connections ?? "") }
      yield* printOne(json, yield* client.call("POST", kind.path, { workspace_id, name, start }))
    })
)

const list = leaf(
  "list",
  "List bots, newest first. Example: parley bot list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list(kind.path, { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "status", "start", "created_at"])
    )
)

const show = leaf(
  "show",
  "Show a bot as a file that parley bot apply takes. Example: parley bot show <id> Example: parley bot show <id> --json",
  { id },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("GET", pathTo(kind, id)), (bot) =>
      json ? printOne(true, bot) : Console.log(botText(bot))
    )
)

/** A command that lets a bot start, or not. */
const move = (name: "activate" | "deactivate", status: "active" | "inactive", description: string) =>
  leaf(name, `${description}. Example: parley bot ${name} <id>`, { id }, ({ id }, { client, json }) =>
    Effect.flatMap(client.call("PATCH", pathTo(kind, id), { status }), (bot) =>
      printOne(json, json ? bot : { id: bot.id, name: bot.name, status: bot.status })
    )
  )

const sessions = leaf(
  "sessions",
  "List a bot's dialogues with what they learned, newest first. Example: parley bot sessions <id> --status active",
  {
    limit: limitOption,
    status: optionalChoice("status", ["active", "handed_off", "completed"], "Only those with this status"),
    id
  },
  ({ id, limit, status }, { client, json }) =>
    Effect.flatMap(client.list(`${pathTo(kind, id)}/sessions`, { limit, status }), (page) =>
      printList(json, page, ["id", "status", "outcome", "step", "answers", "conversation_id", "started_at", "ended_at"])
    )
)

const session = leaf(
  "session",
  "Show one dialogue of a bot with all its fields. Example: parley bot session <id>",
  { id: argument("id", "The dialogue's id, as parley bot sessions shows it") },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("GET", `/bot-sessions/${encodeURIComponent(id)}`), (shown) => printOne(json, shown))
)

export const bot = Command.make("bot").pipe(
  Command.withDescription("Bots, which talk with customers by a script"),
  Command.withSubcommands([
    apply(kind),
    create,
    list,
    show,
    move("activate", "active", "Let a bot start from now on"),
    move("deactivate", "inactive", "Let a bot start no more; dialogues that began go on"),
    sessions,
    session
  ])
)
