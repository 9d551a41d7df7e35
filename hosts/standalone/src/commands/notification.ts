import { Command } from "@effect/cli"
import { option, workspaceFilter } from "./apiCommand.js"
import { list } from "./resource.js"
import { sinceOption } from "./since.js"

export const notification = Command.make("notification").pipe(
  Command.withDescription("Notifications of administrators, such as of disabled webhook endpoints"),
  Command.withSubcommands([
    list(
      "/notifications",
      "List notifications, newest first. Example: parley notification list --kind webhook_endpoint.disabled",
      {
        application_id: option("app", "Only notifications about this application"),
        workspace_id: workspaceFilter,
        kind: option("kind", "Only notifications of this kind, such as webhook_endpoint.disabled"),
        since: sinceOption("notifications")
      },
      ["created_at", "kind", "subject_id", "message", "application_id", "workspace_id"]
    )
  ])
)
