import { Command } from "@effect/cli"
import { applicationCredential } from "./applicationCredential.js"

export const oauthClient = Command.make("oauth-client").pipe(
  Command.withDescription("OAuth clients, with which applications get access tokens"),
  Command.withSubcommands(
    applicationCredential(
      { command: "oauth-client", noun: "client", path: "/oauth-clients" },
      ["id", "client_id", "last_four", "created_at", "revoked_at"],
      {
        issue: "Issue an OAuth client; its secret is shown only once. Example: parley oauth-client create --app <id>",
        list: "List an application's OAuth clients, newest first. Example: parley oauth-client list --app <id>",
        revoke:
          "Revoke an OAuth client: it and its tokens stop working at once. Example: parley oauth-client revoke <id> --app <id>",
        rotate:
          "Replace an OAuth client's secret: the old one and its tokens stop working at once. Example: parley oauth-client rotate <id> --app <id>"
      },
      "create"
    )
  )
)
