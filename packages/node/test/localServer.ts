import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { createServer as createSocketServer, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { Effect } from "effect"

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url), "utf8")

/** Self-signed for hooks.example, valid until 2120. */
export const certificate = fixture("certificate.pem")

/** Self-signed for hooks.example, expired in February 2020. */
export const expiredCertificate = fixture("expired.pem")

const listening = <S extends Server>(make: () => S, host: string, port: number) =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: S; readonly port: number; readonly sockets: Set<Socket> }>((resume) => {
      const server = make()
      const sockets = new Set<Socket>()
      server.on("connection", (socket) => sockets.add(socket))
      server.listen(port, host, () => {
        const address = server.address()
        resume(Effect.succeed({ server, sockets, port: typeof address === "object" && address ? address.port : 0 }))
      })
    }),
    ({ server, sockets }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        for (const socket of sockets) socket.destroy()
      })
  )

/** An HTTP server on loopback until the scope closes. `sockets` lists all its connections. */
export const serve = (answer: Answer, host = "127.0.0.1", port = 0) => listening(() => createServer(answer), host, port)

/** An HTTPS server. */
export const serveSecurely = (answer: Answer, cert = certificate) =>
  listening(() => createSecureServer({ cert, key: fixture("key.pem") }, answer), "127.0.0.1", 0)

/** A TCP server. */
export const serveSocket = (conversation: (socket: Socket) => void) =>
  listening(() => createSocketServer(conversation), "127.0.0.1", 0)

/** A TLS server without HTTP. */
export const serveSecureSocket = (conversation: (socket: Socket) => void) =>
  listening(() => createTlsServer({ cert: certificate, key: fixture("key.pem") }, conversation), "127.0.0.1", 0)

/** A server that repeats `more` as fast as the client reads, once it has received a request. */
export const pouring = (first: string, more: string) =>
  serveSocket((socket) => {
    socket.on("error", () => {})
    const pour = () => {
      while (!socket.destroyed && socket.write(more)) {}
    }
    socket.on("drain", pour)
    socket.once("data", () => {
      socket.write(first)
      pour()
    })
  })
