import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { expect, it } from "@effect/vitest"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect } from "effect"
import { outputOf } from "../../../.ci/outputOf.js"

const tarball = resolve("tarballs/embed.tgz")
const missing = existsSync(tarball) ? "" : " (skipped: run npm run build)"

/** The transaction of Prisma for `parley.enqueue`, as the documentation has it. */
const adapter = async () => /^\| Prisma.* \| `(.*)` \|$/m.exec(await readFile("docs/embed.md", "utf8"))?.[1]

const schema = `generator client {
  provider = "prisma-client-js"
  output   = "./client"
}
datasource db {
  provider = "postgresql"
}`

const program = (url: string, transaction: string | undefined) => `
import { createParley } from "@parley/embed"
import { sandbox } from "@parley/embed/sandbox"
import { PrismaPg } from "@prisma/adapter-pg"
import prismaClient from "./client/index.js"

const url = ${JSON.stringify(url)}
const parley = await createParley({
  storage: { url },
  channels: [sandbox()],
  secretKey: Buffer.alloc(32, 1).toString("base64"),
  blobs: { folder: "files" },
  logLevel: "none"
})
const { applications } = await parley.setup({
  workspace: "acme",
  connections: { desk: { channel: "telegram", handle: "acme_bot", provider: "sandbox" } },
  applications: { shop: { scopes: ["messages.send"], connections: ["desk"] } }
})
const application = applications.shop.id
const prisma = new prismaClient.PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })
const send = { channel: "telegram", to: "12345", type: "text", message: { body: "Hello" } }
const enqueued = []
const enqueue = async (tx) => enqueued.push((await parley.enqueue(${transaction}, { application, send })).id)
await prisma.$transaction(async (tx) => {
  await enqueue(tx)
  throw new Error("rolled back")
}).catch(({ message }) => console.log(message))
await prisma.$transaction(enqueue)
const [rolledBack, committed] = enqueued
let outcome
do outcome = await parley.enqueued(application, committed)
while (outcome.status === "waiting")
const missing = await parley.enqueued(application, rolledBack).catch(({ code }) => code)
console.log(outcome.status, missing)
await prisma.$disconnect()
await parley.close()`

it.scopedLive.skipIf(missing !== "")(
  `a request in a transaction of Prisma is sent if it is committed${missing}`,
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      const project = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "parley-prisma-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
      )
      yield* Effect.promise(async () => {
        const prisma = { "@prisma/adapter-pg": "7.10.1", "@prisma/client": "7.10.0", prisma: "7.10.1" }
        const dependencies = { "@parley/embed": `file:${tarball}`, pg: "8.23.0", ...prisma }
        await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
        await writeFile(join(project, "schema.prisma"), schema)
        await writeFile(join(project, "main.mjs"), program(url, await adapter()))
        const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"]
        await outputOf(project, "npm", "install", ...quiet)
        // The client has all it needs from npm. Without the name of a binary, Prisma downloads its schema engine, which
        // is not used here.
        const settings = ["CHECKPOINT_DISABLE=1", `PRISMA_SCHEMA_ENGINE_BINARY=${process.execPath}`]
        await outputOf(project, "env", ...settings, "npx", "prisma", "generate", "--schema", "schema.prisma")
        expect(await outputOf(project, "node", "main.mjs")).toBe("rolled back\naccepted not_found")
      })
    }),
  300_000
)
