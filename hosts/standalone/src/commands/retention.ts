import { Effect } from "effect"
import { apiCommand } from "./apiCommand.js"
import { printOne } from "./output.js"

export const retention = apiCommand(
  "retention",
  "Show the retention periods in days, which the hosts' PARLEY_RETENTION_… settings define. Example: parley retention",
  {},
  (_, { client, json }) => Effect.flatMap(client.call("GET", "/retention"), (kept) => printOne(json, kept))
)
