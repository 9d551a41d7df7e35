import { Command } from "@effect/cli"
import { Effect } from "effect"
import { leaf, limitOption, option, workspaceFilter } from "./leaf.js"
import { printList } from "./output.js"

const list = leaf(
  "list",
  "List who changed credentials and status, newest first. Example: parley audit list --action api_key.issued",
  {
    app: option("app", "Only what concerns this application"),
    workspace: workspaceFilter,
    action: option("action", "Only this, such as api_key.revoked or application.suspended"),
    limit: limitOption
  },
  ({ action, app, limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/audit-log", { application_id: app, workspace_id: workspace, action, limit }), (page) =>
      printList(json, page, ["created_at", "actor", "action", "subject_id", "application_id", "workspace_id"])
    )
)

export const audit = Command.make("audit").pipe(
  Command.withDescription("The audit log: who changed credentials and status, and when"),
  Command.withSubcommands([list])
)
