import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Data, Effect } from "effect"

/** The server cannot have the address that the settings name; `message` is one line for the operator. */
export class CannotListen extends Data.TaggedError("CannotListen")<{
  /** The setting that names the port. */
  readonly setting: string
  readonly host: string
  readonly port: number
  readonly code: string
}> {
  override get message(): string {
    const { code, host, port, setting } = this
    if (code === "EADDRINUSE")
      return `${setting} ${port} is in use on ${host}: stop what listens there, or choose another (0: any that is free)`
    if (code === "EACCES") return `${setting} ${port} needs rights that this process lacks: choose another`
    return `PARLEY_HOST ${host} cannot be listened on (${code})`
  }
}

/** Begins to accept connections, and answers where. */
export const listen = (
  server: Server,
  host: string,
  port: number,
  setting = "PARLEY_PORT"
): Effect.Effect<AddressInfo, CannotListen> =>
  Effect.async((resume) => {
    const refused = (error: NodeJS.ErrnoException) =>
      resume(new CannotListen({ setting, host, port, code: error.code ?? error.message }))
    server.once("error", refused)
    server.listen({ host, port }, () => {
      server.off("error", refused)
      resume(Effect.succeed(server.address() as AddressInfo))
    })
  })

/** Where this machine reaches an address that is listened on; one that stands for all of its own is reached at loopback. */
export const urlOf = ({ address, family, port }: AddressInfo): string => {
  const host = address === "0.0.0.0" ? "127.0.0.1" : address === "::" ? "::1" : address
  return `http://${family === "IPv6" ? `[${host}]` : host}:${port}`
}
