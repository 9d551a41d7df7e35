import { type Application, mayUseConnection } from "../../model/Application.js"
import type { Channel } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Conversation } from "../../model/Conversation.js"

/** What the choice of the connection of a send reads. */
export interface ConnectionChoice {
  readonly application: Application
  /** All connections of the workspace. */
  readonly connections: ReadonlyArray<Connection>
  /** The conversation whose id is `to`. Default: none. */
  readonly addressed?: Conversation | undefined
  /** The conversations with the handle on any connection. */
  readonly conversations: ReadonlyArray<Conversation>
}

/**
 * The requested connection, else that of the conversation in `to`, if the application may use it. Without both: active
 * connections first, then the one with the newest conversation with the handle, then the oldest
 * (docs/reference/messages.md#choice-of-the-connection).
 */
export const chooseConnection = (
  { addressed, application, connections, conversations }: ConnectionChoice,
  {
    channel,
    connectionId
  }: { readonly channel?: Channel | undefined; readonly connectionId?: string | null | undefined }
): Connection | undefined => {
  const id = connectionId ?? addressed?.connectionId ?? null
  const usable = connections.filter((connection) => mayUseConnection(application, connection))
  if (id !== null) return usable.find((connection) => connection.id === id)
  const lastActivityOn = (connection: Connection) =>
    conversations.find(({ connectionId }) => connectionId === connection.id)?.lastActivityAt ?? 0
  return usable
    .filter((connection) => connection.channel === channel)
    .sort(
      (one, other) =>
        Number(other.status === "active") - Number(one.status === "active") ||
        lastActivityOn(other) - lastActivityOn(one) ||
        one.createdAt - other.createdAt ||
        (one.id < other.id ? -1 : 1)
    )[0]
}
