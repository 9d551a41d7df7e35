import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { WebhookBody } from "./Resources.js"
import { shaped } from "./shaped.js"

/** A webhook as it arrived. */
export interface Arrival {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** As it came, for the signature. */
  readonly raw: Buffer
  readonly body: typeof WebhookBody.Type
  /** In milliseconds of the epoch. */
  readonly at: number
}

/** A URL that webhooks can be sent to, and what arrived there. */
export interface Inbox {
  readonly url: string
  readonly arrivals: ReadonlyArray<Arrival>
  /** How it answers from now on; it begins with 200. */
  readonly answer: (reply: Reply) => void
}

/** A status, one with headers, or nothing at all. */
export type Reply = { readonly status: number; readonly headers?: { readonly [name: string]: string } } | "silence"

/** Where the suite is sent webhooks. */
export interface Receiver {
  readonly inbox: () => Inbox
  readonly close: () => Promise<void>
}

/** Where the suite listens, and under which URL the deployment reaches that. */
export interface ReceiverOptions {
  /** An address of this machine; 127.0.0.1 where it is left out. */
  readonly host?: string
  /** Any that is free where it is left out. */
  readonly port?: number
  /** What leads to host and port; itself where it is left out. */
  readonly url?: string
}

/** Starts a server that takes webhooks. */
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
        // Read where a test asks for it, so that a wrong one fails that test.
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
  response.writeHead(how.status, how.headers).end()
}
