import { Args, Command, Options } from "@effect/cli"
import { ConversationStatus } from "@parley/core"
import { Effect, Option } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import { apiCommand, itemsOf, limitOption, needed, option, optionalChoice } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { printList, printOne } from "./output.js"
import { act, given, idOf, pathTo, show } from "./resource.js"
import { sinceOption } from "./since.js"
import { uploadFile } from "./uploadFile.js"

const kind = { command: "conversation", noun: "conversation", path: "/conversations" }

const list = apiCommand(
  "list",
  "List conversations by last activity, newest first. Example: parley conversation list --status open --since 2d Example: parley conversation list --assigned-user <agent id>",
  {
    limit: limitOption,
    workspace: option(
      "workspace",
      "Only conversations of this workspace (default: the demo's, unless another filter is given)"
    ),
    connection: option("connection", "Only conversations on this connection"),
    contact: option("contact", "Only conversations with this contact"),
    user: option("assigned-user", "Only conversations assigned to this agent"),
    team: option("assigned-team", "Only conversations assigned to this team"),
    unassigned: Options.boolean("unassigned").pipe(Options.withDescription("Only conversations without an agent")),
    status: optionalChoice("status", ConversationStatus.literals, "Only conversations with this status"),
    since: sinceOption("conversations with activity")
  },
  ({ connection, contact, limit, since, status, team, unassigned, user, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const others = { connection_id: connection, contact_id: contact, assigned_user_id: user, assigned_team_id: team }
      const isNarrow = Object.values(others).some((filter) => filter !== null)
      const workspace_id = isNarrow ? workspace : yield* needed("workspace", workspace, target)
      const page = yield* client.list(kind.path, {
        ...{ limit, workspace_id, status, since, ...others },
        ...(unassigned ? { unassigned: "true" } : {})
      })
      yield* printList(json, page, [
        "id",
        "channel",
        "contact_name",
        "handle",
        "status",
        "assigned_user_id",
        "assigned_team_id",
        "last_activity_at"
      ])
    })
)

const assign = apiCommand(
  "assign",
  "Assign a conversation to an agent, a team or both, or unassign it. Example: parley conversation assign <id> --agent <agent id> Example: parley conversation assign <id> --unassign",
  {
    id: idOf(kind),
    user: option("agent", "The agent's id, from parley agent list"),
    team: option("team", "The team's id, from parley team list"),
    unassign: Options.boolean("unassign").pipe(
      Options.withAlias("nobody"),
      Options.withDescription("Unassign the agent and the team")
    )
  },
  ({ id, team, unassign, user }, { client, json }) => {
    const named = given({ assigned_user_id: user, assigned_team_id: team })
    if (unassign === Object.keys(named).length > 0) {
      return new CommandFailed({
        message: "Give the assignee: --agent, --team, or --unassign",
        code: exitCodes.misused
      })
    }
    const patch: Resource = unassign ? { assigned_user_id: null, assigned_team_id: null } : named
    return Effect.flatMap(client.call("PATCH", pathTo(kind, id), patch), (changed) => printOne(json, changed))
  }
)

const status = apiCommand(
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

const reply = apiCommand(
  "reply",
  'Write to the customer as an agent. Example: parley conversation reply <id> "It leaves today" --agent <agent id> Example: parley conversation reply <id> --template order_shipped --variables Ada,1042 Example: parley conversation reply <id> "Your invoice" --file invoice.pdf',
  {
    id: idOf(kind),
    text: Args.text({ name: "text" }).pipe(
      Args.withDescription("The text, or the caption of files, unless a template is sent"),
      Args.optional,
      Args.map(Option.getOrNull)
    ),
    subject: option("subject", "The subject of an email"),
    template: option("template", "The name of the template to send"),
    language: option("language", "The template's language"),
    variables: option("variables", "The template's variables in order, separated by commas"),
    files: Options.text("file").pipe(
      Options.withPseudoName("path"),
      Options.withDescription("A file to send; several: repeat the option"),
      Options.repeated
    ),
    attachments: Options.text("attachment").pipe(
      Options.withPseudoName("id"),
      Options.withDescription("The id of a file to send, from parley attachment upload; several: repeat the option"),
      Options.repeated
    ),
    agent: option("agent", "The id of the agent who sends the message")
  },
  ({ agent, attachments, files, id, language, subject, template, text, variables }, { client, json }) =>
    Effect.gen(function* () {
      const ids = [...attachments, ...(files.length === 0 ? [] : yield* uploaded(client, id, files))]
      const body = given({
        type: ids.length === 0 || template !== null ? null : "media",
        body: text,
        subject,
        template,
        language,
        variables: variables === null ? null : itemsOf(variables),
        attachments: ids.length === 0 ? null : ids.map((attachment_id) => ({ attachment_id })),
        agent_id: agent
      })
      yield* printOne(json, yield* client.call("POST", `${pathTo(kind, id)}/messages`, body))
    })
)

/** Uploads files for a conversation, and returns their ids. */
const uploaded = (client: AdminClient, id: string, files: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { workspace_id } = yield* client.call("GET", pathTo(kind, id))
    return yield* Effect.forEach(files, (path) =>
      Effect.map(uploadFile(client, String(workspace_id), path), ({ id }) => String(id))
    )
  })

const typing = act(
  kind,
  "typing",
  "Show the customer that the business types, where the channel can. Example: parley conversation typing <id>",
  { method: "POST", path: "/typing" }
)

const read = act(
  kind,
  "read",
  "Show the customer that the business has read the messages, where the channel can. Example: parley conversation read <id>",
  { method: "POST", path: "/read" }
)

export const conversation = Command.make("conversation").pipe(
  Command.withDescription("Conversations: assignment, status, and messages of agents"),
  Command.withSubcommands([list, show(kind), assign, status, reply, typing, read])
)
