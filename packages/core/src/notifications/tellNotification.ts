import { Effect } from "effect"
import { notificationsTold } from "../metrics/engineMetrics.js"
import type { Notifier } from "../ports/Notifier.js"
import { type ReadError, readById, type Storage } from "../ports/Storage.js"

/** The work of the job that {@link notify} makes: tells the administrators, unless what was to be told is purged by now. */
export const tellNotification = (storage: Storage, notifier: Notifier, id: string): Effect.Effect<void, ReadError> =>
  Effect.flatMap(readById(storage, "notifications", id), (notification) =>
    notification === undefined
      ? Effect.void
      : Effect.map(notifier.tell(notification), () => notificationsTold(1, notification.kind))
  )
