import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { changes, expect, Storage, set } from "@parley/core"
import { Effect } from "effect"
import { memoryOf } from "../measuring/processFigures.js"
import { singleRow, type TableRow } from "../measuring/table.js"
import { type Store, storageOf } from "../world/Store.js"
import { apiKey, conversationIdOf, seed, workspaceId } from "../world/seed.js"
import { buildHost } from "../world/standalone.js"
import { handleOf } from "../world/traffic.js"
import type { Bench } from "./Bench.js"

const mebibyte = 2 ** 20
const fileBytes = 16 * mebibyte
const chunk = Buffer.alloc(65_536, 0x61)
/** Number of transfers of a kind, and of those at once. */
const transfers = 32
const atOnce = 8

/** Bytes of a file that no process holds whole. */
async function* bytes() {
  for (let sent = 0; sent < fileBytes; sent += chunk.length) yield chunk
}

/** A server of files; `url` is one of them. */
const fileServer = async () => {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": fileBytes })
    for await (const part of bytes()) if (!response.write(part)) await once(response, "drain")
    response.end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.txt`, stop: () => server.close() }
}

/** The customer of the first conversation wrote just now, so that files can be sent. */
const openWindow = (store: Store) => {
  const key = { id: conversationIdOf(0) }
  return Effect.flatMap(Storage, ({ commit }) =>
    commit(
      changes(workspaceId, {
        expects: [expect("conversations", key)],
        sets: [set("conversations", key, { lastInboundAt: Date.now() })]
      })
    )
  ).pipe(Effect.provide(storageOf(store)), Effect.runPromise)
}

/** The memory of a host while files of 16 MiB go in and out, on SQLite with files on the disk. */
export const filesSection = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  buildHost()
  const store = bench.stores.sqlite()
  await seed(store, { verdictWaitMs: null, webhookUrl: bench.webhookUrl })
  await openWindow(store)
  const host = await bench.startHost(store)
  const source = await fileServer()
  const call = async (method: string, path: string, init: RequestInit & { readonly duplex?: "half" } = {}) => {
    const headers = { authorization: `Bearer ${apiKey}`, "idempotency-key": crypto.randomUUID(), ...init.headers }
    const answer = await fetch(new URL(path, host.origin), { ...init, method, headers })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const json = async (answer: Promise<Response>) => ((await (await answer).json()) as { readonly data: any }).data
  const upload = () =>
    json(
      call("POST", "/api/v1/attachments?file_name=file.txt", {
        headers: { "content-type": "text/plain" },
        body: ReadableStream.from(bytes()),
        duplex: "half"
      })
    )
  const send = (file: object) =>
    json(
      call("POST", "/api/v1/messages", {
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          channel: "whatsapp",
          to: handleOf(0),
          type: "media",
          message: { attachments: [{ file_name: "file.txt", ...file }] }
        })
      })
    )
  const settled = async (id: string): Promise<any> => {
    for (;;) {
      const message = await json(call("GET", `/api/v1/messages/${id}`))
      if (message.status === "failed") throw new Error(`a message failed: ${message.error.message}`)
      if (message.status !== "queued") return message
      await sleep(50)
    }
  }
  const download = async (message: any) => {
    const answer = await call(
      "GET",
      new URL(message.attachments[0].url).pathname + new URL(message.attachments[0].url).search
    )
    let size = 0
    for await (const part of answer.body as ReadableStream<Uint8Array>) size += part.length
    if (size !== fileBytes) throw new Error(`a download has ${size} bytes`)
  }

  const rows: Array<TableRow> = []
  const measure = async (what: string, transfer: () => Promise<unknown>) => {
    bench.progress(`files, ${what}`)
    await transfer()
    const before = memoryOf(host.pid) ?? Number.NaN
    let highest = before
    const timer = setInterval(() => {
      highest = Math.max(highest, memoryOf(host.pid) ?? 0)
    }, 20)
    const start = performance.now()
    let left = transfers
    const one = async () => {
      while (left-- > 0) await transfer()
    }
    await Promise.all(Array.from({ length: atOnce }, one))
    clearInterval(timer)
    const perSecond = (transfers * fileBytes) / mebibyte / ((performance.now() - start) / 1_000)
    const grown = Math.round((highest - before) / mebibyte)
    rows.push(
      singleRow(
        `Files, SQLite: ${transfers} of 16 MiB, ${atOnce} at once, ${what}`,
        `memory grows by at most ${grown} MiB from ${Math.round(before / mebibyte)}; ${perSecond.toFixed(0)} MiB/s`
      )
    )
  }

  const { id: attachment_id } = await upload()
  await measure("uploaded", upload)
  await measure("fetched from a URL and sent", async () => settled((await send({ url: source.url })).message_id))
  const message = await settled((await send({ attachment_id })).message_id)
  await measure("downloaded by a link", () => download(message))
  source.stop()
  await host.stop()
  return rows
}
