import { Command } from "@effect/cli"
import { argument, option, optionalChoice, workspaceFilter } from "./apiCommand.js"
import { act, create, list, show, update } from "./resource.js"

const kind = { command: "task", noun: "task", path: "/tasks" }

const statuses = ["open", "done"] as const

/** The subject, assignee and due date of a task. */
const details = {
  contact_id: option("contact", "The contact of the task"),
  conversation_id: option("conversation", "The conversation of the task"),
  assigned_user_id: option("agent", "The id of the assigned agent"),
  assigned_team_id: option("team", "The id of the assigned team"),
  due_at: option("due", "The due date or time, such as 2026-05-04T08:30:00Z")
}

export const task = Command.make("task").pipe(
  Command.withDescription("Tasks of a workspace's agents"),
  Command.withSubcommands([
    create(
      kind,
      "create",
      'Create a task. Example: parley task create "Call Ada back" --conversation <id> --agent <agent id> --due 2026-05-04',
      { title: argument("title", "The task's title"), ...details }
    ),
    list(
      kind.path,
      "List tasks, newest first. Example: parley task list --workspace <id> --status open --agent <agent id>",
      {
        contact_id: option("contact", "Only tasks of this contact"),
        assigned_user_id: option("agent", "Only tasks assigned to this agent"),
        assigned_team_id: option("team", "Only tasks assigned to this team"),
        status: optionalChoice("status", statuses, "Only tasks with this status"),
        workspace_id: workspaceFilter
      },
      ["id", "title", "status", "due_at", "assigned_user_id", "contact_id"]
    ),
    show(kind),
    update(kind, 'Change a task; an empty value takes one away. Example: parley task update <id> --agent ""', {
      title: option("title", "The task's title"),
      ...details,
      status: optionalChoice("status", statuses, "The task's status")
    }),
    act(kind, "done", "Finish a task. Example: parley task done <id>", { method: "PATCH", body: { status: "done" } })
  ])
)
