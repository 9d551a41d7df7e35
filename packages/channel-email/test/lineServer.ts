import { type AddressInfo, createServer, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { Effect, type Scope } from "effect"
import { key } from "./certificate.js"

/** What a server answers to a line; null: nothing. */
export type AnswerLine = (line: string, socket: Socket) => string | null

/** Starts a server that greets and answers each line, over TLS where it has a certificate. It ends with the scope. */
export const lineServer = (
  greeting: string,
  answer: AnswerLine,
  cert: string | null = null
): Effect.Effect<{ readonly port: number }, never, Scope.Scope> => {
  const sockets = new Set<Socket>()
  const serve = (socket: Socket) => {
    let rest = ""
    socket.write(`${greeting}\r\n`)
    socket.on("data", (chunk) => {
      const lines = `${rest}${chunk.toString("latin1")}`.split("\r\n")
      rest = lines.pop() ?? ""
      for (const line of lines) {
        const answered = answer(line, socket)
        if (answered !== null && !socket.destroyed) socket.write(`${answered}\r\n`)
      }
    })
  }
  const make = Effect.async<ReturnType<typeof createServer>>((resume) => {
    const server = cert === null ? createServer(serve) : createTlsServer({ key, cert }, serve)
    server.on("connection", (socket: Socket) => {
      sockets.add(socket)
      socket.on("error", () => {})
    })
    if (cert !== null) server.on("secureConnection", (socket: Socket) => socket.on("error", () => {}))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  })
  return Effect.map(
    Effect.acquireRelease(make, (server) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
    ),
    (server) => ({ port: (server.address() as AddressInfo).port })
  )
}

/** An SMTP server's answers, up to the text of a mail, but for the lines that `instead` answers. */
export const smtpAnswers =
  (instead: (line: string, socket: Socket) => string | null | undefined): AnswerLine =>
  (line, socket) => {
    const given = instead(line, socket)
    if (given !== undefined) return given
    if (line.startsWith("EHLO")) return "250-mail.example\r\n250 AUTH PLAIN"
    if (line.startsWith("AUTH")) return "235 OK"
    return line.startsWith("DATA") ? "354 Go on" : "250 OK"
  }

/** An IMAP server's answers up to the login, but for the commands that `instead` answers, without their tags. */
export const imapAnswers =
  (capabilities: string, instead: (command: string, socket: Socket) => string | null | undefined): AnswerLine =>
  (line, socket) => {
    const tag = line.split(" ", 1)[0] ?? ""
    const command = line.slice(tag.length + 1)
    const given = instead(command, socket)
    if (given !== undefined) return given === null ? null : `${tag} ${given}`
    const before = command.startsWith("CAPABILITY") ? `* CAPABILITY IMAP4rev1 ${capabilities}\r\n` : ""
    return `${before}${tag} OK done`
  }
