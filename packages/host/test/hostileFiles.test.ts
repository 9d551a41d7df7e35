import { once } from "node:events"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { createServer, request, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Writable } from "node:stream"
import { setImmediate as nextTurn } from "node:timers/promises"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { createParley, type Parley } from "../src/index.js"
import { makeShop, quiet } from "./shop.js"

const mebibyte = 2 ** 20
/** The largest file of email. */
const limit = 15 * mebibyte
/** What sockets and pipes may hold besides. */
const buffers = 16 * mebibyte
const megabyte = Buffer.alloc(1_000_000, "a")

/** Until a stream takes more, or is gone. */
const drained = async (stream: Writable) => {
  const over = new AbortController()
  const { signal } = over
  await Promise.race([once(stream, "drain", { signal }), once(stream, "close", { signal })]).finally(() => over.abort())
}

/** Writes chunks as fast as the reader takes them, until it is gone or `count` were written. */
const pour = async (response: ServerResponse, count: number) => {
  let gone = false
  response.on("close", () => {
    gone = true
  })
  for (let written = 0; written < count && !gone; written++) {
    if (!response.write(megabyte)) await drained(response)
    // A write that does not fill the buffer must not keep the reader in this process from its turn.
    await nextTurn()
  }
  response.end()
}

const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n")

