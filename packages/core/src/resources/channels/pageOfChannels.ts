import { defaultLimit } from "../../kernel/input/ListQuery.js"
import { type Paged, pageBounds } from "../../kernel/input/PageQuery.js"
import { type Application, isAllowListed } from "../../model/Application.js"
import type { Connection } from "../../model/Connection.js"
import type { ChannelListQuery } from "./ChannelListQuery.js"

/**
 * A page of `GET /channels`: the connections on the application's allow-list in any status, ordered by name, then id.
 * `connections` are all connections of the workspace.
 */
export const pageOfChannels = (
  application: Application,
  connections: ReadonlyArray<Connection>,
  query: ChannelListQuery
): Paged<Connection> => {
  const all = connections
    .filter(({ id }) => isAllowListed(application, id))
    .sort((one, other) => compare(one.name, other.name) || compare(one.id, other.id))
  const total = all.length
  const page = { page: query.page, perPage: query.perPage ?? Math.max(defaultLimit, total) }
  const { offset, limit } = pageBounds(page)
  return { rows: all.slice(offset, offset + limit), total, ...page }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
