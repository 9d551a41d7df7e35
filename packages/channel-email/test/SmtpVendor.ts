import type { AddressInfo, Socket } from "node:net"
import { Effect, type Scope } from "effect"
import { type ParsedMail, simpleParser } from "mailparser"
import { SMTPServer, type SMTPServerEnvelope, type SMTPServerOptions } from "smtp-server"
import { certificate, key } from "./certificate.js"

/** Where in a mail's way a server answers with an error. */
export type Stage = "auth" | "mail" | "rcpt" | "data"

/** A mail that the server took. */
export interface TakenMail {
  readonly envelope: SMTPServerEnvelope
  readonly mail: ParsedMail
  readonly raw: string
}

/** A real SMTP server with one login, which may send from one address. */
export interface SmtpVendor {
  readonly port: number
  readonly taken: ReadonlyArray<TakenMail>
  /** How many connections were made in all, and are open. */
  readonly made: () => number
  readonly open: () => number
  /** The next mail is answered so at this stage, such as `550 5.1.1 No such user`. */
  readonly refuse: (stage: Stage, reply: string) => void
  /** The next connection ends at this stage, without an answer; at `data`, once the mail is whole. */
  readonly cut: (stage: Stage) => void
  readonly stop: () => Promise<void>
}

export interface SmtpLogin {
  readonly user: string
  readonly password: string
  readonly address: string
  /** Other addresses that it may send from. */
  readonly alias?: RegExp
}

/** Starts one, which ends with the scope. */
export const smtpVendor = (
  login: SmtpLogin,
  options: SMTPServerOptions = {}
): Effect.Effect<SmtpVendor, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => start(login, options)),
    ({ stop }) => Effect.promise(stop)
  )

const start = async (login: SmtpLogin, options: SMTPServerOptions): Promise<SmtpVendor> => {
  const taken: Array<TakenMail> = []
  let next: { readonly stage: Stage; readonly reply: string | null } | null = null
  let made = 0

  /** What is arranged for a stage, once; a cut ends the session's socket. */
  const matches = (stage: Stage): Error | "cut" | null => {
    if (next?.stage !== stage) return null
    const { reply } = next
    next = null
    if (reply === null) {
      for (const connection of server.connections) connection.close()
      return "cut"
    }
    return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) })
  }
  /** Goes on, unless something is arranged. */
  const passes = (stage: Stage, done: (error?: Error | null) => void, otherwise: () => void) => {
    const conditions = matches(stage)
    if (conditions !== "cut") conditions === null ? otherwise() : done(conditions)
  }

  const server = new SMTPServer({
    key,
    cert: certificate,
    hideENHANCEDSTATUSCODES: true,
    hideDSN: false,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    ...options,
    onConnect: (_session, done) => {
      made += 1
      done()
    },
    onAuth: ({ password, username }, _session, done) =>
      passes("auth", done, () =>
        username === login.user && password === login.password
          ? done(null, { user: username })
          : done(Object.assign(new Error("5.7.8 Authentication failed"), { responseCode: 535 }))
      ),
    onMailFrom: ({ address }, _session, done) =>
      passes("mail", done, () =>
        address === login.address || login.alias?.test(address) === true
          ? done()
          : done(Object.assign(new Error("5.7.1 Not yours"), { responseCode: 553 }))
      ),
    onRcptTo: (_address, _session, done) => passes("rcpt", done, () => done()),
    onData: (stream, { envelope }, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => chunks.push(chunk))
      stream.on("end", () =>
        passes("data", done, () => {
          const raw = Buffer.concat(chunks)
          void simpleParser(raw).then((mail) => {
            taken.push({ envelope: structuredClone(envelope), mail, raw: raw.toString("latin1") })
            done()
          })
        })
      )
    }
  })
  server.on("error", () => {})
  const sockets = new Set<Socket>()
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    made: () => made,
    open: () => sockets.size,
    refuse: (stage, reply) => {
      next = { stage, reply }
    },
    cut: (stage) => {
      next = { stage, reply: null }
    },
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped())
        for (const socket of sockets) socket.destroy()
      })
  }
}
