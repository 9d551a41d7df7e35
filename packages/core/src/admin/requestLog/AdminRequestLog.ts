import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { LoggedRequest } from "../../requests/LoggedRequest.js"
import { chosen } from "../chosen.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import type { RequestLogQuery } from "./RequestLogQuery.js"
import { statusesOf } from "./statusFilter.js"

/** Reads the request log (decisions.md §14). */
export interface AdminRequestLog {
  /** By the time at which the requests came, newest first. A line is there about a second after its answer. */
  readonly list: (query: Draft<RequestLogQuery>) => Effect.Effect<Listed<LoggedRequest>, Refusal | ReadError>
  /** The one whose answer had this `X-Request-ID`; `not_found` where there is none, or not yet, or not any more. */
  readonly get: (id: string) => Effect.Effect<LoggedRequest, Refusal | ReadError>
}
export const AdminRequestLog = Context.GenericTag<AdminRequestLog>("@parley/core/AdminRequestLog")

const make = Effect.map(Storage, (storage) =>
  AdminRequestLog.of({
    list: (query) => {
      const { applicationId = null, method = null, since = null, status = null, workspaceId = null } = query.value
      const list = {
        from: "requestLog" as const,
        by: { workspaceId, applicationId, method },
        filters: { status, since },
        where: chosen({ status: status === null ? null : statusesOf(status) }),
        ...chosen({ since })
      }
      return listNewestFirst(storage, list, query)
    },
    get: (id) => Effect.flatMap(readById(storage, "requestLog", id), found)
  })
)

export const layer: Layer.Layer<AdminRequestLog, never, Storage> = Layer.effect(AdminRequestLog, make)
