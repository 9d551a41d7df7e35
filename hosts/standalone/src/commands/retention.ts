import { Effect } from "effect"
import { leaf } from "./leaf.js"
import { printOne } from "./output.js"

export const retention = leaf(
  "retention",
  "Show how long history is kept, in days; PARLEY_RETENTION_… of the hosts decide it. Example: parley retention",
  {},
  (_, { client, json }) => Effect.flatMap(client.call("GET", "/retention"), (kept) => printOne(json, kept))
)
