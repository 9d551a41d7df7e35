import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import type { ChannelProvider, Connection } from "@parley/core"
import { Effect, Logger } from "effect"
import type { MemoryContext } from "./memoryContext.js"
import { pushedOf } from "./visits.js"

/** A host with one web chat that can be stopped and started. */
export interface ChatServer {
  /** URL of the connection, `…/inbound/<id>`. */
  readonly url: string
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
  /** Accepts the next message but drops the response. */
  readonly loseNextAnswer: () => void
}

/** A web chat server for browser tests; stopped with the scope. */
export const chatServer = (
  provider: ChannelProvider,
  connection: Connection,
  credentials: unknown,
  context: MemoryContext,
  logger: Logger.Logger<unknown, void> = Logger.none
) =>
  Effect.gen(function* () {
    const prefix = `/inbound/${connection.id}`

    let losesAnswer = false

    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://host")
      const file = context.files.get(/^\/media\/([^/]+)$/.exec(pathname)?.[1] ?? "")
      if (file !== undefined) {
        response.writeHead(200, { "content-type": file.contentType })
        return void response.end(file.bytes)
      }
      const parts: Array<Uint8Array> = []
      for await (const part of request) parts.push(part)
      const answered = await (
        provider.serve?.(
          connection,
          credentials,
          {
            method: request.method ?? "",
            path: pathname.slice(prefix.length),
            query: Object.fromEntries(searchParams),
            headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
            body: Buffer.concat(parts),
            // This host is behind a proxy that it trusts.
            address: String(request.headers["x-forwarded-for"] ?? request.socket.remoteAddress)
          },
          context
        ) ?? Effect.dieMessage("it does not serve")
      ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)), Effect.runPromise)
      if (losesAnswer && answered.status === 202) {
        losesAnswer = false
        return void response.destroy()
      }
      response.writeHead(answered.status, answered.headers)
      if (typeof answered.body === "string") return void response.end(answered.body)
      const writer = pushedOf(answered).open({
        write: (text) => response.write(text),
        end: () => response.end(),
        destroy: () => response.destroy()
      })
      response.on("drain", writer.drained.bind(writer)).on("close", writer.closed.bind(writer))
    }

    const server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy())
    })
    const listen = (port: number) =>
      Effect.async<void>((resume) => void server.listen(port, "127.0.0.1", () => resume(Effect.void)))
    const stop = Effect.async<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
    yield* listen(0)
    yield* Effect.addFinalizer(() => stop)
    const { port } = server.address() as AddressInfo
    const self: ChatServer = {
      url: `http://127.0.0.1:${port}${prefix}`,
      stop,
      start: listen(port),
      loseNextAnswer: () => {
        losesAnswer = true
      }
    }
    return self
  })
