import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { expect, it } from "vitest"
import "../testing/reminders.vitest.js"

it("a service is tested with node:test", async () => {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
  const file = fileURLToPath(new URL("../testing/reminders.node.ts", import.meta.url))
  const { NODE_OPTIONS: _options, ...environment } = process.env
  const options = ["--import", tsx, "--conditions=parley-source", "--test-reporter=tap", "--test", file]
  const { stdout } = await promisify(execFile)(process.execPath, options, { env: environment })
  expect(stdout).toMatch(/^# pass 1$/m)
})
