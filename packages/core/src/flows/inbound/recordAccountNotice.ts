import type { Decision } from "../../kernel/Decider.js"
import { derivedIdAt } from "../../kernel/derivedId.js"
import { notifyOnce } from "../../kernel/notify.js"
import type { Connection } from "../../model/Connection.js"
import type { InboundEvent } from "../../model/InboundEvent.js"
import type { Instant } from "../../model/Instant.js"
import type { Notification } from "../../model/Notification.js"
import { changes, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { disconnect } from "../../resources/channels/disconnect.js"

type AccountNotice = Omit<InboundEvent & { readonly _tag: "AccountNotice" }, "_tag">

/** What the rules of a vendor's news read. */
export interface AccountNoticeWorld {
  /** The connections of the workspace with the same provider. */
  readonly connections: ReadonlyArray<Connection>
  /** The notification {@link accountNoticeId}. */
  readonly known: Notification | undefined
}

const kind = "connection.news"

/** The id of the notification: the same for a redelivered event. */
export const accountNoticeId = ({ id }: Pick<Connection, "id">, { at, message }: AccountNotice): string =>
  derivedIdAt(at, `${kind} ${id} ${message}`)

/**
 * Passes a vendor's news to the administrators: a notification and an audit entry, once. If the vendor takes no more
 * messages of the account, its active connections are disconnected (docs/reference/channels.md#news-of-vendors).
 */
export const recordAccountNotice = (
  { connections, known }: AccountNoticeWorld,
  { channel, id: subjectId, name, workspaceId }: Connection,
  event: AccountNotice,
  now: Instant,
  ids: Ids
): Decision<undefined> => {
  if (known !== undefined) return { changes: null, result: undefined }
  const { at, concerns = null, refusal = null } = event
  const message = `News of the ${channel} connection ${name}: ${event.message}`
  const id = accountNoticeId({ id: subjectId }, event)
  const notice = { workspaceId, applicationId: null, kind, subjectId, message }
  const audited = { workspaceId, applicationId: null, actor: "engine", action: kind, subjectId, createdAt: at }
  const isConcerned = (connection: Connection): boolean =>
    connection.id === subjectId || (concerns !== null && hasSettings(connection, concerns))
  const refused = refusal === null ? [] : connections.filter(isConcerned)
  return {
    changes: changes(
      workspaceId,
      { ensures: [...notifyOnce(notice, at, id), row("auditLog", { ...audited, id: derivedIdAt(at, `audit ${id}`) })] },
      ...refused.map((connection) => (refusal === null ? {} : disconnect(connection, refusal, now, ids)))
    ),
    result: undefined
  }
}

const hasSettings = ({ config }: Connection, settings: { readonly [setting: string]: string }): boolean =>
  Object.entries(settings).every(([setting, value]) => config[setting] === value)
