import { Command } from "@effect/cli"
import { Effect } from "effect"
import { leaf, limitOption, option, workspaceFilter } from "./leaf.js"
import { printList } from "./output.js"

const list = leaf(
  "list",
  "List what administrators were told, newest first. Example: parley notification list --kind webhook_endpoint.disabled",
  {
    app: option("app", "Only what concerns this application"),
    workspace: workspaceFilter,
    kind: option("kind", "Only this, such as webhook_endpoint.disabled"),
    limit: limitOption
  },
  ({ app, kind, limit, workspace }, { client, json }) =>
    Effect.flatMap(
      client.list("/notifications", { application_id: app, workspace_id: workspace, kind, limit }),
      (page) => printList(json, page, ["created_at", "kind", "subject_id", "message", "application_id", "workspace_id"])
    )
)

export const notification = Command.make("notification").pipe(
  Command.withDescription("What administrators were told, such as of webhook endpoints that were disabled"),
  Command.withSubcommands([list])
)
