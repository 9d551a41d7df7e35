import type { Problems } from "../../errors/Refusal.js"
import { isOfMode, type Mode } from "../../model/Application.js"
import type { Connection } from "../../model/Connection.js"

/**
 * Validates an allow-list: each connection must belong to the workspace and have the application's mode
 * (docs/reference/authentication.md#allow-list). `connections` are all connections of the workspace.
 */
export const allowListProblems = (
  ids: ReadonlyArray<string>,
  mode: Mode | undefined,
  connections: ReadonlyArray<Connection>
): Problems => {
  const listed = ids.map((id) => connections.find((connection) => connection.id === id))
  const message: Array<string> = []
  if (listed.includes(undefined)) message.push("must be connections of the application's workspace")
  if (mode !== undefined && listed.some((connection) => connection && !isOfMode(mode, connection))) {
    message.push(
      mode === "test" ? "must be connections marked as test" : "must be connections that are not marked as test"
    )
  }
  return message.length === 0 ? {} : { connection_ids: message }
}