const answers: { readonly [path: string]: (response: ServerResponse) => unknown } = {
  "/good": (response) => response.setHeader("content-type", "application/pdf").end(pdf),
  "/100-megabytes": (response) => {
    response.setHeader("content-length", 100 * megabyte.length)
    return pour(response, 100)
  },
  "/endless": (response) => pour(response, Number.POSITIVE_INFINITY),
  "/slow": (response) => response.write("a"),
  "/empty": (response) => response.setHeader("content-type", "image/png").end(),
  "/cut": (response) => {
    response.writeHead(200, { "content-length": 1_000 })
    response.write("a part", () => response.socket?.destroy())
  },
  "/mislabelled": (response) => response.setHeader("content-type", "image/png").end(pdf),
  "/to-private": (response) => response.writeHead(302, { location: "http://10.0.0.1/secret" }).end(),
  "/to-metadata": (response) => response.writeHead(307, { location: "http://169.254.169.254/latest" }).end(),
  "/to-file": (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end()
}

describe("files of hostile sources", () => {
  const sockets = new Map<string, Socket>()
  const source = createServer(({ socket, url = "" }, response) => {
    sockets.set(url, socket)
    void (answers[url] ?? (() => response.writeHead(404).end()))(response)
  })
  const server = createServer((incoming, response) => parley.listener(incoming, response))
  const portOf = ({ address }: typeof source) => (address.call(source) as AddressInfo).port
  let parley: Parley
  let folder = ""
  let apiKey = ""
  let port = 0

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-files-"))
    parley = await createParley({
      ...quiet,
      logLevel: "error",
      blobs: { folder },
      webhooks: { allow: ["127.0.0.0/8"], allowHttp: true }
    })
    apiKey = (await makeShop(parley)).apiKey
    await Promise.all([source, server].map((one) => once(one.listen(0, "127.0.0.1"), "listening")))
    port = (server.address() as AddressInfo).port
  })
  afterAll(async () => {
    await parley.close()
    for (const one of [source, server]) {
      one.closeAllConnections()
      one.close()
    }
    await rm(folder, { recursive: true })
  })

  /** Sends the file at this path of the source; returns the message's id. */
  const send = async (path: string, contentType?: string) => {
    const file = {
      url: `http://127.0.0.1:${portOf(source)}${path}`,
      ...(contentType === undefined ? {} : { content_type: contentType })
    }
    const { data } = await parley.client(apiKey).messages.send({
      channel: "email",
      to: "ada@customer.example",
      type: "media",
      message: { body: "See", subject: "File", attachments: [file] }
    })
    return data.message_id
  }
  const read = async (id: string) => (await parley.client(apiKey).messages.get(id)).data
  const ended = (id: string) =>
    vi.waitUntil(
      async () => {
        const message = await read(id)
        return message.status !== "queued" && message
      },
      { timeout: 60_000, interval: 20 }
    )
  const failureOf = async (path: string, contentType?: string) => {
    const { error, status } = await ended(await send(path, contentType))
    return [status, error?.code, error?.message.replace(/^A file could not be fetched: /, "")]
  }
  /** The files in the blob store, drafts included. */
  const stored = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).length
  }

  it.each(["/100-megabytes", "/endless"])("are not read further than the limit: %s", async (path) => {
    const before = await stored()
    expect(await failureOf(path)).toEqual(["failed", "validation_failed", `it has more than ${limit} bytes.`])
    const socket = sockets.get(path)
    await vi.waitUntil(() => socket?.destroyed, { timeout: 60_000 })
    expect(socket?.bytesWritten).toBeGreaterThan(limit)
    expect(socket?.bytesWritten).toBeLessThan(limit + buffers)
    expect(await stored()).toBe(before)
  })

  it("fail the message if they are empty, or of another kind than declared", async () => {
    const before = await stored()
    expect(await failureOf("/empty")).toEqual(["failed", "validation_failed", "it is empty."])
    expect(await failureOf("/good", "image/png")).toEqual([
      "failed",
      "validation_failed",
      "it is declared as image/png, but its bytes are application/pdf."
    ])
    expect(await stored()).toBe(before)
  })

  it("have the type of their bytes, not the one that the source claims", async () => {
    expect((await ended(await send("/mislabelled"))).attachments).toMatchObject([
      { type: "document", content_type: "application/pdf", size: pdf.length }
    ])
  })

  it.each([
    ["/to-private", "its URL must be at a public address."],
    ["/to-metadata", "its URL must be at a public address."],
    ["/to-file", "its URL must be an http or https URL."]
  ])("are not fetched from where the source redirects to: %s", async (path, reason) => {
    expect(await failureOf(path)).toEqual(["failed", "validation_failed", reason])
  })

  it("that break off or do not end delay no other message, and are not sent", async () => {
    const before = await stored()
    const [cut, slow] = [await send("/cut"), await send("/slow")]
    await vi.waitUntil(() => sockets.has("/cut") && sockets.has("/slow"), { timeout: 60_000 })
    const { attachments } = await ended(await send("/good"))
    expect(attachments).toMatchObject([{ content_type: "application/pdf", size: pdf.length }])
    expect([(await read(cut)).status, (await read(slow)).status]).toEqual(["queued", "queued"])
    // The good file, and the draft of the slow one.
    expect(await stored()).toBeLessThanOrEqual(before + 2)
  })

  describe("that are uploaded", () => {
    /** Uploads over a socket. Returns the status and the body of the response. */
    const upload = (headers: { readonly [name: string]: string | number }, chunks: number, chunk: Buffer = megabyte) =>
      new Promise<readonly [status: number, body: string]>((resolve, reject) => {
        const sent = request(
          {
            port,
            path: "/api/v1/attachments",
            method: "POST",
            headers: { authorization: `Bearer ${apiKey}`, "idempotency-key": crypto.randomUUID(), ...headers }
          },
          (response) => {
            let body = ""
            response.setEncoding("utf8").on("data", (text) => {
              body += text
            })
            response.on("end", () => {
              resolve([response.statusCode ?? 0, body])
              sent.destroy()
            })
          }
        )
        sent.on("error", reject)
        const write = async () => {
          for (let left = chunks; left > 0 && !sent.destroyed; left--) {
            if (!sent.write(chunk)) await drained(sent)
            await nextTurn()
          }
          sent.end()
        }
        void write().catch(() => {})
      })

    it("leave nothing if they are larger than the limit", async () => {
      const before = await stored()
      const [status, body] = await upload({ "content-type": "text/plain" }, 100)
      expect([status, JSON.parse(body).error.code]).toEqual([413, "payload_too_large"])
      expect(await stored()).toBe(before)
    })

    it("are refused if they are empty or lie about their type", async () => {
      const [empty] = await upload({ "content-type": "text/plain" }, 0)
      const [lie, body] = await upload({ "content-type": "image/png" }, 1, pdf)
      expect([empty, lie]).toEqual([422, 422])
      expect(JSON.parse(body).error.details.file).toEqual([
        "is declared as image/png, but its bytes are application/pdf"
      ])
    })
  })
})
