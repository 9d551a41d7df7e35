import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "@effect/vitest"
import ts from "typescript"
import { sourceStack } from "../src/sourceStack.js"

const source = `interface Order {
  readonly id: string
}

export const fail = (order: Order): never => {
  throw new TypeError(\`no order \${order.id}\`)
}
`
let folder = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-stack-"))
  const { outputText, sourceMapText } = ts.transpileModule(source, {
    fileName: "orders.ts",
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, sourceMap: true }
  })
  writeFileSync(join(folder, "orders.mjs"), outputText)
  writeFileSync(join(folder, "orders.mjs.map"), sourceMapText ?? "")
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The stack trace of an error at the second line of the compiled file. */
const stackOf = (): ReadonlyArray<string> => {
  const position = `${pathToFileURL(join(folder, "orders.mjs"))}:2:11`
  const frames = [`fail (${position})`, position, "node:internal/timers:1:2"]
  const sites = frames.map((text) => ({ toString: () => text }) as NodeJS.CallSite)
  return sourceStack(new TypeError("no order 1042"), sites).split("\n")
}

describe("sourceStack", () => {
  it("shows the positions in the sources", () => {
    const position = `${pathToFileURL(join(folder, "orders.ts"))}:6:9`
    expect(stackOf()).toEqual([
      "TypeError: no order 1042",
      `    at fail (${position})`,
      `    at ${position}`,
      "    at node:internal/timers:1:2"
    ])
  })

  it("keeps the positions of files without a map", () => {
    rmSync(join(folder, "orders.mjs.map"))
    expect(stackOf()[1]).toMatch(/^ {4}at fail \(file:.*\/orders\.mjs:2:11\)$/)
  })
})
