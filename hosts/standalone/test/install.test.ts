import { execFile, spawn } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { parse } from "yaml"
import manifest from "../package.json" with { type: "json" }
import { bundle } from "./bundle.js"

const install = resolve(".ci/install.mjs")

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-install-"))
  mkdirSync(join(folder, "bin"))
  writeFileSync(join(folder, "pnpm-lock.yaml"), "lockfileVersion: '9.0'\n")
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Puts a program `npx` on the PATH, which writes its arguments to the log first. */
const fakeNpx = (script: string) => {
  const file = join(folder, "bin/npx")
  writeFileSync(file, `#!/bin/sh\necho "$@"\n${script}\n`)
  chmodSync(file, 0o755)
}

/** A line that Node runs before the program. */
const before = (code: string) => `--import=data:text/javascript,${encodeURIComponent(code)}`

const asVersion = (version: string) =>
  before(`Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`)

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const run = (args: ReadonlyArray<string>, path = `${join(folder, "bin")}:${process.env.PATH}`): Promise<Ended> =>
  new Promise((ended) => {
    const env = { ...process.env, PATH: path, NODE_OPTIONS: "" }
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      ended({ code: error === null ? 0 : Number(error.code), stdout, stderr })
    )
  })

const log = () => readFileSync(join(folder, "node_modules/.install.log"), "utf8").trimEnd().split("\n")
const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}`)

describe("the installation", () => {
  it("takes two lines, keeps the output in a file, and does nothing where it is done", async () => {
    fakeNpx("mkdir -p node_modules/.pnpm && cp pnpm-lock.yaml node_modules/.pnpm/lock.yaml && echo compiled >&2")
    expect(await run([install])).toEqual({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(/^Installing packages …\nInstalled packages in \d+ s\n$/)
    })
    expect(log()).toEqual([expect.stringMatching(/^--yes pnpm@[\d.]+ install --frozen-lockfile /), "compiled"])
    fakeNpx("exit 1")
    expect(await run([install])).toEqual({ code: 0, stdout: "", stderr: "" })
  })

  it("that fails ends with the last lines of its output and the name of the file", async () => {
    fakeNpx('i=1; while [ $i -le 30 ]; do echo "line $i"; i=$((i + 1)); done; exit 7')
    const shown = ["Installing packages …", "The installation failed.", ...lines(11, 30), ""]
    expect(await run([install])).toEqual({
      code: 7,
      stdout: "",
      stderr: [...shown, "The whole output is in node_modules/.install.log.", ""].join("\n")
    })
    expect(log().slice(1)).toEqual(lines(1, 30))
  })

  it("says that there is no npx", async () => {
    const { code, stderr } = await run([install], join(folder, "bin"))
    expect(code).toBe(1)
    expect(stderr).toContain("The installation failed. spawn npx ENOENT\n")
  })

  it("has one line on a terminal, which counts the seconds", async () => {
    fakeNpx("until [ -e counted ]; do sleep 0.1; done")
    const child = spawn(process.execPath, [before("process.stderr.isTTY = true"), install], {
      cwd: folder,
      env: { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, NODE_OPTIONS: "" }
    })
    let shown = ""
    child.stderr.setEncoding("utf8").on("data", (text) => {
      shown += text
      if (shown.includes("2 s")) writeFileSync(join(folder, "counted"), "")
    })
    expect(await new Promise((ended) => child.on("close", ended))).toBe(0)
    expect(shown).toMatch(/^(\rInstalling packages … \d+ s)+\rInstalled packages in \d+ s\n$/)
  })
})

it("the lock file has the native packages of macOS and Windows beside those of Linux", () => {
  const { snapshots }: Lock = parse(readFileSync("pnpm-lock.yaml", "utf8"))
  const native = Object.entries(snapshots).flatMap(([name, { optionalDependencies = {} }]) => {
    const systems = ["linux", "darwin", "win32"].filter((system) =>
      Object.keys(optionalDependencies).some((dependency) => dependency.includes(system))
    )
    return systems.includes("linux") ? [[name, systems] as const] : []
  })
  expect(native.map(([name]) => name)).toContainEqual(expect.stringMatching(/^rolldown@/))
  expect(native.filter(([, systems]) => systems.length < 3)).toEqual([])
})

interface Lock {
  readonly snapshots: {
    readonly [name: string]: { readonly optionalDependencies?: { readonly [name: string]: string } }
  }
}

describe("a Node that is too old", () => {
  const lowest = manifest.engines.node.replace(">=", "")

  it.each(["18.20.8", "20.18.3"])("is named in one line before anything is installed: %s", async (version) => {
    fakeNpx("exit 0")
    expect(await run([asVersion(version), install])).toEqual({
      code: 1,
      stdout: "",
      stderr: `Parley needs Node ${lowest} or later. This is ${version}: see https://nodejs.org\n`
    })
    expect(existsSync(join(folder, "node_modules"))).toBe(false)
  })

  it.each(["18.20.8", "20.18.3"])("is named in one line by the command: %s", async (version) => {
    expect(await run([asVersion(version), await bundle(), "--version"])).toEqual({
      code: 1,
      stdout: "",
      stderr: `Parley needs Node ${lowest} or later. This is ${version}: see https://nodejs.org\n`
    })
  })

  it("loads nothing of the command before the check", async () => {
    const main = readFileSync(await bundle(), "utf8")
    expect(main.match(/^import .*|\bfrom "/gm)).toBe(null)
    expect(await run([asVersion(`${lowest}.0`), await bundle(), "--version"])).toMatchObject({ code: 0, stderr: "" })
  })
})
