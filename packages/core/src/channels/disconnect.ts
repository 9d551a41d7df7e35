import type { Instant } from "../Instant.js"
import type { ConnectionRefusal } from "../inbound/InboundEvent.js"
import { notify } from "../notifications/notify.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Connection } from "./Connection.js"

/**
 * Disconnects a connection that its provider refused, and tells the administrators, once: nothing is left to do for one that
 * is not active any more. What is to be sent on it waits.
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
  `What is to be sent on it waits. Put its settings right, try them with \`parley connection check ${id}\`, and make it active again: \`parley connection update ${id} --status active\`.`
