import { Command, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import { apiCommand, argument, itemsOption, optionalChoice, workspaceFilter } from "./apiCommand.js"
import { apply } from "./botApply.js"
import { botText } from "./botText.js"
import { printOne } from "./output.js"
import { create, idOf, list, listBelow, pathTo } from "./resource.js"

const kind = { command: "bot", noun: "bot", path: "/bots" }
const id = idOf(kind)

const show = apiCommand(
  "show",
  "Print a bot as a file for parley bot apply. Example: parley bot show <id> Example: parley bot show <id> --json",
  { id },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("GET", pathTo(kind, id)), (bot) =>
      json ? printOne(true, bot) : Console.log(botText(bot))
    )
)

/** A command that changes a bot's status. */
const move = (name: "activate" | "deactivate", status: "active" | "inactive", description: string) =>
  apiCommand(name, `${description}. Example: parley bot ${name} <id>`, { id }, ({ id }, { client, json }) =>
    Effect.flatMap(client.call("PATCH", pathTo(kind, id), { status }), (bot) =>
      printOne(json, json ? bot : { id: bot.id, name: bot.name, status: bot.status })
    )
  )

const session = apiCommand(
  "session",
  "Show one session of a bot with all its fields. Example: parley bot session <id>",
  { id: argument("id", "The session's id, from parley bot sessions") },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("GET", `/bot-sessions/${encodeURIComponent(id)}`), (shown) => printOne(json, shown))
)

/** The keywords and connections that start a bot. */
const start = Options.all({
  keywords: itemsOption("keywords", "Keywords that start the bot, separated by commas"),
  connections: itemsOption(
    "connections",
    "The ids of connections on which new conversations start the bot, separated by commas"
  )
}).pipe(
  Options.map(({ connections, keywords }) => ({ keywords: keywords ?? [], new_conversation_on: connections ?? [] }))
)

export const bot = Command.make("bot").pipe(
  Command.withDescription("Bots, which answer customers by a script"),
  Command.withSubcommands([
    apply(kind),
    create(
      kind,
      "create",
      "Create a bot without a script, answered by the host's responder; parley bot apply creates one with a script from a file. Example: parley bot create Assistant --keywords help,question",
      { name: argument("name", "The bot's name"), start }
    ),
    list(kind.path, "List bots, newest first. Example: parley bot list", { workspace_id: workspaceFilter }, [
      "id",
      "name",
      "status",
      "start",
      "created_at"
    ]),
    show,
    move("activate", "active", "Let the bot start in new conversations"),
    move("deactivate", "inactive", "Stop the bot from starting; running sessions continue"),
    listBelow(
      kind,
      ["sessions", "/sessions"],
      "List a bot's sessions with their answers, newest first. Example: parley bot sessions <id> --status active",
      { status: optionalChoice("status", ["active", "handed_off", "completed"], "Only sessions with this status") },
      ["id", "status", "outcome", "reason", "step", "answers", "conversation_id", "started_at", "ended_at"]
    ),
    session
  ])
)
