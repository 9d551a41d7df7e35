import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))

/** The output of a git command in this repository without its line end; null if it fails. */
export const git = (...given: ReadonlyArray<string>): string | null => {
  const { status, stdout } = spawnSync("git", given, { cwd: here, encoding: "utf8" })
  return status === 0 ? stdout.trim() : null
}
