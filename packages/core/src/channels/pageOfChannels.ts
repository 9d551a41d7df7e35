import type { Application } from "../access/Application.js"
import { defaultLimit } from "../input/ListQuery.js"
import { type Paged, placeOf } from "../input/PageQuery.js"
import type { ChannelListQuery } from "./ChannelListQuery.js"
import type { Connection } from "./Connection.js"

/**
 * A page of `GET /channels`: exactly the connections on the application's allow-list, whatever their status, by name and
 * then id. `connections` are all those of the workspace.
 */
export const pageOfChannels = (
  { connectionIds }: Application,
  connections: ReadonlyArray<Connection>,
  query: ChannelListQuery
): Paged<Connection> => {
  const all = connections
    .filter(({ id }) => connectionIds.includes(id))
    .sort((one, other) => compare(one.name, other.name) || compare(one.id, other.id))
  const total = all.length
  const page = { page: query.page, perPage: query.perPage ?? Math.max(defaultLimit, total) }
  const { offset, limit } = placeOf(page)
  return { rows: all.slice(offset, offset + limit), total, ...page }
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
