import { existsSync, readdirSync, readFileSync } from "node:fs"
import { cp, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join, relative, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { outputOf } from "../../../.ci/outputOf.js"
import manifest from "../package.json" with { type: "json" }
import { writeCodeBlocks } from "./codeBlocks.js"
import { servesMessaging } from "./servesMessaging.js"

const examples = fileURLToPath(new URL("..", import.meta.url))
const tarballs = resolve("tarballs")
const missing = existsSync(join(tarballs, "testkit.tgz")) ? "" : " (skipped: run npm run build)"

/** The published packages with their folders: those with modules, which have examples in TypeScript. */
const published = ["packages", "hosts"]
  .flatMap((group) => readdirSync(group).map((name) => join(group, name)))
  .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) }))
  .filter((one) => one.private !== true && one.exports !== undefined)
  .map(({ folder, name }) => ({ folder: String(folder), name: String(name) }))

const files = Object.fromEntries(
  published.map(({ folder, name }) => [name, `file:${join(tarballs, basename(folder))}.tgz`])
)

/** The version of a package that this repository uses. */
const versionOf = (name: string, folder: string) =>
  JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version

/** Whether better-sqlite3 is installed in this repository. Without it, Parley takes the SQLite of Node. */
const hasDriver = existsSync("packages/sqlite/node_modules/better-sqlite3")

/** The project of a user: what the examples need, with the packages of this repository as tarballs. */
const projectManifest = () => {
  const needed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  const libraries = needed.filter((name) => files[name] === undefined).map((name) => [name, versionOf(name, examples)])
  const tools = [
    ["@types/node", versionOf("@types/node", ".")],
    ["typescript", versionOf("typescript", ".")],
    ["@effect/sql", versionOf("@effect/sql", "packages/sql")],
    ...["@opentelemetry/api", "@types/pg", "drizzle-orm", "pg"].map((name) => [name, versionOf(name, "packages/host")]),
    ["@nestjs/common", "11.2.10"],
    ["@nestjs/core", "11.2.10"],
    ["pino", "9.14.0"],
    ["reflect-metadata", "0.2.2"],
    ["rxjs", "7.8.2"],
    ...(hasDriver ? [["better-sqlite3", versionOf("better-sqlite3", "packages/sqlite")]] : [])
  ]
  return {
    private: true,
    type: "module",
    dependencies: { ...Object.fromEntries([...libraries, ...tools]), ...files },
    // Packages of the tarballs depend on each other by version, and are not in the registry.
    pnpm: { overrides: files }
  }
}

/** The first example of each package, from its page on npm. */
const firstExamples = published.map(({ folder, name }) => {
  const [, code] = /```ts\n(.*?)```/s.exec(readFileSync(join(folder, "README.md"), "utf8")) ?? []
  return { name, code }
})

