import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { Notification } from "../../notifications/Notification.js"
import { type ReadError, Storage } from "../../ports/Storage.js"
import { listNewestFirst } from "../listNewestFirst.js"
import type { NotificationListQuery } from "./NotificationListQuery.js"

/** Reads what administrators were told (decisions.md §14). */
export interface AdminNotifications {
  /** Newest first. */
  readonly list: (query: Draft<NotificationListQuery>) => Effect.Effect<Listed<Notification>, Refusal | ReadError>
}
export const AdminNotifications = Context.GenericTag<AdminNotifications>("@parley/core/AdminNotifications")

const make = Effect.map(Storage, (storage) =>
  AdminNotifications.of({
    list: (query) => {
      const { applicationId = null, kind = null, workspaceId = null } = query.value
      return listNewestFirst(storage, { from: "notifications", by: { workspaceId, applicationId, kind } }, query)
    }
  })
)

export const layer: Layer.Layer<AdminNotifications, never, Storage> = Layer.effect(AdminNotifications, make)
