import {
  AdminProviders,
  type Connection,
  type ConnectionResource,
  connectionResource,
  takesWebhooks,
  webhookUrl
} from "@parley/core"
import { Effect } from "effect"

/** Renders a connection with its webhook URL below the base URL `base`. */
export type ShownConnection = (base: string) => (connection: Connection) => typeof ConnectionResource.Type

export const shownConnection: Effect.Effect<ShownConnection, never, AdminProviders> = Effect.map(
  AdminProviders,
  ({ capabilities, list }) => {
    const called = new Set(list.filter(takesWebhooks).map(({ kind }) => kind))
    return (base) => (connection) =>
      connectionResource(
        connection,
        called.has(connection.provider) ? webhookUrl(base, connection.id) : null,
        capabilities(connection)
      )
  }
)
