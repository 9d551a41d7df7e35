import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "./processes.js"

const unit = readFileSync(fileURLToPath(new URL("../../../deploy/systemd/parley.service", import.meta.url)), "utf8")
const settings = new Map(
  [...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value] as const)
)

it("the systemd unit restarts a host for ever, with a pause", () => {
  expect(settings.get("Restart")).toBe("always")
  expect(Number(settings.get("RestartSec"))).toBeGreaterThanOrEqual(1)
  expect(settings.get("StartLimitIntervalSec")).toBe("0")
})

const isThere = spawnSync("systemd-analyze", ["--version"]).status === 0
it.skipIf(!isThere)(`systemd accepts the unit${isThere ? "" : " (skipped: install systemd-analyze)"}`, () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        const file = join(yield* temporaryFolder, "parley.service")
        yield* Effect.promise(() => writeFile(file, unit.replace("/usr/bin/node", process.execPath)))
        const { status, stderr } = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" })
        expect([status, stderr]).toEqual([0, ""])
      })
    )
  )
)
