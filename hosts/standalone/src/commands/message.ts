import { Command } from "@effect/cli"
import { Effect } from "effect"
import { leaf, limitOption, option, workspaceFilter } from "./leaf.js"
import { explain } from "./messageExplain.js"
import { printList } from "./output.js"
import { show } from "./resource.js"

const kind = { command: "message", noun: "message", path: "/messages" }

const list = leaf(
  "list",
  "List messages, newest first. Example: parley message list --conversation <id> Example: parley message list --contact <id> --all",
  {
    limit: limitOption,
    conversation: option("conversation", "Only this conversation's"),
    contact: option("contact", "Only this contact's"),
    workspace: workspaceFilter
  },
  ({ contact, conversation, limit, workspace }, { client, json }) =>
    Effect.flatMap(
      client.list(kind.path, {
        limit,
        conversation_id: conversation,
        contact_id: contact,
        workspace_id: workspace
      }),
      (page) => printList(json, page, ["id", "direction", "status", "created_at", "body"])
    )
)

export const message = Command.make("message").pipe(
  Command.withDescription("Messages in and out, and what became of them"),
  Command.withSubcommands([list, show(kind), explain])
)
