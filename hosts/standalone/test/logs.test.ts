import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { outcomeOf, parley, serveDemo, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

describe("parley logs", () => {
  it.scopedLive(
    "follows requests across a restart of the host without losing a line",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const settings = { PARLEY_DATA_DIR: folder }
        const host = yield* serveDemo(folder)
        const ask = (path: string) =>
          Effect.promise(async () => {
            const headers = { authorization: `Bearer ${host.demo.api_key}` }
            const { headers: answered } = await fetch(`${host.url}/api/v1${path}`, { headers })
            return String(answered.get("x-request-id"))
          })
        const first = yield* ask("/channels")
        const follower = yield* parley(["logs", "--follow"], settings)
        const shown = (what: string, text: string) =>
          until(what, () => new RegExp(`^.*${text}.*$`, "m").exec(follower.output())?.[0])
        expect(yield* shown("it shows what was asked before", first)).toMatch(
          /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}200 {2}GET +\d+ ms .* \/api\/v1\/channels$/
        )

        // Stopped right after its response, before the log of that second is written.
        const last = yield* ask("/nowhere?secret=hunter2")
        host.signal("SIGTERM")
        expect(yield* host.exit).toBe(0)
        yield* shown("it reports that the host does not answer", "Retrying until it answers")
        yield* serveDemo(folder, { PARLEY_PORT: new URL(host.url).port })
        expect(yield* shown("it goes on", last)).toMatch(/ 404 .* \/api\/v1\/nowhere {2}not_found$/)
        const third = yield* ask("/templates")
        yield* shown("it shows requests after the restart", third)
        follower.signal("SIGINT")
        expect(yield* follower.exit).toBe(0)
        for (const id of [first, last, third]) expect(follower.output().split(id)).toHaveLength(2)
        expect(follower.output()).not.toContain("hunter2")

        const listed = yield* outcomeOf(
          ["logs", "--json", "--status", "4xx", "--app", host.demo.application_id],
          settings
        )
        expect(listed.code, listed.output).toBe(0)
        expect(
          listed.output
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        ).toEqual([expect.objectContaining({ id: last, method: "GET", path: "/api/v1/nowhere", status: 404 })])
        const wrong = yield* outcomeOf(["logs", "--status", "many"], settings)
        expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining("status: must be an HTTP status") })

        const issued = yield* outcomeOf(["key", "issue"], settings)
        expect(issued.code, issued.output).toBe(0)
        const audit = yield* outcomeOf(["audit", "list", "--action", "api_key.issued", "--json"], settings)
        const [newest] = audit.output.trim().split("\n")
        expect(JSON.parse(String(newest))).toMatchObject({
          action: "api_key.issued",
          actor: expect.stringMatching(/^admin: ./)
        })
        const reported = yield* outcomeOf(["notification", "list"], settings)
        expect(reported).toEqual({ code: 0, output: "None.\n" })
      }),
    300_000
  )
})
