// Builds every package, packs the published ones into tarballs/, as they would be published, and checks what is inside:
// exports, types, files. A package is built after those that it depends on, because it reads their built types.
// `npm run build` runs it with the pinned pnpm in the PATH.
import { exec } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { basename, delimiter, join, resolve } from "node:path"
import { promisify } from "node:util"

const tarballs = resolve("tarballs")
const packages = ["packages", "hosts"]
  .flatMap((group) => readdirSync(group).map((name) => join(group, name)))
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter((one) => one.scripts?.build !== undefined)

const run = (command, folder) => {
  const path = [join(folder, "node_modules/.bin"), "node_modules/.bin"].map((bin) => resolve(bin))
  const env = { ...process.env, PATH: [...path, process.env.PATH].join(delimiter) }
  return promisify(exec)(command, { cwd: folder, env, maxBuffer: 2 ** 26 }).catch(({ message, stdout, stderr }) => {
    process.stdout.write(`${message} (${folder})\n${stdout}${stderr}`)
    throw new Error(`${command} failed in ${folder}`)
  })
}

/** Names of the packages that a build reads. The build of embed contains its development dependencies. */
const readBy = ({ dependencies = {}, devDependencies, name }) =>
  Object.keys(name === "@parley/embed" ? devDependencies : dependencies)

const pack = async ({ exports, folder, main, private: isPrivate }) => {
  if (isPrivate) return
  const tarball = join(tarballs, `${basename(folder)}.tgz`)
  await run(`pnpm pack --out "${tarball}"`, folder)
  await run(`publint run "${tarball}" --strict`, ".")
  // A command has no modules. A package with `main` also has a CommonJS build.
  if (exports !== undefined) await run(`attw "${tarball}" ${main === undefined ? "--profile esm-only" : ""}`, ".")
}

const unbuilt = new Set(packages.map(({ name }) => name))
const waiting = [...packages]
const unpacked = []
let wake = () => {}
let awoken = Promise.resolve()
const signal = () => {
  wake()
  awoken = new Promise((resolve) => {
    wake = resolve
  })
}
const work = async () => {
  for (;;) {
    const next = waiting.findIndex((one) => !readBy(one).some((name) => unbuilt.has(name)))
    const [built] = next === -1 ? [] : waiting.splice(next, 1)
    const packed = built === undefined ? unpacked.shift() : undefined
    if (built !== undefined) {
      await run(built.scripts.build, built.folder)
      unbuilt.delete(built.name)
      unpacked.push(built)
      signal()
    } else if (packed !== undefined) await pack(packed)
    else if (unbuilt.size > 0) await awoken
    else return
  }
}

rmSync(tarballs, { recursive: true, force: true })
mkdirSync(tarballs)
signal()
await Promise.all(Array.from({ length: availableParallelism() }, work)).catch(({ message }) => {
  console.error(message)
  process.exit(1)
})
