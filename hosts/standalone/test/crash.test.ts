import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { callAdmin, messageOf } from "./calls.js"
import { count } from "./count.js"
import { databases } from "./databases.js"
import { serveDemo, temporaryFolder } from "./processes.js"
import { receiver } from "./receiver.js"
import { sendUntilAccepted } from "./sendUntilAccepted.js"
import { until } from "./until.js"
import { isQueueEmpty } from "./untilAllDelivered.js"

const sends = 1_000
const clients = 20
/** How many sends are acknowledged when the host is killed. */
const kills = [200, 600]

/** A send, and what the sandbox makes of its number (docs/reference/sandbox.md#how-a-handle-selects-a-behaviour). */
interface Send {
  readonly key: string
  readonly to: string
  readonly end: "read" | "delivered" | "failed"
}
const allSends: ReadonlyArray<Send> = Array.from({ length: sends }, (_, n) => {
  const key = `send-${n}`
  const number = String(n).padStart(4, "0")
  if (n % 100 === 2) return { key, to: `+1555${number}0002`, end: "read" }
  if (n % 100 === 4) return { key, to: `+1555${number}0004`, end: "failed" }
  if (n % 100 === 5) return { key, to: `+1555${number}0005`, end: "delivered" }
  return { key, to: `+1555${number}1234`, end: "read" }
})
const storyOf = {
  read: ["message.queued", "message.sent", "message.delivered", "message.read"],
  delivered: ["message.queued", "message.sent", "message.delivered"],
  failed: ["message.queued", "message.sent", "message.failed"]
}

for (const [name, settingsOf] of databases) {
  describe.concurrent(`kill -9 in the middle of ${sends} sends on ${name}`, () => {
    it.scopedLive(
      "loses no accepted message, sends none twice, and delivers every event",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const settings = yield* settingsOf
          let host = yield* serveDemo(folder, settings)
          const where = { demo: host.demo }
          const { application_id } = host.demo
          yield* callAdmin(host.demo, "PATCH", `/applications/${application_id}`, {
            limits: { requests_per_minute: 1_000_000, sends_per_minute: 1_000_000 }
          })
          const { arrivals, url } = yield* receiver
          const events = [...new Set(Object.values(storyOf).flat())]
          yield* callAdmin(host.demo, "POST", `/applications/${application_id}/webhook-endpoints`, { url, events })

          const accepted = new Map<string, string>()
          const waiting = [...allSends]
          const client = async () => {
            for (let send = waiting.shift(); send !== undefined; send = waiting.shift()) {
              accepted.set(send.key, await sendUntilAccepted(where, send))
            }
          }
          const sending = yield* Effect.fork(Effect.promise(() => Promise.all(Array.from({ length: clients }, client))))
          const port = new URL(host.url).port
          for (const kill of kills) {
            yield* until(`${kill} sends are accepted`, () => (accepted.size >= kill ? true : undefined))
            host.signal("SIGKILL")
            yield* host.exit
            host = yield* serveDemo(folder, { ...settings, PARLEY_PORT: port })
          }
          yield* Fiber.join(sending)

          expect(accepted.size).toBe(sends)
          expect(new Set(accepted.values()).size).toBe(sends)
          expect(yield* Effect.promise(() => count(folder, settings, "messages"))).toBe(sends)

          let missing: Send | undefined
          const reported = yield* until("every event arrives", () => {
            const types = new Map<string, Map<string, Set<string>>>()
            for (const { event } of arrivals) {
              const ofMessage = types.get(event.data.message.id) ?? new Map<string, Set<string>>()
              types.set(event.data.message.id, ofMessage)
              ofMessage.set(event.type, (ofMessage.get(event.type) ?? new Set()).add(event.id))
            }
            missing = allSends.find(({ end, key }) =>
              storyOf[end].some((type) => !types.get(accepted.get(key) ?? "")?.has(type))
            )
            return missing === undefined ? types : undefined
          }).pipe(Effect.tapErrorCause(() => Effect.logError("missing", missing, host.output().slice(-4_000))))
          expect(reported.size).toBe(sends)
          for (const { end, key } of allSends) {
            const ofMessage = reported.get(accepted.get(key) ?? "") ?? new Map<string, Set<string>>()
            expect([...ofMessage.keys()].sort()).toEqual([...storyOf[end]].sort())
            // An event may arrive twice, but it is the same one: nothing happened to the message twice.
            for (const ids of ofMessage.values()) expect(ids.size).toBe(1)
          }
          for (const { event } of arrivals) {
            expect(accepted.get(event.external_reference ?? "")).toBe(event.data.message.id)
          }
          for (const { end, key } of allSends) {
            const message = yield* Effect.promise(() => messageOf(where.demo, accepted.get(key) ?? ""))
            expect(message.status).toBe(end)
          }
          yield* until("the queue is empty", async () => ((await isQueueEmpty(folder, settings)) ? true : undefined))
        }),
      600_000
    )
  })
}
