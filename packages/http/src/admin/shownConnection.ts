import {
  AdminProviders,
  type Connection,
  type ConnectionResource,
  connectionResource,
  takesWebhooks
} from "@parley/core"
import { Effect } from "effect"

/** A connection as the answer to a request at a URL shows it: with where its vendor calls us. */
export type ShownConnection = (url: string) => (connection: Connection) => typeof ConnectionResource.Type

export const shownConnection: Effect.Effect<ShownConnection, never, AdminProviders> = Effect.map(
  AdminProviders,
  ({ list }) => {
    const called = new Set(list.filter(takesWebhooks).map(({ kind }) => kind))
    return (url) => (connection) =>
      connectionResource(connection, called.has(connection.provider) ? webhookUrl(url, connection.id) : null)
  }
)

/** Where the vendor of a connection calls us, beside the admin API that was asked. */
export const webhookUrl = (url: string, id: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.slice(0, pathname.indexOf("/admin/v1"))}/inbound/${id}`
}
