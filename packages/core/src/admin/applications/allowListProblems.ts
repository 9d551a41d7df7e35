import type { Mode } from "../../access/Application.js"
import type { Connection } from "../../channels/Connection.js"
import type { Problems } from "../../errors/Refusal.js"

/**
 * What is wrong with an allow-list: a connection that is not of the workspace, or of the other mode (decisions.md §7).
 * `connections` are all those of the workspace.
 */
export const allowListProblems = (
  ids: ReadonlyArray<string>,
  mode: Mode | undefined,
  connections: ReadonlyArray<Connection>
): Problems => {
  const listed = ids.map((id) => connections.find((connection) => connection.id === id))
  const words: Array<string> = []
  if (listed.includes(undefined)) words.push("must be connections of the application's workspace")
  if (mode !== undefined && listed.some((connection) => connection && connection.isTest !== (mode === "test"))) {
    words.push(
      mode === "test" ? "must be connections marked as test" : "must be connections that are not marked as test"
    )
  }
  return words.length === 0 ? {} : { connection_ids: words }
}
