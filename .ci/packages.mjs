// Packs every published package into tarballs/, as it would be published, and checks what is inside: exports, types,
// files.
import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, join, resolve } from "node:path"
import { promisify } from "node:util"

const run = (command, args, cwd) =>
  promisify(execFile)(command, args, { cwd }).catch(({ message, stdout, stderr }) => {
    process.stdout.write(`${message} (${cwd})\n${stdout}${stderr}`)
    process.exitCode = 1
  })

const tarballs = resolve("tarballs")
rmSync(tarballs, { recursive: true, force: true })
mkdirSync(tarballs)

const check = async (folder) => {
  const { exports, main, private: isPrivate } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (isPrivate) return
  const tarball = join(tarballs, `${basename(folder)}.tgz`)
  await run("npx", ["--yes", "pnpm@10.34.8", "pack", "--out", tarball], folder)
  await run("npx", ["publint", "run", tarball, "--strict"], ".")
  // A command has no modules.
  if (exports === undefined) return
  // With `main`, it also has a CommonJS build.
  await run("npx", ["attw", tarball, ...(main === undefined ? ["--profile", "esm-only"] : [])], ".")
}
const waiting = ["packages", "hosts"].flatMap((group) => readdirSync(group).map((name) => join(group, name)))
const checkInTurn = async () => {
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) await check(folder)
}
await Promise.all(Array.from({ length: availableParallelism() }, checkInTurn))
