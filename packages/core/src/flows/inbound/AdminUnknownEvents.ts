import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { UnknownEvent } from "../../model/UnknownEvent.js"
import { type ReadError, readById, Storage } from "../../ports/Storage.js"

/** Lists the unknown events of a connection. */
export interface AdminUnknownEvents {
  /** Unknown events of one connection, newest first. Fails with `not_found`. */
  readonly list: (
    connectionId: string,
    query: PartialDecode<ListQuery>
  ) => Effect.Effect<Listed<UnknownEvent>, Refusal | ReadError>
}
export const AdminUnknownEvents = Context.GenericTag<AdminUnknownEvents>("@parley/core/AdminUnknownEvents")

export const make = Effect.map(Storage, (storage) =>
  AdminUnknownEvents.of({
    list: (connectionId, query) =>
      Effect.gen(function* () {
        yield* orNotFound(yield* readById(storage, "connections", connectionId))
        return yield* listNewestFirst(storage, { from: "unknownEvents", by: { connectionId } }, query)
      })
  })
)
