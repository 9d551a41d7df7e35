import { Command } from "@effect/cli"
import { applicationCredential } from "./applicationCredential.js"

export const key = Command.make("key").pipe(
  Command.withDescription("API keys, with which applications authenticate"),
  Command.withSubcommands(
    applicationCredential(
      { command: "key", noun: "key", path: "/api-keys" },
      ["id", "last_four", "created_at", "revoked_at"],
      {
        issue: "Issue an API key; it is shown only once. Example: parley key issue --app <id>",
        list: "List an application's API keys, newest first. Example: parley key list --app <id>",
        revoke: "Revoke an API key: it stops working at once. Example: parley key revoke <id> --app <id>",
        rotate: "Replace an API key: the old one stops working at once. Example: parley key rotate <id> --app <id>"
      }
    )
  )
)
