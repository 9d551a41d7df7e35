import { Args, Command, Options } from "@effect/cli"
import { ConversationStatus } from "@parley/core"
import { Effect, Option } from "effect"
import type { Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { itemsOf, leaf, limitOption, needed, option, optionalChoice } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { given, idOf, pathTo, show } from "./resource.js"

const kind = { command: "conversation", noun: "conversation", path: "/conversations" }

const list = leaf(
  "list",
  "List conversations by last activity, newest first. Example: parley conversation list --status open Example: parley conversation list --assigned-user <agent id>",
  {
    limit: limitOption,
    workspace: option("workspace", "Only this workspace's; the demo's where nothing else narrows the list"),
    connection: option("connection", "Only those on this connection"),
    contact: option("contact", "Only this contact's"),
    user: option("assigned-user", "Only those that this agent has"),
    team: option("assigned-team", "Only those that this team has"),
    status: optionalChoice("status", ConversationStatus.literals, "Only those with this status")
  },
  ({ connection, contact, limit, status, team, user, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const others = { connection_id: connection, contact_id: contact, assigned_user_id: user, assigned_team_id: team }
      const isNarrow = Object.values(others).some((filter) => filter !== null)
      const workspace_id = isNarrow ? workspace : yield* needed("workspace", workspace, target)
      const page = yield* client.list(kind.path, { limit, workspace_id, status, ...others })
      yield* printList(json, page, [
        "id",
        "channel",
        "handle",
        "status",
        "assigned_user_id",
        "assigned_team_id",
        "last_activity_at"
      ])
    })
)

const assign = leaf(
  "assign",
  "Give a conversation to an agent, a team or both, or take it away from all. Example: parley conversation assign <id> --agent <agent id> Example: parley conversation assign <id> --nobody",
  {
    id: idOf(kind),
    user: option("agent", "The agent's id, as parley agent list shows it"),
    team: option("team", "The team's id, as parley team list shows it"),
    nobody: Options.boolean("nobody").pipe(Options.withDescription("Take it away from agent and team"))
  },
  ({ id, nobody, team, user }, { client, json }) => {
    const named = given({ assigned_user_id: user, assigned_team_id: team })
    if (nobody === Object.keys(named).length > 0) {
      return new CommandFailed({
        message: "Say who is to have it: --agent, --team, or --nobody",
        code: exitCodes.misused
      })
    }
    const patch: Resource = nobody ? { assigned_user_id: null, assigned_team_id: null } : named
    return Effect.flatMap(client.call("PATCH", pathTo(kind, id), patch), (changed) => printOne(json, changed))
  }
)

const status = leaf(
  "status",
  "Change a conversation's status. Example: parley conversation status <id> resolved",
  {
    id: idOf(kind),
    status: Args.choice(
      ConversationStatus.literals.map((word) => [word, word] as const),
      { name: "status" }
    ).pipe(Args.withDescription(`One of ${ConversationStatus.literals.join(", ")}`))
  },
  ({ id, status }, { client, json }) =>
    Effect.flatMap(client.call("PATCH", pathTo(kind, id), { status }), (changed) => printOne(json, changed))
)

const reply = leaf(
  "reply",
  'Write to the customer as an agent. Example: parley conversation reply <id> "It leaves today" --agent <agent id> Example: parley conversation reply <id> --template order_shipped --variables Ada,1042',
  {
    id: idOf(kind),
    text: Args.text({ name: "text" }).pipe(
      Args.withDescription("What to say, where it is no template"),
      Args.optional,
      Args.map(Option.getOrNull)
    ),
    subject: option("subject", "Of an email"),
    template: option("template", "The name of the template to send"),
    language: option("language", "The template's language"),
    variables: option("variables", "The template's variables in their order, separated by commas"),
    agent: option("agent", "Who says it: the agent's id")
  },
  ({ agent, id, language, subject, template, text, variables }, { client, json }) => {
    const body = given({
      body: text,
      subject,
      template,
      language,
      variables: variables === null ? null : itemsOf(variables),
      agent_id: agent
    })
    return Effect.flatMap(client.call("POST", `${pathTo(kind, id)}/messages`, body), (sent) => printOne(json, sent))
  }
)

export const conversation = Command.make("conversation").pipe(
  Command.withDescription("Conversations: who has them, how they are, and what agents say in them"),
  Command.withSubcommands([list, show(kind), assign, status, reply])
)
