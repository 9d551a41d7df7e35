import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { UnknownEvent } from "../../inbound/UnknownEvent.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { ListQuery } from "../../input/ListQuery.js"
import { type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"

/** Shows what vendors sent and nobody understood. */
export interface AdminUnknownEvents {
  /** Those of one connection, newest first; `not_found` where it does not exist. */
  readonly list: (
    connectionId: string,
    query: Draft<ListQuery>
  ) => Effect.Effect<Listed<UnknownEvent>, Refusal | ReadError>
}
export const AdminUnknownEvents = Context.GenericTag<AdminUnknownEvents>("@parley/core/AdminUnknownEvents")

const make = Effect.map(Storage, (storage) =>
  AdminUnknownEvents.of({
    list: (connectionId, query) =>
      Effect.gen(function* () {
        yield* found(yield* readById(storage, "connections", connectionId))
        return yield* listNewestFirst(storage, { from: "unknownEvents", by: { connectionId } }, query)
      })
  })
)

export const layer: Layer.Layer<AdminUnknownEvents, never, Storage> = Layer.effect(AdminUnknownEvents, make)
