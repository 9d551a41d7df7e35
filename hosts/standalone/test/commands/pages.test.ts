import { execFile } from "node:child_process"
import { readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { treeOf } from "../../src/commands/CommandTree.js"
import { parley } from "../../src/commands/parley.js"
import { pagesOfJson, pagesToJson } from "../../src/commands/requestedPage.js"
import { bundle } from "../bundle.js"
import { runParley } from "./runParley.js"

const { name, sections, version, what } = parley
const run = promisify(execFile)

it("the bundle has the pages of all commands", async () => {
  const written = await readFile(join(dirname(await bundle()), "pages.json"), "utf8")
  expect(pagesOfJson(written)).toEqual(pagesOfJson(pagesToJson({ version, root: treeOf(name, what, sections) })))
})

/** Prints the URL of each module to stderr that a program loads. */
const hooks = `export const load = (url, context, next) => { console.error("loads " + url); return next(url, context) }`
const reporting = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(hooks)}")`

it.each([[["--help"]], [["help", "endpoint", "add"]], [["endpoint"]], [["--version"]]])(
  "the page %j loads none of the code of commands",
  async (message) => {
    const file = await bundle()
    const { stderr, stdout } = await run(process.execPath, [
      "--import",
      `data:text/javascript,${encodeURIComponent(reporting)}`,
      file,
      ...message
    ])
    expect(stdout).toBe(`${(await Effect.runPromise(runParley(message))).output}\n`)
    const loaded = [...stderr.matchAll(/^loads (file:.*)$/gm)].map(([, url]) => fileURLToPath(url as string))
    expect(loaded).toContain(file)
    const sizes = await Promise.all(loaded.map(async (path) => (await stat(path)).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(50_000)
  }
)
