import { Command } from "@effect/cli"
import { option, workspaceFilter } from "./apiCommand.js"
import { list, show } from "./resource.js"
import { sinceOption } from "./since.js"

const kind = { command: "event", noun: "event", path: "/events" }

export const event = Command.make("event").pipe(
  Command.withDescription(
    "Events: changes of messages, conversations, contacts, leads and bots, as webhooks report them"
  ),
  Command.withSubcommands([
    list(
      kind.path,
      "List events, newest first. Example: parley event list --since 1h",
      {
        workspace_id: workspaceFilter,
        subject_id: option(
          "subject",
          "Only events about the message, conversation, contact, lead, enqueued request or endpoint with this id"
        ),
        since: sinceOption("events")
      },
      ["created_at", "type", "subject_id", "application_id", "id"]
    ),
    show(kind)
  ])
)
