import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { definedFilters } from "../../kernel/input/definedFilters.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { LoggedRequest } from "../../model/LoggedRequest.js"
import { type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { RequestLogQuery } from "./RequestLogQuery.js"
import { statusesOf } from "./statusFilter.js"

/** Reads the request log (docs/reference/administration.md#request-log). */
export interface AdminRequestLog {
  /** By time of the request, newest first. A request is listed about one second after its response. */
  readonly list: (query: PartialDecode<RequestLogQuery>) => Effect.Effect<Listed<LoggedRequest>, Refusal | ReadError>
  /**
   * The request whose response had this `X-Request-ID`. Fails with `not_found` if it is unknown, not written yet, or
   * purged.
   */
  readonly get: (id: string) => Effect.Effect<LoggedRequest, Refusal | ReadError>
}
export const AdminRequestLog = Context.GenericTag<AdminRequestLog>("@parley/core/AdminRequestLog")

export const make = Effect.map(Storage, (storage) =>
  AdminRequestLog.of({
    list: (query) => {
      const { applicationId = null, method = null, since = null, status = null, workspaceId = null } = query.value
      const list = {
        from: "requestLog" as const,
        by: { workspaceId, applicationId, method },
        filters: { status },
        where: definedFilters({ status: status === null ? null : statusesOf(status) }),
        since
      }
      return listNewestFirst(storage, list, query)
    },
    get: (id) => Effect.flatMap(readById(storage, "requestLog", id), orNotFound)
  })
)
