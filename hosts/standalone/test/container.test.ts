import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import { unknownSettings } from "@parley/host-settings"
import { DCLinter } from "dclint"
import { validate } from "dockerfile-utils"
import { Effect } from "effect"
import { parse } from "yaml"
import manifest from "../package.json" with { type: "json" }
import { treeOf } from "../src/commands/CommandTree.js"
import { parley } from "../src/commands/parley.js"

const root = fileURLToPath(new URL("../../../", import.meta.url))
const read = (file: string) => readFileSync(`${root}deploy/container/${file}`, "utf8")
const dockerfile = read("Dockerfile")

interface Service {
  readonly build?: { readonly dockerfile: string }
  readonly command?: ReadonlyArray<string>
  readonly environment: { readonly [name: string]: string }
}
const { services } = parse(read("compose.yaml"), { merge: true }) as { readonly services: { [name: string]: Service } }
const hosts = [services.server, services.worker].filter((one) => one !== undefined)

const unknownIn = (names: ReadonlyArray<string>) =>
  Effect.map(unknownSettings(Object.fromEntries(names.map((name) => [name, ""]))), ({ unknown }) => unknown)

describe("the image", () => {
  it("has a Dockerfile without faults", () => {
    expect(validate(dockerfile)).toEqual([])
    expect(validate("FROM node\nEXPOSE http\nRUNN true").length).toBe(2)
  })

  it("starts the command of the package that it installs", () => {
    expect(dockerfile).toContain("pnpm@10.34.8 --dir hosts/standalone pack")
    expect(dockerfile).toContain(`node_modules/${manifest.name}/${manifest.bin.parley.replace("./", "")}`)
  })

  it.effect("names settings that exist, and stops at SIGTERM itself", () =>
    Effect.gen(function* () {
      expect(yield* unknownIn([...dockerfile.matchAll(/(PARLEY_\w+)=/g)].map(([, name]) => name ?? ""))).toEqual([])
      expect(dockerfile).toMatch(/^ENTRYPOINT \["node", "--\S+", "\S+"\]$/m)
    })
  )
})

/** What the linter finds. Its own types cannot be resolved by Node's rules. */
interface LintResult {
  readonly messages: ReadonlyArray<{ readonly type: string; readonly message: string }>
}

/** The errors of a compose file, such as those of its schema. Matters of style are warnings. */
const errorsIn = (file: string): ReadonlyArray<string> => {
  const linter = new DCLinter({ rules: {}, quiet: false, debug: false, exclude: [] })
  const results: ReadonlyArray<LintResult> = linter.lintFiles([file], false)
  return results.flatMap(({ messages }) =>
    messages.filter(({ type }) => type === "error").map(({ message }) => message)
  )
}

describe("the compose file", () => {
  it("fits the schema of compose files", () => {
    expect(errorsIn(`${root}deploy/container/compose.yaml`)).toEqual([])
    const folder = mkdtempSync(join(tmpdir(), "parley-compose-"))
    const misspelled = join(folder, "compose.yaml")
    writeFileSync(misspelled, read("compose.yaml").replace("stop_grace_period", "stop_grace"))
    expect(errorsIn(misspelled)).toEqual([expect.stringContaining("must NOT have additional properties")])
    rmSync(folder, { recursive: true })
  })

  it("runs the commands of a server and a worker from the image", () => {
    const commands = treeOf(parley.name, parley.what, parley.sections).children
    expect(hosts.map(({ command }) => command)).toEqual([["http"], ["worker"]])
    for (const { build, command } of hosts) {
      expect(commands.has(command?.[0] ?? "")).toBe(true)
      expect(existsSync(`${root}${build?.dockerfile}`)).toBe(true)
    }
  })

  it.effect("names settings that exist, and refuses to start without its secrets", () =>
    Effect.gen(function* () {
      for (const { environment } of hosts) {
        expect(yield* unknownIn(Object.keys(environment))).toEqual([])
        for (const secret of ["PARLEY_SECRET_KEY", "PARLEY_ADMIN_TOKEN"]) {
          expect(environment[secret]).toBe(`\${${secret}:?}`)
        }
      }
    })
  )
})
