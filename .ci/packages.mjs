// Builds every package, packs the published ones into tarballs/, as they would be published, and checks what is inside:
// exports, types, files. The types are the declarations that `.ci/types.mjs` wrote. `npm run build` runs both, with the
// pinned pnpm in the PATH.
import { exec } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, delimiter, join, resolve } from "node:path"
import { promisify } from "node:util"

const published = ["packages", "hosts"]
  .flatMap((group) => readdirSync(group).map((name) => join(group, name)))
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter((one) => one.private !== true)
const tarballOf = ({ folder }) => join("tarballs", `${basename(folder)}.tgz`)

const env = { ...process.env, PATH: [resolve("node_modules/.bin"), process.env.PATH].join(delimiter) }
const run = (command) =>
  promisify(exec)(command, { env, maxBuffer: 2 ** 26 }).catch(({ message, stdout, stderr }) => {
    console.error(`${message}\n${stdout}${stderr}`)
    process.exit(1)
  })

const cores = availableParallelism()
await run(`pnpm --recursive --workspace-concurrency=${cores} run build`)
for (const { folder, publishConfig } of published) {
  // Others bundle their declarations, or have none.
  if (publishConfig?.exports?.["."].types === "./dist/index.d.ts") {
    cpSync(join(".cache/types", folder, "src"), join(folder, "dist"), { recursive: true })
  }
}

rmSync("tarballs", { recursive: true, force: true })
mkdirSync("tarballs")
const filters = published.map(({ name }) => `--filter=${name}`).join(" ")
await run(`pnpm --recursive ${filters} pack --out "${resolve("tarballs")}/%s.tgz"`)

const waiting = [...published]
const check = async () => {
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    const tarball = tarballOf(one)
    renameSync(join("tarballs", `${one.name.replace("@", "").replace("/", "-")}.tgz`), tarball)
    await run(`publint run "${tarball}" --strict`)
    // A command has no modules. A package with `main` also has a CommonJS build.
    const profile = one.main === undefined ? "--profile esm-only" : ""
    if (one.exports !== undefined) await run(`attw "${tarball}" ${profile}`)
  }
}
await Promise.all(Array.from({ length: cores }, check))
