import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it, vi } from "@effect/vitest"
import type { ChannelProvider } from "@parley/core"
import { createParley, type Parley } from "@parley/host"
import { type Account, VendorEvent } from "@parley/testkit"
import { Effect } from "effect"
import { courier } from "../write-a-provider/src/index.js"
import { courierFixture } from "../write-a-provider/test/courierFixture.js"

const folder = new URL("../write-a-provider/", import.meta.url)
const guide = readFileSync(new URL("../../write-a-provider.md", import.meta.url), "utf8")

const timeout = 60_000

/** The lines of a text without what is before and after them. */
const linesOf = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim()

const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"))
const sources = new Map(files.map((name) => [name, linesOf(readFileSync(new URL(name, folder), "utf8"))]))

describe("the guide to writing a provider", () => {
  it("contains excerpts of the example, unchanged", () => {
    const blocks = [...guide.matchAll(/(?:^`([\w./]+)`\n\n)?```ts\n(.*?)```/gms)]
    expect(blocks.length).toBeGreaterThan(10)
    let file = ""
    for (const [, named, block = ""] of blocks) {
      file = named ?? file
      expect(sources.get(file), `${file} has not:\n${block}`).toContain(linesOf(block))
    }
  })

  it("links to existing files", () => {
    const links = [...guide.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = ""]) => link)
    expect(links.filter((link) => !existsSync(new URL(`../../${link}`, import.meta.url)))).toEqual([])
  })

  it.scopedLive(
    "leads to a channel that receives and answers",
    () =>
      Effect.gen(function* () {
        const vendor = yield* courierFixture.vendor
        const parley = yield* Effect.acquireRelease(
          Effect.promise(() => started(courier({ apiUrl: vendor.url }))),
          (parley) => Effect.promise(() => parley.close())
        )
        yield* Effect.promise(() => answered(parley, courierFixture.account(vendor)))
        const answer = { to: "491511234567", text: "It is ready." }
        yield* Effect.promise(() => vi.waitFor(() => expect(vendor.taken).toEqual([answer]), { timeout }))
      }),
    timeout
  )
})

const started = (channel: ChannelProvider): Promise<Parley> =>
  createParley({
    storage: { url: "sqlite::memory:" },
    secretKey: Buffer.alloc(32, 1).toString("base64"),
    channels: [channel],
    logLevel: "none"
  })

/** Connects an account as an operator does, lets a customer write, and answers as an agent. */
const answered = async ({ admin, fetch }: Parley, { connection, credentials }: Account): Promise<void> => {
  const call = async (method: string, path: string, body?: object) =>
    (await admin.request<{ readonly data: any }>(method, path, body)).data
  const workspace = await call("POST", "/workspaces", { name: "Acme" })
  const { channel, config, handle, name, provider } = connection
  const { id } = await call("POST", "/connections", {
    workspace_id: workspace.id,
    ...{ channel, config, credentials, handle, name, provider }
  })
  const { webhook } = courierFixture
  if ("lacks" in webhook) throw new Error(webhook.lacks)
  const message = { number: 1, from: "491511234567", text: "Is my order ready?", name: "Ada", at: 1_790_000_000_000 }
  const hook = webhook.request({ connection, credentials, secrets: [] }, [VendorEvent.Message(message)], null)
  const request = new Request(`https://parley.test/inbound/${id}`, {
    method: "POST",
    headers: Object.entries(hook.headers).map(([name, value]) => [name, value ?? ""]),
    body: Buffer.from(hook.body)
  })
  expect((await fetch(request)).status).toBe(200)
  const [conversation] = await call("GET", `/conversations?connection_id=${id}`)
  await call("POST", `/conversations/${conversation.id}/messages`, { body: "It is ready." })
}
