import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"
import type { Mutant } from "./Mutant.js"

const here = dirname(fileURLToPath(import.meta.url))
const packages = join(here, "../../..")
// esbuild calls `require` of built-in modules in bundled CommonJS packages.
const banner = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`

/** The source of a mutant's file with its fault. Fails if the file does not contain the text exactly once. */
export const sourceOf = async ({ file, find, name, replacement }: Mutant): Promise<string> => {
  const source = await readFile(join(packages, file), "utf8")
  const [before, after, ...others] = source.split(find)
  if (before === undefined || after === undefined || others.length > 0) {
    throw new Error(`${name}: ${file} must contain the text once: ${find}`)
  }
  return before + replacement + after
}

const replacing = (mutant: Mutant, onLoad: () => void): Plugin => ({
  name: "mutant",
  setup: ({ onLoad: whenLoaded }) => {
    const path = join(packages, mutant.file)
    whenLoaded({ filter: /\.ts$/ }, async (loaded) => {
      if (loaded.path !== path) return undefined
      onLoad()
      return { contents: await sourceOf(mutant), loader: "ts" }
    })
  }
})

/** Loads SQLite from the package that depends on it, because the bundle is outside of the repository. */
const externalSqlite: Plugin = {
  name: "external-sqlite",
  setup: ({ onResolve }) => {
    const { resolve } = createRequire(join(packages, "sqlite/package.json"))
    onResolve({ filter: /^better-sqlite3$/ }, ({ path }) => ({ path: resolve(path), external: true }))
  }
}

/** Bundles the program of a child process into `outfile`, with the fault of the mutant. Null: without a fault. */
export const bundle = async (mutant: Mutant | null, outfile: string): Promise<void> => {
  let isLoaded = mutant === null
  const loaded = () => {
    isLoaded = true
  }
  const plugins = mutant === null ? [externalSqlite] : [externalSqlite, replacing(mutant, loaded)]
  await build({
    entryPoints: [join(here, "child.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["parley-source"],
    external: ["pg"],
    banner: { js: banner },
    logLevel: "error",
    plugins
  })
  if (!isLoaded) throw new Error(`${mutant?.name}: ${mutant?.file} is not part of the simulation`)
}
