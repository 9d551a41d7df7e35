import { Command } from "@effect/cli"
import { option, workspaceFilter } from "./apiCommand.js"
import { list } from "./resource.js"
import { sinceOption } from "./since.js"

export const audit = Command.make("audit").pipe(
  Command.withDescription("The audit log: who changed credentials and status, and when"),
  Command.withSubcommands([
    list(
      "/audit-log",
      "List who changed credentials and status, newest first. Example: parley audit list --action api_key.issued",
      {
        application_id: option("app", "Only entries about this application"),
        workspace_id: workspaceFilter,
        action: option("action", "Only entries with this action, such as api_key.revoked or application.suspended"),
        since: sinceOption("entries")
      },
      ["created_at", "actor", "action", "subject_id", "application_id", "workspace_id"]
    )
  ])
)