describe.skipIf(missing !== "")(`the examples with the packed packages, installed by pnpm${missing}`, () => {
  let project: string

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "parley-examples-"))
    // Below the examples: this repository may itself be in a folder node_modules.
    const isOurs = (source: string) => !relative(examples, source).includes("node_modules")
    await cp(examples, project, { recursive: true, filter: isOurs })
    await rm(join(project, "pnpm-lock.yaml"), { force: true })
    await writeFile(join(project, "package.json"), JSON.stringify(projectManifest(), null, 2))
    await mkdir(join(project, "readme"))
    for (const { code, name } of firstExamples) {
      await writeFile(join(project, "readme", `${basename(name)}.ts`), `${code}\nexport {}\n`)
    }
    const options = ["--ignore-workspace", "--ignore-scripts", "--prefer-offline", "--reporter=silent"]
    await outputOf(project, "npx", "--yes", "pnpm@10.34.8", "install", ...options)
    // The driver of this repository: to compile another one takes a minute.
    const compiled = hasDriver ? await realpath("packages/sqlite/node_modules/better-sqlite3") : ""
    const store = join(project, "node_modules/.pnpm")
    for (const entry of readdirSync(store).filter((name) => name.startsWith("better-sqlite3@"))) {
      const driver = join(store, entry, "node_modules/better-sqlite3")
      await rm(driver, { recursive: true })
      await symlink(compiled, driver)
    }
    const compilerOptions = {
      target: "es2022",
      module: "nodenext",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      types: ["node"],
      outDir: "compiled"
    }
    const exclude = ["assumed.d.ts", "docs", "test", "**/test", "compiled", "node_modules"]
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, exclude }))
  })

  /** The errors of types, in a project of TypeScript. */
  const errorsIn = async (config: string): Promise<ReadonlyArray<string>> => {
    // The types of some other libraries need further packages, such as @types/ws.
    const ofOthers = /^node_modules[/](?!.*node_modules[/]@parley[/])/
    const errors = await outputOf(project, "npx", "tsc", "--project", config).catch(({ message }) => String(message))
    return errors.split("\n").filter((line) => line.includes("error TS") && !ofOthers.test(line))
  }
  afterAll(() => rm(project, { recursive: true, force: true }))

  // The compiler checks the types of all frameworks too, which takes minutes beside the tests of processes.
  it("compile, with the first example of each package, all types checked", { timeout: 600_000 }, async () => {
    expect(firstExamples.filter(({ code }) => code === undefined)).toEqual([])
    expect(await errorsIn("tsconfig.json")).toEqual([])
    expect(existsSync(join(project, "compiled/readme/embed.js"))).toBe(true)
  })

  it("compile, with the code blocks of the documentation", async () => {
    const blocks = writeCodeBlocks(resolve("docs"), join(project, "docs"))
    expect(blocks.length).toBeGreaterThan(20)
    // Not as declarations, whose errors are those of libraries.
    await rename(join(project, "assumed.d.ts"), join(project, "assumed.ts"))
    const wrong = "await createParley({ ...options, chanels: [] })\nexport {}\n"
    await writeFile(join(project, "docs/wrong.ts"), wrong)
    const compilerOptions = {
      target: "es2022",
      lib: ["es2023"],
      // Blocks import each other as services of Next do, without the ending of the file.
      module: "esnext",
      moduleResolution: "bundler",
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      types: ["node"],
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      noEmit: true
    }
    await writeFile(
      join(project, "tsconfig.docs.json"),
      JSON.stringify({ compilerOptions, include: ["assumed.ts", "docs"] })
    )
    expect(await errorsIn("tsconfig.docs.json")).toEqual([
      expect.stringMatching(/^docs[/]wrong[.]ts\(1,.* 'chanels' does not exist/)
    ])
  })

  it.scopedLive.each(["express", "fastify", "hono", "effect"])("serve: %s", (name) =>
    servesMessaging(join(project, "compiled", name, "main.js"), {})
  )

  it("pass their tests in Vitest", async () => {
    const tests = [
      "testing/reminders.vitest.ts",
      "test/events.test.ts",
      "test/workspace.test.ts",
      "write-a-provider/test"
    ]
    const config = `export default { test: { include: ${JSON.stringify(tests.map((one) => (one.endsWith(".ts") ? one : `${one}/*.test.ts`)))}, testTimeout: 120_000 } }`
    await writeFile(join(project, "vitest.config.mjs"), config)
    const report = JSON.parse(await outputOf(project, "npx", "vitest", "run", "--reporter=json"))
    expect(report).toMatchObject({ success: true, numFailedTests: 0, numTotalTestSuites: expect.any(Number) })
    expect(report.testResults).toHaveLength(tests.length)
  })

  it("pass their tests in node:test", async () => {
    const file = join("compiled", "testing", "reminders.node.js")
    expect(await outputOf(project, "node", "--test-reporter=tap", "--test", file)).toMatch(/^# pass 1$/m)
  })
})
