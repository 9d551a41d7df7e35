import { notify } from "../../kernel/notify.js"
import type { Connection } from "../../model/Connection.js"
import type { ConnectionRefusal } from "../../model/InboundEvent.js"
import type { Instant } from "../../model/Instant.js"
import { expect, type Parts, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"

/**
 * Disconnects an active connection that its provider refused, and notifies the administrators once: a connection that
 * is not active is left unchanged. Messages to send on it wait.
 */
export const disconnect = (connection: Connection, refusal: ConnectionRefusal, now: Instant, ids: Ids): Parts => {
  const { id, status, version, workspaceId } = connection
  if (status !== "active") return {}
  const kind = "connection.disconnected"
  return {
    expects: [expect("connections", { id }, { version, status })],
    sets: [set("connections", { id }, { status: "disconnected" })],
    inserts: [
      ...notify(
        { workspaceId, applicationId: null, kind, subjectId: id, message: wordsOf(connection, refusal) },
        now,
        ids
      ),
      row("auditLog", {
        id: ids.next(now),
        workspaceId,
        applicationId: null,
        actor: "engine",
        action: kind,
        subjectId: id,
        createdAt: now
      })
    ]
  }
}

const wordsOf = ({ channel, id, name }: Connection, { providerCode, providerMessage }: ConnectionRefusal): string =>
  `The ${channel} connection ${name} is disconnected, because its provider refused it (${providerCode}: ${providerMessage}). ` +
  `Messages to send on it wait. Correct its settings, test them with \`parley connection check ${id}\`, and make it active again: \`parley connection update ${id} --status active\`.`
