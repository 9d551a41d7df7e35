import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { bundleProgram } from "../../../.ci/bundleProgram.js"
import { outputOf } from "../../../.ci/outputOf.js"
import "../testing/reminders.vitest.js"

it("a service is tested with node:test", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-testing-"))
  try {
    const file = join(folder, "reminders.mjs")
    await bundleProgram(fileURLToPath(new URL("../testing/reminders.node.ts", import.meta.url)), file)
    expect(await outputOf(folder, process.execPath, "--test-reporter=tap", "--test", file)).toMatch(/^# pass 1$/m)
  } finally {
    await rm(folder, { recursive: true })
  }
})
