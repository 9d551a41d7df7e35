import { existsSync } from "node:fs"
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import ts from "typescript"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { outputOf } from "../../../.ci/outputOf.js"

const tarball = (name: string) => resolve("tarballs", `${name}.tgz`)
const missing = existsSync(tarball("embed")) ? "" : " (skipped: run npm run build)"

/** Without it, Parley takes the SQLite of Node. */
const installedDriver = "packages/sqlite/node_modules/better-sqlite3"
const hasDriver = existsSync(installedDriver)

const printed = "main(process.argv[2]).then(console.log, (error) => console.log(error.message))"

/** The program as a test of Jest. */
const jestTest = `test("a program", async () => {
  expect(await main("jest.db")).toBe("queued Hello acme")
}, 120_000)`

/** The program of each project: it sends a message on a new SQLite file, and reads it as a remote caller. */
const program = (load: (module: string) => string, end = printed) => `
${["node:http", "@parley/client", "@parley/client/admin", "@parley/embed", "@parley/embed/sandbox"].map(load).join("\n")}
const adminToken = "t".repeat(32)
const main = async (file) => {
  const parley = await createParley({
    storage: { url: "sqlite:" + file },
    channels: [sandbox()],
    adminToken,
    logLevel: "none"
  })
  const { applications } = await parley.setup({
    workspace: "acme",
    connections: { desk: { channel: "telegram", handle: "acme_bot", provider: "sandbox" } },
    applications: { shop: { scopes: ["messages.send", "messages.read"], connections: ["desk"], keys: ["website"] } }
  })
  const { data } = await parley
    .as(applications.shop.id)
    .messages.send({ channel: "telegram", to: "12345", type: "text", message: { body: "Hello" } })
  const server = createServer(parley.listener)
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening))
  const baseUrl = "http://127.0.0.1:" + server.address().port
  const client = createClient({ baseUrl, apiKey: applications.shop.keys.website })
  const { data: message } = await client.messages.get(data.message_id)
  const { data: workspaces } = await createAdminClient({ baseUrl, token: adminToken }).workspaces.list()
  server.close()
  await parley.close()
  return data.status + " " + message.body + " " + workspaces[0].name
}
${end}`

const modules = {
  "node:http": "createServer",
  "@parley/client": "createClient",
  "@parley/client/admin": "createAdminClient",
  "@parley/embed": "createParley",
  "@parley/embed/sandbox": "sandbox"
}

/** An example of the documentation as CommonJS, with Jest's functions in place of Vitest's. */
const inJest = async (name: string) =>
  ts.transpileModule(
    (await readFile(`docs/examples/testing/${name}.ts`, "utf8")).replace('from "vitest"', 'from "@jest/globals"'),
    { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } }
  ).outputText

const typescript = `
import { type Client, createClient, ParleyError } from "@parley/client"
import { createAdminClient } from "@parley/client/admin"
import { createParley, type Parley, type ParleyOptions } from "@parley/embed"
import { email } from "@parley/embed/email"
import { createTestParley } from "@parley/embed/testing"
import { whatsapp } from "@parley/embed/whatsapp"

const options: ParleyOptions = {
  storage: { url: "sqlite:parley.db" },
  channels: [whatsapp(), email()],
  entitlements: ({ mode }, operation) => (mode === "test" || operation !== "messages.send" ? undefined : { code: "limit_reached" }),
  responder: ({ message }) => ({ say: [message.body], outcome: message.type === "text" ? "continue" : "hand_off" })
}
export const send = async (parley: Parley, remote: Client): Promise<"queued" | string> => {
  const { data } = await parley.as("id").messages.send({ channel: "email", to: "a@b.example", type: "text", message: { body: "Hello" } })
  // @ts-expect-error An acknowledgement has no body.
  data.body
  await remote.messages.get(data.message_id)
  return data.status
}
export const start = async (): Promise<void> => {
  const parley = await createParley(options)
  const test = await createTestParley({ startsAt: new Date(0) })
  // @ts-expect-error It is read-only.
  test.sent[0].body = ""
  createAdminClient({ baseUrl: "https://parley.example", token: "token" })
  const remote = createClient({ baseUrl: "https://parley.example", apiKey: "key" })
  await send(parley, remote).catch((error) => (error instanceof ParleyError ? error.code : null))
}
// @ts-expect-error A provider comes from this package.
export const wrong: ParleyOptions = { ...options, channels: [{ kind: "mine" }] }
`

