import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import type { Parley, ParleyOptions } from "../src/index.js"
import { makeShop, sending, withParley } from "./shop.js"

const linesOf = async ({ admin }: Parley) =>
  (await admin.request<{ data: ReadonlyArray<object> }>("GET", "/request-log")).data

/** Log lines of a message that is sent just before the close. */
const loggedOfOneMessage = async (options: Partial<ParleyOptions>) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-log-"))
  const storage = { url: `sqlite:${join(folder, "parley.db")}` }
  try {
    let id: string | null = null
    await withParley({ ...options, storage }, async (parley) => {
      const { apiKey } = await makeShop(parley)
      const answer = await parley.fetch(sending(apiKey, "ada@acme.example", "http://acme.example"))
      id = answer.headers.get("x-request-id")
    })
    let lines: ReadonlyArray<object> = []
    await withParley({ ...options, storage }, async (parley) => {
      lines = await linesOf(parley)
    })
    return { id, lines }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

describe("the request log of an embedded engine", () => {
  it("is written completely before the close ends", async () => {
    const { id, lines } = await loggedOfOneMessage({})
    expect(lines).toMatchObject([{ id, method: "POST", path: "/api/v1/messages", status: 202 }])
  })

  it("stays empty if disabled", async () => {
    const { lines } = await loggedOfOneMessage({ requestLog: false })
    expect(lines).toEqual([])
  })
})
