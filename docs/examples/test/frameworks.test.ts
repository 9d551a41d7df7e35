import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { outputOf } from "../../../.ci/outputOf.js"

const tarball = resolve("tarballs/embed.tgz")
const missing = existsSync(tarball) ? "" : " (skipped: run npm run build)"

/** Without it, Parley takes the SQLite of Node. */
const installedDriver = "packages/sqlite/node_modules/better-sqlite3"

const dependencies = {
  "@parley/embed": `file:${tarball}`,
  "@nestjs/common": "11.2.10",
  "@nestjs/core": "11.2.10",
  "@nestjs/platform-express": "11.2.10",
  "@types/node": "20.19.43",
  pino: "9.14.0",
  "reflect-metadata": "0.2.2",
  rxjs: "7.8.2",
  typescript: "5.9.3"
}

/** The service of the page, which calls itself and stops. */
const service = (main: string) => `import "reflect-metadata"
import { Module } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import type { Parley } from "@parley/embed"
import { MessagingModule, PARLEY } from "./messaging.module"

@Module({ imports: [MessagingModule] })
class AppModule {}

const start = async () => {
${main.replace("listen(3000)", 'listen(0, "127.0.0.1")')}
  const { status } = await fetch(\`\${await app.getUrl()}/messaging/api/v1/openapi.json\`)
  await app.close()
  const closed = await app.get<Parley>(PARLEY).readiness()
  console.log(status, closed.ready)
}
void start()
`

/** The logger of the page, which gets the warning that a subscription is disabled. */
const logging = (block: string) => `import { createParley, type ParleyOptions } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import { pino } from "pino"

const options: ParleyOptions = { storage: { url: "sqlite:pino.db" }, channels: [sandbox()] }
const start = async () => {
${block}
  const { applications } = await parley.setup({ workspace: "acme", applications: { shop: { scopes: ["webhooks.receive"] } } })
  const subscribe = () => parley.on("notes", "*", () => {}, { application: applications.shop.id })
  const { id, stop } = await subscribe()
  await stop()
  await parley.admin.webhooks.update(id, { status: "disabled" })
  await subscribe()
  await parley.close()
}
void start()
`

describe.skipIf(missing !== "")(`the page of frameworks, with the packed package${missing}`, () => {
  let project: string
  const blockOf = async (beginning: string) => {
    const page = await readFile("docs/frameworks.md", "utf8")
    const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code)
    return blocks.find((code) => code.startsWith(beginning)) ?? ""
  }

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), "parley-frameworks-"))
    await writeFile(join(project, "package.json"), JSON.stringify({ private: true, dependencies }))
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
    await outputOf(project, "npm", "install", ...quiet)
    if (existsSync(installedDriver))
      await symlink(await realpath(installedDriver), join(project, "node_modules/better-sqlite3"))
    await mkdir(join(project, ".parley"))
    await writeFile(join(project, "messaging.module.ts"), await blockOf("// messaging.module.ts"))
    await writeFile(join(project, "main.ts"), service(await blockOf("// main.ts")))
    await writeFile(join(project, "logging.ts"), logging(await blockOf("const log = pino()")))
    const compilerOptions = {
      target: "es2022",
      module: "commonjs",
      moduleResolution: "node10",
      strict: true,
      skipLibCheck: true,
      types: ["node"],
      experimentalDecorators: true,
      emitDecoratorMetadata: true
    }
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
    await outputOf(project, "npx", "tsc", "--project", ".")
  })
  afterAll(() => rm(project, { recursive: true, force: true }))

  it("serves messaging in NestJS, and closes with it", async () => {
    expect((await outputOf(project, "node", "main.js")).split("\n").at(-1)).toBe("200 false")
  })

  it("logs with pino", async () => {
    const lines = (await outputOf(project, "node", "logging.js")).split("\n").map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 40, msg: expect.stringMatching(/^The subscription notes is disabled/) })
    )
  })
})
