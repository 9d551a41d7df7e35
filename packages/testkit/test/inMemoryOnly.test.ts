import { createRequire } from "node:module"
import { expect, it } from "vitest"

// Not imported: a test that imports them is no unit test.
const require = createRequire(import.meta.url)

it("a unit test starts no process and no server", () => {
  const { fork } = require("node:child_process") as typeof import("node:child_process")
  const { createServer } = require("node:http") as typeof import("node:http")
  expect(() => fork("none")).toThrow("A unit test starts no process")
  expect(() => createServer().listen(0)).toThrow("A unit test starts no server")
})
