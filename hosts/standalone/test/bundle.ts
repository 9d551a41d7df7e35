import { execFileSync } from "node:child_process"
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const output = join(root, "hosts/standalone/dist/main.js")
const lock = join(root, "hosts/standalone/node_modules/.bundle.lock")

/** The command's file, built once where the sources are newer. */
export const bundle = (): Promise<string> => {
  built ??= build()
  return built
}

let built: Promise<string> | undefined

/** Test processes that want it at once take turns. */
const build = async (): Promise<string> => {
  while (!takeLock()) await setTimeout(100)
  try {
    if (!existsSync(output) || statSync(output).mtimeMs < newestSource()) {
      execFileSync("npm", ["run", "--silent", "build:host"], { cwd: root, shell: process.platform === "win32" })
    }
  } finally {
    rmSync(lock, { force: true })
  }
  return output
}

/** A lock that is older than any build was left behind by a process that was killed. */
const takeLock = (): boolean => {
  try {
    closeSync(openSync(lock, "wx"))
    return true
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - since > 120_000) rmSync(lock, { force: true })
    return false
  }
}

const newestSource = (): number => {
  const folders = ["packages", "hosts"].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name, "src"))
  )
  const files = folders
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
  return Math.max(...files.map((file) => statSync(file).mtimeMs))
}
