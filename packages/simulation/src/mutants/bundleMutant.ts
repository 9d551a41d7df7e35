import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "esbuild"
import { bundle } from "../bundle.js"
import type { Mutant } from "./Mutant.js"

const here = dirname(fileURLToPath(import.meta.url))
const packages = join(here, "../../..")

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

/** Bundles the program of a child process into `outfile`, with the fault of the mutant. Null: without a fault. */
export const bundleMutant = async (mutant: Mutant | null, outfile: string): Promise<void> => {
  let isLoaded = mutant === null
  const loaded = () => {
    isLoaded = true
  }
  await bundle(join(here, "child.ts"), outfile, mutant === null ? [] : [replacing(mutant, loaded)])
  if (!isLoaded) throw new Error(`${mutant?.name}: ${mutant?.file} is not part of the simulation`)
}
