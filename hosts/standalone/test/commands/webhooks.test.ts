import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { sinceOf } from "../../src/commands/since.js"
import { sendTemplate } from "../calls.js"
import { serveDemo, temporaryFolder } from "../processes.js"
import { until } from "../until.js"
import { runParley } from "./runParley.js"

/** A receiver that answers with a status which a test may change; it counts the webhooks of each delivery's event. */
const receiver = Effect.acquireRelease(
  Effect.async<{
    readonly url: string
    readonly got: Array<string>
    status: number
    readonly close: () => void
  }>((resume) => {
    const got: Array<string> = []
    const server = createServer((request, response) => {
      got.push(String(request.headers["x-webhook-id"]))
      response.statusCode = state.status
      response.end("said")
    })
    const state = { url: "", got, status: 200, close: () => server.close().closeAllConnections() }
    server.listen(0, "127.0.0.1", () => {
      state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
      resume(Effect.succeed(state))
    })
  }),
  ({ close }) => Effect.sync(close)
)

describe("the commands of webhooks", () => {
  it.scopedLive(
    "explain a missing webhook of a message, and replay it",
    () =>
      Effect.gen(function* () {
        const { demo } = yield* serveDemo(yield* temporaryFolder)
        const target = ["--server", demo.base_url, "--token", demo.admin_token]
        const run = (...message: ReadonlyArray<string>) =>
          Effect.map(runParley([...message, ...target]), ({ code, errors, output }) => {
            expect([message, code, errors]).toEqual([message, 0, expect.any(String)])
            return output
          })
        const one = (...message: ReadonlyArray<string>) =>
          Effect.map(run(...message, "--json"), (output) => JSON.parse(output))
        const many = (...message: ReadonlyArray<string>) =>
          Effect.map(run(...message, "--json"), (output) =>
            output === "" ? [] : output.split("\n").map((line) => JSON.parse(line))
          )
        const app = ["--app", demo.application_id]
        const shop = yield* receiver
        shop.status = 503
        yield* one("endpoint", "add", shop.url, "--events", "message.sent", ...app)
        const reads = yield* one("endpoint", "add", `${shop.url}/reads`, "--events", "message.read", ...app)
        yield* run("endpoint", "disable", reads.id)
        const { message_id: id } = (yield* Effect.promise(() => sendTemplate(demo, "+15550193333", "explained"))).body
          .data
        const refused = yield* until("the webhook is refused", async () =>
          (await Effect.runPromise(many("delivery", "list", "--message", id)))
            .map((row) => row as { readonly id: string; readonly attempt_count: number })
            .find(({ attempt_count }) => attempt_count === 1)
        )

        const reported = yield* until("the message is read", async () => {
          const message = await Effect.runPromise(run("message", "explain", id))
          return message.includes("message.read") ? message : undefined
        })
        expect(reported).toMatch(
          /message\.sent \(.*\) → http:\S+: 1 attempt failed, the last one: answered 503; next attempt at/
        )
        expect(reported).toContain(`    parley delivery show ${refused.id}\n    parley delivery replay ${refused.id}`)
        expect(reported).toMatch(
          /message\.queued \(.*\) → \S+: no delivery: the endpoint does not list message\.queued/
        )
        expect(reported).toMatch(/message\.read \(.*\) → \S+\/reads: no delivery: the endpoint is disabled/)
        expect(reported).toContain(
          `    parley endpoint enable ${reads.id}\n    parley endpoint recover ${reads.id} --since 20`
        )

        const attempts = yield* run("delivery", "show", refused.id)
        expect(attempts).toMatch(/NUMBER +STARTED AT +DURATION MS +STATUS +ERROR +ANSWER +ID\n1 .* 503 +- +said /)

        shop.status = 200
        yield* run("endpoint", "replay", refused.id)
        yield* until("the replay arrives", async () =>
          (await Effect.runPromise(run("message", "explain", id))).includes("(attempt 2)") ? true : undefined
        )
        yield* run("endpoint", "enable", reads.id)
        expect(yield* one("endpoint", "recover", reads.id, "--since", "1h")).toMatchObject({ deliveries: 1 })
        expect(yield* one("endpoint", "recover", reads.id, "--since", "1h")).toMatchObject({ deliveries: 0 })
        const [read] = yield* many("endpoint", "deliveries", reads.id)
        yield* until("what was missed arrives", () => (shop.got.includes(read.event_id) ? true : undefined))
        expect(shop.got.filter((event) => event === read.event_id)).toHaveLength(1)
      }),
    300_000
  )

  it.scopedLive(
    "manage endpoints",
    () =>
      Effect.gen(function* () {
        const { demo } = yield* serveDemo(yield* temporaryFolder)
        const target = ["--server", demo.base_url, "--token", demo.admin_token, "--json"]
        const one = (...message: ReadonlyArray<string>) =>
          Effect.map(runParley([...message, ...target]), ({ code, errors, output }) => {
            expect([message, code, errors]).toEqual([message, 0, ""])
            return JSON.parse(output)
          })
        const shop = yield* receiver
        const added = yield* one("endpoint", "add", shop.url, "--app", demo.application_id)
        const { id } = added
        expect((yield* one("endpoint", "rotate", id)).secret).not.toBe(added.secret)
        expect(yield* one("endpoint", "update", id, "--events", "lead.created")).toMatchObject({
          events: ["lead.created"]
        })
        expect(yield* one("endpoint", "show", id)).toMatchObject({ id, events: ["lead.created"], status: "active" })
        expect((yield* one("endpoint", "disable", id)).status).toBe("disabled")
        const test = yield* one("endpoint", "test", id)
        expect(test).toMatchObject({ event_type: "webhook.test", endpoint_id: id })
        yield* until("the test arrives", () => (shop.got.includes(test.event_id) ? true : undefined))
        const refused = yield* runParley(["endpoint", "recover", id, "--since", "2d", ...target])
        expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining("enable it first") })
        expect((yield* one("endpoint", "enable", id)).status).toBe("active")
        const future = yield* runParley(["endpoint", "recover", id, "--since", "2999-01-01", ...target])
        expect(future).toMatchObject({ code: 1, errors: expect.stringContaining("since: must not be in the future") })
        expect((yield* one("endpoint", "delete", id)).status).toBe("deleted")
        expect(yield* runParley(["delivery", "list", ...target])).toMatchObject({ code: 2 })
      }),
    300_000
  )
})

describe("the time to recover from", () => {
  const now = Date.parse("2026-05-04T08:30:00.000Z")
  it.each([
    ["90m", "2026-05-04T07:00:00.000Z"],
    ["6h", "2026-05-04T02:30:00.000Z"],
    ["2d", "2026-05-02T08:30:00.000Z"],
    ["2026-05-01", "2026-05-01"],
    ["yesterday", null]
  ])("of %s is %s", (text, expected) => {
    expect(sinceOf(text, now)).toBe(expected)
  })
})
