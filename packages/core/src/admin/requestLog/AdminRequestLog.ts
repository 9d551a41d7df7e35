import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type ReadError, Storage } from "../../ports/Storage.js"
import type { LoggedRequest } from "../../requests/LoggedRequest.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ownerFilter } from "../ownerFilter.js"
import type { RequestLogQuery } from "./RequestLogQuery.js"
import { statusesOf } from "./statusFilter.js"

/** Reads the request log (decisions.md §14). */
export interface AdminRequestLog {
  /** By the time at which the requests came, newest first. A line is there about a second after its answer. */
  readonly list: (query: Draft<RequestLogQuery>) => Effect.Effect<Listed<LoggedRequest>, Refusal | ReadError>
}
export const AdminRequestLog = Context.GenericTag<AdminRequestLog>("@parley/core/AdminRequestLog")

const make = Effect.map(Storage, (storage) =>
  AdminRequestLog.of({
    list: (query) => {
      const { method = null, since = null, status = null, ...owners } = query.value
      const { filters, where } = ownerFilter(owners)
      return listNewestFirst(
        storage,
        {
          from: "requestLog",
          filters: { ...filters, method, status, since },
          where: {
            ...where,
            ...(method === null ? {} : { method }),
            ...(status === null ? {} : { status: statusesOf(status) })
          },
          ...(since === null ? {} : { since })
        },
        query
      )
    }
  })
)

export const layer: Layer.Layer<AdminRequestLog, never, Storage> = Layer.effect(AdminRequestLog, make)
