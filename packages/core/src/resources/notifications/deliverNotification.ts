import { Effect, Option } from "effect"
import { notificationsSent } from "../../kernel/metrics/engineMetrics.js"
import { second } from "../../model/Instant.js"
import type { Notification } from "../../model/Notification.js"
import type { Notifier } from "../../ports/Notifier.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"

/** Timeout of a notifier, in ms: one that hangs would take capacity of the lane `housekeeping` for good. */
const timeoutMs = 30 * second

/**
 * A housekeeping task: passes the notification to the notifier. Does nothing if the notification was purged. A notifier
 * that does not end in time is logged, like one that fails: the administrators read the notification in the admin API.
 */
export const deliverNotification = (storage: Storage, notifier: Notifier, id: string): Effect.Effect<void, ReadError> =>
  Effect.flatMap(readById(storage, "notifications", id), (notification) =>
    notification === undefined
      ? Effect.void
      : Effect.flatMap(
          Effect.timeoutOption(notifier.notify(notification), timeoutMs),
          Option.match({
            onNone: () => Effect.logError(tooSlow(notification)),
            onSome: () => Effect.sync(() => notificationsSent(1, notification.kind))
          })
        )
  )

const tooSlow = ({ id, kind }: Notification): string =>
  `The notifier did not end within ${timeoutMs / second} s: ${kind} (${id})`
