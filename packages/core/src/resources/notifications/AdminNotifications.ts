import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Notification } from "../../model/Notification.js"
import { type ReadError, Storage } from "../../ports/Storage.js"
import type { NotificationListQuery } from "./NotificationListQuery.js"

/** Reads the notifications of administrators (docs/reference/administration.md#notifications). */
export interface AdminNotifications {
  /** Newest first. */
  readonly list: (
    query: PartialDecode<NotificationListQuery>
  ) => Effect.Effect<Listed<Notification>, Refusal | ReadError>
}
export const AdminNotifications = Context.GenericTag<AdminNotifications>("@parley/core/AdminNotifications")

export const make = Effect.map(Storage, (storage) =>
  AdminNotifications.of({
    list: (query) => {
      const { applicationId = null, kind = null, since = null, workspaceId = null } = query.value
      return listNewestFirst(storage, { from: "notifications", by: { workspaceId, applicationId, kind }, since }, query)
    }
  })
)
