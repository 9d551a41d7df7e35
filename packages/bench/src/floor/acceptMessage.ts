import { hashOf, type Ids } from "@parley/core"
import type { bodyOf } from "../world/traffic.js"
import { messageRows } from "./messageRows.js"
import type { Query, Statements } from "./Query.js"
import { writeMessage } from "./writeMessage.js"

/** A `POST /messages`. */
export interface Post {
  readonly token: string
  readonly key: string
  readonly requestId: string
  readonly body: ReturnType<typeof bodyOf>
}

/** The response. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** Reads, decides and writes in one transaction. */
export function* acceptMessage({ body, key, requestId, token }: Post, ids: Ids): Statements<Answer> {
  const [application] = yield applicationBy(hashOf(token))
  if (application === undefined || application.status !== "active" || application.workspace_status !== "active") {
    return { status: 401, body: "{}" }
  }
  const { workspace_id } = application
  const connections = yield read("connections", "workspace_id = ?", [workspace_id])
  const allowed = listOf(application.connection_ids)
  const connection = connections.find(({ channel, id }) => channel === body.channel && allowed.includes(id))
  if (connection === undefined) return { status: 403, body: "{}" }
  const [template] = yield read("templates", "workspace_id = ? AND channel = ? AND name = ? AND language = ?", [
    workspace_id,
    body.channel,
    body.message.template,
    body.message.language
  ])
  if (template === undefined || template.status !== "approved") return { status: 422, body: "{}" }
  const [contact] = yield contactBy(workspace_id, body.to)
  const [conversation] = yield read("conversations", "connection_id = ? AND handle = ?", [connection.id, body.to])
  const isNew = contact === undefined || conversation === undefined
  const recipient = isNew ? null : { contactId: contact.id, conversationId: conversation.id }
  yield read("endpoints", "workspace_id = ?", [workspace_id])
  const accepted = messageRows(body, key, recipient, ids, requestId)
  yield* writeMessage(accepted)
  return { status: 202, body: accepted.answer }
}

/** SQLite returns JSON as text. */
const listOf = (value: ReadonlyArray<string> | string): ReadonlyArray<string> =>
  typeof value === "string" ? JSON.parse(value) : value

const read = (table: string, where: string, values: ReadonlyArray<unknown>): Query => ({
  name: `read ${table}`,
  text: `SELECT * FROM ${table} WHERE ${where}`,
  values
})

const applicationBy = (hash: string): Query => ({
  name: "application",
  text: `SELECT a.*, w.status AS workspace_status FROM api_keys AS k
    JOIN applications AS a ON a.id = k.application_id JOIN workspaces AS w ON w.id = k.workspace_id
    WHERE k.hash = ? AND k.revoked_at IS NULL`,
  values: [hash]
})

const contactBy = (workspaceId: string, handle: string): Query => ({
  name: "contact",
  text: `SELECT c.* FROM addresses AS a JOIN contacts AS c ON c.id = a.contact_id
    WHERE a.workspace_id = ? AND a.space = 'phone' AND a.handle = ?`,
  values: [workspaceId, handle]
})
