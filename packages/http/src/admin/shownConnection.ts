import {
  AdminProviders,
  type Connection,
  type ConnectionResource,
  connectionResource,
  takesWebhooks
} from "@parley/core"
import { Effect } from "effect"

/** A connection as it is shown to whoever reaches us at `base`: with where its vendor calls us. */
export type ShownConnection = (base: string) => (connection: Connection) => typeof ConnectionResource.Type

export const shownConnection: Effect.Effect<ShownConnection, never, AdminProviders> = Effect.map(
  AdminProviders,
  ({ list }) => {
    const called = new Set(list.filter(takesWebhooks).map(({ kind }) => kind))
    return (base) => (connection) =>
      connectionResource(connection, called.has(connection.provider) ? webhookUrl(base, connection.id) : null)
  }
)

/** Where the vendor of a connection calls us. */
export const webhookUrl = (base: string, id: string): string => `${base}/inbound/${id}`
