import { Effect } from "effect"
import { argument, leaf, limitOption } from "./leaf.js"
import { printList } from "./output.js"

/** What the vendor of a connection sent and nobody understood. */
export const unknownEvents = leaf(
  "unknown-events",
  "List what a connection's vendor sent and nobody understood, newest first. Example: parley connection unknown-events <id>",
  { id: argument("id", "The connection's id"), limit: limitOption },
  ({ id, limit }, { client, json }) =>
    Effect.flatMap(client.list(`/connections/${encodeURIComponent(id)}/unknown-events`, { limit }), (page) =>
      printList(json, page, ["created_at", "kind", "raw", "id"])
    )
)