describe.skipIf(missing !== "")(`the packed packages${missing}`, () => {
  let home: string
  const inNpm = (file: string) => join(home, "npm", file)
  const inPnpm = (file: string) => join(home, "pnpm", file)

  /** Gives a project the driver of this repository, if it is installed: to compile another one takes a minute. */
  const linkDriver = async (project: string) => {
    if (hasDriver) await symlink(await realpath(installedDriver), join(home, project, "node_modules/better-sqlite3"))
  }

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "parley-packed-"))
    for (const project of ["npm", "pnpm"]) {
      await mkdir(join(home, project))
      await writeFile(
        join(home, project, "main.mjs"),
        program((module) => `import { ${memberOf(module)} } from "${module}"`)
      )
      await writeFile(join(home, project, "main.cjs"), program(required))
    }
    const files = { "@parley/embed": `file:${tarball("embed")}`, "@parley/client": `file:${tarball("client")}` }
    const tools = { "@types/node": "20.19.43", jest: "30.5.2", typescript: "5.9.3" }
    await writeFile(
      inNpm("package.json"),
      JSON.stringify({ private: true, dependencies: files, devDependencies: tools })
    )
    await writeFile(inPnpm("package.json"), JSON.stringify({ private: true, dependencies: files }))
    await Promise.all([
      outputOf(join(home, "npm"), "npm", "install", "--no-audit", "--no-fund", "--loglevel=error"),
      outputOf(join(home, "pnpm"), "npx", "--yes", "pnpm@10.34.8", "install", "--ignore-workspace", "--reporter=silent")
    ])
    await linkDriver("npm")
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  it("say which driver to install, unless Node has one", async () => {
    const printed = await outputOf(join(home, "pnpm"), "node", "--no-warnings", "main.mjs", "without-driver.db")
    expect(printed).toMatch(
      process.getBuiltinModule?.("node:sqlite") !== undefined
        ? /^queued Hello acme$/
        : /^The database cannot be used .*: the package better-sqlite3 is not installed\. Install it: npm install better-sqlite3$/
    )
  })

  it("bring one other package with them", async () => {
    const installed = await readdir(inPnpm("node_modules/.pnpm"))
    expect(installed.filter((name) => /@\d/.test(name)).map((name) => name.replace(/@.*/, ""))).toEqual(["undici"])
  })

  it.skipIf(!hasDriver)("say how to get the binary of a driver that pnpm has not built", async () => {
    const driver = inPnpm("node_modules/better-sqlite3")
    const built = await realpath(installedDriver)
    for (const part of ["lib", "package.json"]) await cp(join(built, part), join(driver, part), { recursive: true })
    await mkdir(join(driver, "node_modules"))
    await symlink(await realpath(join(built, "../bindings")), join(driver, "node_modules/bindings"))
    expect(await outputOf(join(home, "pnpm"), "node", "main.mjs", "parley.db")).toContain(
      "Run npm rebuild better-sqlite3; with pnpm, pnpm approve-builds first"
    )
    await rm(driver, { recursive: true })
  })

  it("run where pnpm installed them", async () => {
    await linkDriver("pnpm")
    expect(await outputOf(join(home, "pnpm"), "node", "main.mjs", "parley.db")).toBe("queued Hello acme")
  })

  it.each(["main.mjs", "main.cjs"])("run from %s", async (file) => {
    expect(await outputOf(join(home, "npm"), "node", file, `${file}.db`)).toBe("queued Hello acme")
  })

  it("have one copy of Parley for import and require", async () => {
    const text = `import { createRequire } from "node:module"
import { ParleyError } from "@parley/client"
import * as parley from "@parley/embed"
import * as testing from "@parley/embed/testing"
const require = createRequire(import.meta.url)
console.log(parley.createParley === require("@parley/embed").createParley, testing.createTestParley === require("@parley/embed/testing").createTestParley)
const test = await testing.createTestParley()
const error = await test.as("unknown").channels.list().catch((error) => error)
console.log(parley.isParleyError(error, "not_found"), error instanceof ParleyError, error instanceof require("@parley/client").ParleyError)
await test.close()`
    await writeFile(inNpm("both.mjs"), text)
    expect(await outputOf(join(home, "npm"), "node", "both.mjs")).toBe("true true\ntrue true true")
  })

  it("parse mails in a thread", async () => {
    const text = `const { Worker } = require("node:worker_threads")
const program = require("node:path").join(require.resolve("@parley/embed"), "../mailThread.cjs")
const thread = new Worker(program, { env: {}, execArgv: [] })
const business = { address: "hello@bakery.example", name: "Bakery", config: { smtp: { host: "localhost" } } }
const raw = Buffer.from("From: ada@customer.example\\r\\n\\r\\nIs it ready?")
thread.on("message", ([message]) => {
  console.log(message.body)
  thread.terminate()
})
thread.postMessage({ business, now: 0, raw })`
    await writeFile(inNpm("thread.cjs"), text)
    expect(await outputOf(join(home, "npm"), "node", "thread.cjs")).toBe("Is it ready?")
  })

  it("run in Jest", async () => {
    await writeFile(inNpm("reminders.js"), await inJest("reminders"))
    await writeFile(inNpm("reminders.test.js"), await inJest("reminders.vitest"))
    await copyFile("docs/examples/testing/sends.jest.cjs", inNpm("sends.test.js"))
    await writeFile(inNpm("main.test.js"), program(required, jestTest))
    await outputOf(join(home, "npm"), "npx", "jest", "--ci")
  })

  it.each([
    ["CommonJS", "use.cts", { module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "5.0" }],
    ["Node's modules in CommonJS", "use.cts", { module: "node16", moduleResolution: "node16" }],
    ["Node's modules", "use.mts", { module: "node16", moduleResolution: "node16" }],
    ["bundlers", "use.ts", { module: "esnext", moduleResolution: "bundler" }]
  ])("have types for %s", async (name, file, options) => {
    const folder = inNpm(name.replaceAll(/\W/g, "-"))
    await mkdir(folder)
    await writeFile(join(folder, file), typescript)
    const compilerOptions = {
      ...options,
      target: "es2022",
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ["node"]
    }
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }))
    await outputOf(folder, "npx", "tsc", "--project", ".")
  })
})

const memberOf = (module: string) => Reflect.get(modules, module)
const required = (module: string) => `const { ${memberOf(module)} } = require("${module}")`
