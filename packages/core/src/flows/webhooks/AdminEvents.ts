import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { readNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Event } from "../../model/Event.js"
import { type ReadError, Storage } from "../../ports/Storage.js"
import type { EventListQuery } from "./EventListQuery.js"

/** Without the vendor's JSON, which is large. */
const columns = [
  "id",
  "workspaceId",
  "applicationId",
  "connectionId",
  "subjectId",
  "type",
  "data",
  "createdAt"
] as const
export type ListedEvent = Pick<Event, (typeof columns)[number]>

/** Reads the events of all applications (docs/reference/administration.md#events). */
export interface AdminEvents {
  /** Newest first. */
  readonly list: (query: PartialDecode<EventListQuery>) => Effect.Effect<Listed<ListedEvent>, Refusal | ReadError>
  /** Fails with `not_found` if it is unknown, purged or erased. */
  readonly get: (id: string) => Effect.Effect<ListedEvent, Refusal | ReadError>
}
export const AdminEvents = Context.GenericTag<AdminEvents>("@parley/core/AdminEvents")

export const make = Effect.map(Storage, (storage) =>
  AdminEvents.of({
    list: (query) => {
      const { since = null, subjectId = null, workspaceId = null } = query.value
      const list = { from: "events" as const, by: { workspaceId, subjectId }, since }
      return readNewestFirst((page) => storage.listColumns(page, columns), list, query)
    },
    get: (id) =>
      Effect.flatMap(
        storage.listColumns({ from: "events", where: { id }, after: null, limit: 1 }, columns),
        ([event]) => orNotFound(event)
      )
  })
)
