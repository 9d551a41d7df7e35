import { Command, Options } from "@effect/cli"
import type { MessageError } from "@parley/core"
import { option, workspaceFilter } from "./apiCommand.js"
import { explain } from "./messageExplain.js"
import { act, list, show } from "./resource.js"
import { sinceOption } from "./since.js"

const kind = { command: "message", noun: "message", path: "/messages" }

export const message = Command.make("message").pipe(
  Command.withDescription("Inbound and outbound messages and their status"),
  Command.withSubcommands([
    list(
      kind.path,
      "List messages, newest first. Example: parley message list --conversation <id> Example: parley message list --contact <id> --since 2d --all Example: parley message list --failed --since 6h",
      {
        conversation_id: option("conversation", "Only messages of this conversation"),
        contact_id: option("contact", "Only messages of this contact"),
        workspace_id: workspaceFilter,
        failed: Options.boolean("failed").pipe(
          Options.withDescription("Only failed messages"),
          Options.map((failed) => (failed ? "true" : null))
        ),
        since: sinceOption("messages")
      },
      [
        "id",
        ["AUTHOR", ({ origin }) => origin],
        ["STATUS", ({ error, status }) => (error === null ? status : `${status}: ${(error as MessageError).code}`)],
        "created_at",
        "body"
      ]
    ),
    show(kind),
    act(kind, "raw", "Show the vendor's JSON of a message. Example: parley message raw <id>", {
      method: "GET",
      path: "/raw"
    }),
    explain
  ])
)
