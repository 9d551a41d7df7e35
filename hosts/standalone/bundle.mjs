// Bundles the command if one of its sources is newer than the bundle. Concurrent processes wait for each other.
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { tsImport } from "tsx/esm/api"

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const lock = join(here, "node_modules/.bundle.lock")
const buildTimeoutMs = 120_000

const takeLock = () => {
  try {
    closeSync(openSync(lock, "wx"))
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    // A lock older than the timeout belongs to a process that was killed.
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (since !== undefined && Date.now() - since > buildTimeoutMs) rmSync(lock, { force: true })
    return false
  }
}

// The modification time of a folder shows deleted files.
const timesOf = (folder) =>
  [folder, ...readdirSync(folder, { recursive: true }).map((name) => join(folder, name))].map(timeOf)
const timeOf = (file) => statSync(file).mtimeMs

const isStale = () => {
  const output = join(here, "dist/main.js")
  if (!existsSync(output)) return true
  const sources = ["packages", "hosts"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name, "src")))
    .filter(existsSync)
  const settings = [
    join(here, "build.ts"),
    join(here, "pages.ts"),
    join(here, "package.json"),
    join(root, "pnpm-lock.yaml")
  ]
  return Math.max(...settings.map(timeOf), ...sources.flatMap(timesOf)) > timeOf(output)
}

while (!takeLock()) await setTimeout(100)
try {
  if (isStale()) {
    process.chdir(here)
    const { build } = await tsImport("./build.ts", import.meta.url)
    await build()
  }
} finally {
  rmSync(lock, { force: true })
}
