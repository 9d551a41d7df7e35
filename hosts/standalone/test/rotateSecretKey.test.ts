import { randomBytes } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { outcomeOf, parley, serveDemo, temporaryFolder } from "./processes.js"
import { until } from "./until.js"

interface KeyUse {
  readonly use: string
  readonly signing_secrets: number
}

/** What a command with the data of this folder prints; it must succeed. */
const shownIn =
  (folder: string) =>
  (...message: ReadonlyArray<string>) =>
    Effect.map(outcomeOf(message, { PARLEY_DATA_DIR: folder }), ({ code, output }) => {
      expect(code, output).toBe(0)
      return output
    })

describe("rotation of the secret key", () => {
  it.scopedLive(
    "runs from the command line, after which the old key is not needed",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const run = (...message: ReadonlyArray<string>) => outcomeOf(message, { PARLEY_DATA_DIR: folder })
        const shown = (...message: ReadonlyArray<string>) => shownIn(folder)(...message, "--json")
        const keys = Effect.map(shown("secrets", "status"), (lines) =>
          lines
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as KeyUse)
        )
        const restarted = (host: Effect.Effect.Success<ReturnType<typeof serveDemo>>, settings: typeof given) =>
          Effect.gen(function* () {
            host.signal("SIGTERM")
            yield* host.exit
            return yield* serveDemo(folder, settings)
          })
        const given: { readonly [name: string]: string } = {}

        const first = yield* serveDemo(folder)
        const added = JSON.parse(yield* shown("endpoint", "add", "http://127.0.0.1:9/hook")) as { readonly id: string }
        expect(yield* keys).toMatchObject([{ use: "present", signing_secrets: 1 }])

        const old = (yield* Effect.promise(() => readFile(join(folder, "secret-key"), "utf8"))).trim()
        const PARLEY_SECRET_KEY = randomBytes(32).toString("base64")
        const second = yield* restarted(first, { PARLEY_SECRET_KEY, PARLEY_SECRET_KEY_PREVIOUS: old })
        expect(yield* keys).toMatchObject([
          { use: "present", signing_secrets: 0 },
          { use: "previous", signing_secrets: 1 }
        ])
        const rotated = yield* run("secrets", "rotate")
        expect(rotated).toMatchObject({
          code: 0,
          output: expect.stringMatching(/resealed +2\n[\s\S]*No secret is encrypted with another key/)
        })

        yield* restarted(second, { PARLEY_SECRET_KEY })
        expect(yield* keys).toMatchObject([{ use: "present", signing_secrets: 1 }])
        // The delivery is signed; its URL refuses the connection.
        yield* shown("endpoint", "test", added.id)
        yield* until("the delivery was tried", async () => {
          const { output } = await Effect.runPromise(run("endpoint", "deliveries", added.id, "--json"))
          return /"status":"failed","attempt_count":1/.test(output) || undefined
        })
      }),
    120_000
  )

  it.scopedLive(
    "is refused at start if the old key is missing",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const host = yield* serveDemo(folder)
        const added = yield* outcomeOf(["endpoint", "add", "http://127.0.0.1:9/"], { PARLEY_DATA_DIR: folder })
        expect(added.code, added.output).toBe(0)
        host.signal("SIGTERM")
        yield* host.exit
        const PARLEY_SECRET_KEY = randomBytes(32).toString("base64")
        const second = yield* parley(["serve"], { PARLEY_DATA_DIR: folder, PARLEY_PORT: "0", PARLEY_SECRET_KEY })
        expect(yield* second.exit).toBe(1)
        expect(second.output()).toMatch(
          /PARLEY_SECRET_KEY or .* is not .* was sealed with another key, [0-9a-f]{8}: add that key to PARLEY_SECRET_KEY_PREVIOUS/
        )
        expect(second.output()).not.toContain(PARLEY_SECRET_KEY)
      }),
    120_000
  )

  it.scopedLive(
    "is named by everything that explains, if a host lacks the key of older values only",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const shown = shownIn(folder)
        const idOf = (output: string) => (JSON.parse(output) as { readonly id: string }).id
        const first = yield* serveDemo(folder)
        const old = idOf(yield* shown("endpoint", "add", "http://127.0.0.1:9/old", "--json"))
        first.signal("SIGTERM")
        yield* first.exit
        const key = (yield* Effect.promise(() => readFile(join(folder, "secret-key"), "utf8"))).trim()
        const PARLEY_SECRET_KEY = randomBytes(32).toString("base64")
        const second = yield* serveDemo(folder, { PARLEY_SECRET_KEY, PARLEY_SECRET_KEY_PREVIOUS: key })
        expect(second.output()).not.toContain("lacks the secret key")
        yield* shown("endpoint", "add", "http://127.0.0.1:9/new")
        second.signal("SIGTERM")
        yield* second.exit

        const third = yield* serveDemo(folder, { PARLEY_SECRET_KEY })
        expect(third.output()).toMatch(/lacks the secret keys [0-9a-f]{8} \(2 of .*PARLEY_SECRET_KEY_PREVIOUS/)
        expect(yield* shown("status")).toMatch(/Add them to PARLEY_SECRET_KEY_PREVIOUS.*\n +[0-9a-f]{8} +2 values/)
        yield* shown("endpoint", "test", old)
        const delivery = yield* until("the delivery waits for the key", async () => {
          const output = await Effect.runPromise(shown("endpoint", "deliveries", old, "--json"))
          return output.includes(`"waiting_for":"secret_key"`) ? idOf(output) : undefined
        })
        expect(yield* shown("delivery", "show", delivery)).toMatch(/waiting_for +secret_key/)
        expect(yield* shown("job", "show", delivery)).toMatch(/another key, [0-9a-f]{8}.*PARLEY_SECRET_KEY_PREVIOUS/)
      }),
    120_000
  )
})
