import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { outcomeOf } from "../processes.js"
import { serving } from "./serving.js"

it.scopedLive(
  "an endless list exits without an error when its reader closes the pipe",
  () =>
    Effect.gen(function* () {
      const { requests, url } = yield* serving(Number.POSITIVE_INFINITY)
      const through = ["sh", "-c", 'exec 3>&1; { "$@" 2>&3; echo "code $?" >&3; } | head -n 1', "sh"]
      const message = ["app", "list", "--all", "--json", "--server", url, "--token", "t"]
      const { code, output } = yield* outcomeOf(message, {}, through)
      expect([code, output.split("\n").sort()]).toEqual([0, ["", "code 0", '{"id":0}']])
      expect(requests.length).toBeGreaterThan(0)
    }),
  120_000
)
