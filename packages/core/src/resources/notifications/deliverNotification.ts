import { Effect } from "effect"
import { notificationsSent } from "../../kernel/metrics/engineMetrics.js"
import type { Notifier } from "../../ports/Notifier.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"

/** Job of `notify.ts`: passes the notification to the notifier. Does nothing if the notification was purged. */
export const deliverNotification = (storage: Storage, notifier: Notifier, id: string): Effect.Effect<void, ReadError> =>
  Effect.flatMap(readById(storage, "notifications", id), (notification) =>
    notification === undefined
      ? Effect.void
      : Effect.map(notifier.notify(notification), () => notificationsSent(1, notification.kind))
  )
