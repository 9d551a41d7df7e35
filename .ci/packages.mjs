// Packs every published package into tarballs/, as it would be published, and checks what is inside: exports, types, files.
import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"

const run = (command, args, cwd) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status === 0) return
  process.stdout.write(`${command} ${args.join(" ")} (${cwd})\n${stdout}${stderr}`)
  process.exitCode = 1
}

const tarballs = resolve("tarballs")
rmSync(tarballs, { recursive: true, force: true })
mkdirSync(tarballs)
for (const name of readdirSync("packages")) {
  const folder = join("packages", name)
  const { private: isPrivate } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (isPrivate) continue
  run("npx", ["--yes", "pnpm@10.34.8", "pack", "--out", join(tarballs, `${name}.tgz`)], folder)
}
for (const tarball of readdirSync(tarballs)) {
  run("npx", ["publint", "run", join(tarballs, tarball), "--strict"], ".")
  run("npx", ["attw", join(tarballs, tarball), "--profile", "esm-only"], ".")
}
// from CommonJS too, which Node 20.19 and later let require modules
run("node", ["-e", "require('parley'); require('@parley/channel-sandbox')"], "docs/examples")
