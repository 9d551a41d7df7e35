import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Data, Effect, Runtime } from "effect"

/** The server cannot listen on the configured address. `message` is one line for the operator. */
export class CannotListen extends Data.TaggedError("CannotListen")<{
  /** The environment variable of the port. */
  readonly setting: string
  readonly host: string
  readonly port: number
  readonly code: string
}> {
  override get message(): string {
    const { code, host, port, setting } = this
    if (code === "EADDRINUSE")
      return `${setting} ${port} is in use on ${host}: stop the process that listens there, or set another port (0 selects a free one)`
    if (code === "EACCES") return `${setting} ${port} requires rights that this process lacks: set another port`
    return `PARLEY_HOST ${host} cannot be listened on (${code})`
  }
}

/** Minimum interval of log lines about connections that cannot be accepted, in ms. */
const reportEvery = 60_000

/**
 * Maximum number of connections that wait to be accepted; the system may allow fewer (`net.core.somaxconn`). Beyond it,
 * the system drops a client's first packets, and the client tries again after a second or more. Node's default is 511,
 * which a burst of strangers' connections fills.
 */
const backlog = 4_096

/**
 * Starts to accept connections, and returns the address. A connection that cannot be accepted later, such as without a
 * free file descriptor, is logged, at most once a minute.
 */
export const listen = (
  server: Server,
  host: string,
  port: number,
  setting = "PARLEY_PORT"
): Effect.Effect<AddressInfo, CannotListen> =>
  Effect.flatMap(Effect.runtime<never>(), (runtime) =>
    Effect.async((resume) => {
      let reportedAt = Number.NEGATIVE_INFINITY
      // Without a listener, the error would end the process.
      const notAccepted = (error: NodeJS.ErrnoException) => {
        if (performance.now() < reportedAt + reportEvery) return
        reportedAt = performance.now()
        Runtime.runFork(
          runtime,
          Effect.logWarning(`a connection could not be accepted: ${error.code ?? error.message}`)
        )
      }
      const refused = (error: NodeJS.ErrnoException) =>
        resume(new CannotListen({ setting, host, port, code: error.code ?? error.message }))
      server.once("error", refused)
      server.listen({ host, port, backlog }, () => {
        server.off("error", refused)
        server.on("error", notAccepted)
        resume(Effect.succeed(server.address() as AddressInfo))
      })
    })
  )

/** The URL on this machine for the address; a wildcard address is reached by loopback. */
export const urlOf = ({ address, family, port }: AddressInfo): string => {
  const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`
}
