import { execFile } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { listening, parley, temporaryFolder } from "./processes.js"

const tarball = resolve("tarballs/standalone.tgz")
const missing = existsSync(tarball) ? "" : " (skipped: run npm run build)"

/**
 * Installs the package into a folder, with the compiled driver of this repository: to compile another one takes a
 * minute.
 */
const installInto = async (folder: string) => {
  await writeFile(join(folder, "package.json"), '{ "private": true }')
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
  await promisify(execFile)("npm", ["install", ...options, tarball], { cwd: folder })
  const driver = join(folder, "node_modules/better-sqlite3")
  await rm(driver, { recursive: true })
  await symlink(await realpath("hosts/standalone/node_modules/better-sqlite3"), driver)
}

/** The entry point with its arguments, and the settings, of the image that a Dockerfile makes. */
const imageOf = (dockerfile: string) => {
  const listOf = (instruction: string): ReadonlyArray<string> =>
    JSON.parse(new RegExp(`^${instruction} (\\[.*\\])$`, "m").exec(dockerfile)?.[1] ?? "[]")
  const settings = Object.fromEntries(
    [...dockerfile.matchAll(/^(?:ENV| ) +(PARLEY_\w+|NODE_ENV)=(\S+)/gm)].map(([, name = "", value = ""]) => [
      name,
      value
    ])
  )
  return { command: [...listOf("ENTRYPOINT"), ...listOf("CMD")], settings }
}

/** The file and those that it imports when it is loaded, with their sizes. */
const loadedBy = (folder: string, file: string, seen = new Map<string, number>()): ReadonlyMap<string, number> => {
  const text = readFileSync(join(folder, file), "utf8")
  seen.set(file, text.length)
  for (const [, imported = ""] of text.matchAll(/^import .*?from "[.][/]([^"]+)";?$/gm)) {
    if (!seen.has(imported)) loadedBy(folder, imported, seen)
  }
  return seen
}

describe.skipIf(missing !== "")(`the packed command${missing}`, () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-command-"))
    await installInto(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.scopedLive("serves from a folder without this repository", () =>
    Effect.gen(function* () {
      const command = join(folder, "node_modules/.bin/parley")
      const settings = { PARLEY_DATA_DIR: yield* temporaryFolder, PARLEY_PORT: "0", NODE_PATH: "" }
      const host = yield* parley(["serve"], settings, [], command)
      const url = yield* listening(host)
      const page = yield* Effect.promise(() => fetch(`${url}/api/v1/docs`))
      expect(page.status).toBe(200)
      host.signal("SIGTERM")
      expect(yield* host.exit).toBe(0)

      // Calls of the admin API load the smaller part: no server, no engine, no channels.
      const dist = join(folder, "node_modules/@parley/standalone/dist")
      const all = readdirSync(dist).filter((file) => file.endsWith(".js"))
      const loaded = loadedBy(dist, all.find((file) => file.startsWith("command-")) ?? "")
      const sizeOf = (sizes: Iterable<number>) => [...sizes].reduce((sum, size) => sum + size, 0)
      const whole = sizeOf(all.map((file) => readFileSync(join(dist, file), "utf8").length))
      expect(loaded.size).toBeGreaterThan(1)
      expect(sizeOf(loaded.values())).toBeLessThan(0.35 * whole)
      expect([...loaded.keys()].filter((file) => file.startsWith("run-"))).toEqual([])
    })
  )

  it.scopedLive("serves by the entry point and the settings of the image", () =>
    Effect.gen(function* () {
      const { command, settings } = imageOf(readFileSync("deploy/container/Dockerfile", "utf8"))
      const [node, option = "", file = "", ...message] = command
      expect(node).toBe("node")
      const token = "administrator-0123456789abcdef"
      const own = {
        PARLEY_DATA_DIR: yield* temporaryFolder,
        PARLEY_PORT: "0",
        PARLEY_ADMIN_TOKEN: token,
        NODE_PATH: ""
      }
      const host = yield* parley(message, { ...settings, ...own }, [process.execPath, option], join(folder, file))
      const url = yield* listening(host)
      const headers = { authorization: `Bearer ${token}` }
      const status = yield* Effect.promise(() => fetch(`${url}/admin/v1/status`, { headers }))
      expect(status.status).toBe(200)
      host.signal("SIGTERM")
      expect(yield* host.exit).toBe(0)
    })
  )
})
