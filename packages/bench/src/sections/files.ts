import { once } from "node:events"
import { mkdtempSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { changes, expect, Storage, set } from "@parley/core"
import { Effect } from "effect"
import { memoryOf } from "../measuring/processFigures.js"
import { singleRow, type TableRow } from "../measuring/table.js"
import type { FilesByHandSetting } from "../programs/filesByHand.js"
import { fileBytes, fileContent, filesVendor } from "../world/filesVendor.js"
import { rowsOf, type Store, storageOf } from "../world/Store.js"
import { apiKey, conversationIdOf, seed, workspaceId } from "../world/seed.js"
import { seedWhatsApp, whatsappConnectionId } from "../world/seedWhatsApp.js"
import { buildHost } from "../world/standalone.js"
import { handleOf } from "../world/traffic.js"
import { phoneNumberId, signatureOf, webhookBody } from "../world/whatsappTraffic.js"
import type { Bench } from "./Bench.js"

const mebibyte = 2 ** 20
/** Number of transfers of a kind, and of those at once. */
const transfers = 32
const atOnce = 8

const accessToken = "files-token"

/** A server of files; `url` is one of them. */
const fileServer = async () => {
  const server = createServer(async (_request, response) => {
    response.writeHead(200, { "content-type": "text/plain", "content-length": fileBytes })
    for await (const part of fileContent()) if (!response.write(part)) await once(response, "drain")
    response.end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.txt`, stop: () => server.close() }
}

/** Memory of a process at the start, at most and after the transfers, in MiB, and the rate. */
interface Measured {
  readonly start: number
  readonly highest: number
  readonly after: number
  readonly perSecond: number
}

const measuring = async (pid: number, transfer: () => Promise<unknown>): Promise<Measured> => {
  await transfer()
  const memory = () => (memoryOf(pid) ?? Number.NaN) / mebibyte
  const start = memory()
  let highest = start
  const timer = setInterval(() => {
    highest = Math.max(highest, memory())
  }, 20)
  const begin = performance.now()
  let left = transfers
  const one = async () => {
    while (left-- > 0) await transfer()
  }
  await Promise.all(Array.from({ length: atOnce }, one))
  clearInterval(timer)
  const perSecond = (transfers * fileBytes) / mebibyte / ((performance.now() - begin) / 1_000)
  await sleep(2_000)
  return { start, highest, after: memory(), perSecond }
}

const cell = ({ after, highest, perSecond, start }: Measured): string =>
  `memory ${start.toFixed(0)}, at most ${highest.toFixed(0)}, after ${after.toFixed(0)} MiB; ${perSecond.toFixed(0)} MiB/s`

const rowOf = (what: string, ours: Measured, floor?: Measured): TableRow => {
  const name = `Files, SQLite: ${transfers} of 16 MiB, ${atOnce} at once, ${what}`
  return floor === undefined
    ? singleRow(name, cell(ours))
    : [name, cell(ours), cell(floor), `**${(ours.perSecond / floor.perSecond).toFixed(2)}×**`]
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

/** Memory of a host while files of 16 MiB go in and out, on SQLite with files on the disk, also through a vendor. */
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
        body: ReadableStream.from(fileContent()),
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
    rows.push(rowOf(what, await measuring(host.pid, transfer)))
  }

  const { id: attachment_id } = await upload()
  await measure("uploaded", upload)
  await measure("fetched from a URL and sent", async () => settled((await send({ url: source.url })).message_id))
  const message = await settled((await send({ attachment_id })).message_id)
  await measure("downloaded by a link", () => download(message))
  source.stop()
  await host.stop()
  return [...rows, ...(await throughVendor(bench))]
}

/** Files through WhatsApp: what customers send is fetched, and what is uploaded is uploaded to the vendor and sent. */
const throughVendor = async (bench: Bench): Promise<ReadonlyArray<TableRow>> => {
  const vendor = await filesVendor(phoneNumberId, accessToken)
  const store = bench.stores.sqlite()
  await seedWhatsApp(store, { webhookUrl: bench.webhookUrl }, { accessToken, apiUrl: vendor.origin })
  const host = await bench.startHost(store, { PARLEY_API_URLS: vendor.origin })
  const folder = mkdtempSync(join(bench.stores.folder, "files-"))
  const byHand = await bench.start<never, never>("filesByHand", {
    ...{ folder, vendor: vendor.origin, phoneNumberId, accessToken }
  } satisfies FilesByHandSetting)
  const checked = async (answer: Response) => {
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const data = async (answer: Promise<Response>) => ((await (await checked(await answer)).json()) as any).data
  const uploadTo = (url: string) =>
    fetch(url, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${apiKey}`, "content-type": "text/plain" },
        "idempotency-key": crypto.randomUUID()
      },
      body: ReadableStream.from(fileContent()),
      duplex: "half"
    })

  const number = "491700000001"
  const receive = async () => {
    const id = `m${crypto.randomUUID()}`
    const body = webhookBody(`wamid.${id}`, number, { type: "document", document: { id, mime_type: "text/plain" } })
    const headers = { "content-type": "application/json", "x-hub-signature-256": signatureOf(body) }
    await checked(await fetch(`${host.origin}/inbound/${whatsappConnectionId}`, { method: "POST", headers, body }))
    const stored = `SELECT 1 FROM attached_files WHERE reference = '${id}' AND status = 'stored'`
    while ((await rowsOf(store, stored)).length === 0) await sleep(50)
  }
  const send = async () => {
    const { id: attachment_id } = await data(uploadTo(`${host.origin}/api/v1/attachments?file_name=file.txt`))
    const headers = {
      ...{ authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      "idempotency-key": crypto.randomUUID()
    }
    const body = JSON.stringify({
      ...{ channel: "whatsapp", to: `+${number}`, type: "media", message: { attachments: [{ attachment_id }] } }
    })
    const { message_id } = await data(fetch(`${host.origin}/api/v1/messages`, { method: "POST", headers, body }))
    for (;;) {
      const { error, status } = await data(fetch(`${host.origin}/api/v1/messages/${message_id}`, { headers }))
      if (status === "failed") throw new Error(`a message failed: ${error.message}`)
      if (status !== "queued") return
      await sleep(50)
    }
  }

  const compared = async (what: string, ours: () => Promise<unknown>, floor: () => Promise<unknown>) => {
    bench.progress(`files, ${what}`)
    return rowOf(what, await measuring(host.pid, ours), await measuring(byHand.pid, floor))
  }
  const rows = [
    await compared("from customers on WhatsApp; plain streams of Node", receive, async () =>
      checked(await fetch(`${byHand.origin}/receive`, { method: "POST", body: crypto.randomUUID() }))
    ),
    await compared("uploaded and sent on WhatsApp; plain streams of Node", send, async () =>
      checked(await uploadTo(`${byHand.origin}/send`))
    )
  ]
  await host.stop()
  await byHand.stop()
  vendor.stop()
  return rows
}
