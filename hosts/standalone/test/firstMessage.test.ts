import { execFile } from "node:child_process"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { callAdmin, messageOf, sendTemplate } from "./calls.js"
import { databases } from "./databases.js"
import { outcomeOf, serveDemo, temporaryFolder } from "./processes.js"
import { expectedSignature, receiver } from "./receiver.js"
import { until } from "./until.js"

const story = ["message.queued", "message.sent", "message.delivered", "message.read"]

for (const [name, settings] of databases) {
  describe(`a newcomer's first message on ${name}`, () => {
    it.scopedLive(
      "is sent by the printed command, and its events arrive signed",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const { demo, output, url } = yield* serveDemo(folder, yield* settings)
          expect(demo.base_url).toBe(url)
          expect((yield* Effect.promise(() => stat(join(folder, "demo.json")))).mode & 0o777).toBe(0o600)
          expect((yield* Effect.promise(() => stat(join(folder, "admin-token")))).mode & 0o777).toBe(0o600)

          const { arrivals, url: hook } = yield* receiver
          const added = yield* outcomeOf(["endpoint", "add", hook, "--json"], { PARLEY_DATA_DIR: folder })
          expect(added.code).toBe(0)
          const { secret } = JSON.parse(added.output)

          const command = output().match(/^ {2}(curl .*)$/m)?.[1] ?? ""
          expect(command).toContain(demo.api_key)
          const pasted = yield* Effect.promise(() => promisify(execFile)("sh", ["-c", `${command} --silent`]))
          expect(pasted.stdout).toMatch(/^HTTP\/1.1 202 /)
          const { data } = JSON.parse(pasted.stdout.split("\r\n\r\n")[1] ?? "")
          expect(data.status).toBe("queued")

          const read = yield* until("the message is read", async () => {
            const message = await messageOf(demo, data.message_id)
            return message.status === "read" ? message : undefined
          })
          for (const time of [read.sent_at, read.delivered_at, read.read_at]) {
            expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
          }
          expect(read.body).toBe("Hello Ada, your order A-1001 is on its way.")

          const reported = yield* until("every webhook of it arrives", () => {
            const about = arrivals.filter(({ event }) => event.data.message?.id === data.message_id)
            return story.every((type) => about.some(({ event }) => event.type === type)) ? about : undefined
          })
          for (const arrival of reported) {
            expect(arrival.headers["x-webhook-signature"]).toBe(expectedSignature(secret, arrival))
            expect(arrival.headers["user-agent"]).toBe("Parley-Webhooks/1.0")
            expect(arrival.headers["x-webhook-id"]).toBe(arrival.event.id)
          }
        }),
      300_000
    )

    it.scopedLive(
      "is kept after a restart, with the same demo",
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const environment = yield* settings
          const first = yield* serveDemo(folder, environment)
          const sent = yield* Effect.promise(() => sendTemplate(first.demo, "+15550199999", "once"))
          first.signal("SIGTERM")
          expect(yield* first.exit).toBe(0)

          const second = yield* serveDemo(folder, environment)
          expect({ ...second.demo, base_url: "" }).toEqual({ ...first.demo, base_url: "" })
          expect(second.demo.base_url).toBe(second.url)
          expect(second.output()).toContain(second.demo.api_key)
          const again = yield* Effect.promise(() => sendTemplate(second.demo, "+15550199999", "once"))
          expect(again.headers.get("idempotency-replayed")).toBe("true")
          expect(again.body).toEqual(sent.body)
          expect(yield* callAdmin(second.demo, "GET", "/workspaces")).toHaveLength(1)
        }),
      300_000
    )
  })
}
