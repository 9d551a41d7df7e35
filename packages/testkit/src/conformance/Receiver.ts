import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { WebhookBody } from "./Resources.js"
import { shaped } from "./shaped.js"

/** A received webhook. */
export interface Arrival {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** The raw body, for the signature. */
  readonly raw: Buffer
  readonly body: typeof WebhookBody.Type
  /** In ms since the epoch. */
  readonly at: number
}

/** A webhook URL, and the webhooks received there. */
export interface Inbox {
  readonly url: string
  readonly arrivals: ReadonlyArray<Arrival>
  /** Sets the response from now on; initially 200. */
  readonly answer: (reply: Reply) => void
}

/** A status, a status with headers, or no response. */
export type Reply =
  | { readonly status: number; readonly headers?: { readonly [name: string]: string }; readonly body?: string }
  | "silence"

/** The suite's webhook receiver. */
export interface Receiver {
  readonly inbox: () => Inbox
  readonly close: () => Promise<void>
}

/** Where the suite listens, and the URL by which the deployment reaches it. */
export interface ReceiverOptions {
  /** An address of this machine. Default: 127.0.0.1. */
  readonly host?: string
  /** Default: a free port. */
  readonly port?: number
  /** The URL that leads to host and port. Default: that of host and port. */
  readonly url?: string
}

/** Starts a webhook server. */
export const openReceiver = async ({ host = "127.0.0.1", port = 0, url }: ReceiverOptions = {}): Promise<Receiver> => {
  const inboxes = new Map<string, { readonly arrivals: Array<Arrival>; reply: Reply }>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const inbox = inboxes.get(request.url?.split("/").pop() ?? "")
      const raw = Buffer.concat(chunks)
      inbox?.arrivals.push({
        method: request.method ?? "",
        headers: request.headers,
        raw,
        // Parsed on access, so that an invalid body fails the test that reads it.
        get body() {
          return shaped(WebhookBody, JSON.parse(raw.toString("utf8")), "a webhook's body")
        },
        at: Date.now()
      })
      reply(response, inbox?.reply ?? { status: 404 })
    })
  })
  server.listen(port, host)
  await once(server, "listening")
  const base = url ?? `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    inbox: () => {
      const name = `inbox-${inboxes.size + 1}`
      const inbox = { arrivals: [] as Array<Arrival>, reply: { status: 200 } as Reply }
      inboxes.set(name, inbox)
      return {
        url: `${base.replace(/\/+$/, "")}/${name}`,
        arrivals: inbox.arrivals,
        answer: (next) => {
          inbox.reply = next
        }
      }
    },
    close: async () => {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}

const reply = (response: ServerResponse, how: Reply): void => {
  if (how === "silence") return
  response.writeHead(how.status, how.headers).end(how.body)
}
