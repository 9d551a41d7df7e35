import { spawnSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = join(dirname(fileURLToPath(import.meta.url)), "..")

/** The folder of the bundled programs. */
export const programs = join(folder, "dist")

/** Bundles the programs. They run bundled, as a host does, because sources transpiled at load run slower. */
export const bundle = (): void => {
  const tsup = join(dirname(createRequire(import.meta.url).resolve("tsup/package.json")), "dist/cli-default.js")
  const { status } = spawnSync(process.execPath, [tsup, "--silent"], { cwd: folder, stdio: ["ignore", 2, 2] })
  if (status !== 0) throw new Error("The programs of the benchmark could not be built")
}
