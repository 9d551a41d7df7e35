import { expect, it } from "@effect/vitest"
import { Effect, Fiber, Logger, TestClock } from "effect"
import type { Notification } from "../../../src/model/Notification.js"
import { deliverNotification } from "../../../src/resources/notifications/deliverNotification.js"
import { scriptedStorage } from "../../scriptedStorage.js"

const notification: Notification = {
  id: "n",
  workspaceId: "w",
  applicationId: null,
  kind: "webhook_endpoint.disabled",
  subjectId: "e",
  message: "An endpoint was disabled.",
  createdAt: 0
}

it.scoped("a notification is done after 30 s if its notifier hangs, and the log says so", () =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const { storage } = yield* scriptedStorage({ read: [Effect.succeed({ found: [notification] }) as never] })
    const job = yield* deliverNotification(storage, { notify: () => Effect.never }, "n").pipe(
      Effect.provide(
        Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => void lines.push(message))
        )
      ),
      Effect.fork
    )
    yield* TestClock.adjust("29 seconds")
    expect(job.unsafePoll()).toBeNull()
    yield* TestClock.adjust("1 seconds")
    yield* Fiber.join(job)
    expect(lines).toEqual([["The notifier did not end within 30 s: webhook_endpoint.disabled (n)"]])
  })
)
