import { Command } from "@effect/cli"
import { Effect } from "effect"
import {
  argument,
  leaf,
  limitOption,
  needed,
  option,
  optionalChoice,
  workspaceFilter,
  workspaceOption
} from "./leaf.js"
import { printList, printOne } from "./output.js"
import { given, idOf, pathTo, show, update } from "./resource.js"

const kind = { command: "task", noun: "task", path: "/tasks" }

const statuses = ["open", "done"] as const

/** What a task is about, who has it and when it is due. */
const details = {
  contact: option("contact", "Whom it is about"),
  conversation: option("conversation", "The conversation that it is about"),
  user: option("agent", "The id of the agent who has it"),
  team: option("team", "The id of the team that has it"),
  due: option("due", "When it is due: a date or a time, such as 2026-05-04T08:30:00Z")
}

const detailsOf = ({
  contact,
  conversation,
  due,
  team,
  user
}: { readonly [name in keyof typeof details]: string | null }) => ({
  contact_id: contact,
  conversation_id: conversation,
  assigned_user_id: user,
  assigned_team_id: team,
  due_at: due
})

const create = leaf(
  "create",
  'Create a task. Example: parley task create "Call Ada back" --conversation <id> --agent <agent id> --due 2026-05-04',
  { title: argument("title", "What is to be done"), ...details, workspace: workspaceOption },
  ({ title, workspace, ...more }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const input = given({ workspace_id, title, ...detailsOf(more) })
      yield* printOne(json, yield* client.call("POST", kind.path, input))
    })
)

const list = leaf(
  "list",
  "List tasks, newest first. Example: parley task list --workspace <id> --status open --agent <agent id>",
  {
    limit: limitOption,
    contact: option("contact", "Only those about this contact"),
    user: option("agent", "Only those that this agent has"),
    team: option("team", "Only those that this team has"),
    status: optionalChoice("status", statuses, "Only those with this status"),
    workspace: workspaceFilter
  },
  ({ contact, limit, status, team, user, workspace }, { client, json }) =>
    Effect.flatMap(
      client.list(kind.path, {
        limit,
        contact_id: contact,
        assigned_user_id: user,
        assigned_team_id: team,
        status,
        workspace_id: workspace
      }),
      (page) => printList(json, page, ["id", "title", "status", "due_at", "assigned_user_id", "contact_id"])
    )
)

const change = update(
  kind,
  'Change a task; an empty value takes one away. Example: parley task update <id> --agent ""',
  { title: option("title", "What is to be done"), ...details, status: optionalChoice("status", statuses, "How it is") },
  ({ status, title, ...more }) => ({ title, status, ...detailsOf(more) })
)

const done = leaf(
  "done",
  "Finish a task. Example: parley task done <id>",
  { id: idOf(kind) },
  ({ id }, { client, json }) =>
    Effect.flatMap(client.call("PATCH", pathTo(kind, id), { status: "done" }), (task) => printOne(json, task))
)

export const task = Command.make("task").pipe(
  Command.withDescription("Tasks, what people of a workspace are to do"),
  Command.withSubcommands([create, list, show(kind), change, done])
)
