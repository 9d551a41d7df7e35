import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Pool } from "undici"
import { atRate } from "../../measuring/atRate.js"

/** What an attack gets: the target, its own addresses and the count of its results. */
export interface AttackContext {
  readonly origin: string
  /** A loopback address that no other attack connects from. */
  readonly address: string
  /** Ends the attack. */
  readonly stop: AbortSignal
  /** Counts one result: an HTTP status, or how a connection ended. */
  readonly count: (result: string) => void
}

/** Runs until it is stopped. */
export type Attack = (context: AttackContext) => Promise<unknown>

interface AttackRequest {
  readonly method: "GET" | "HEAD" | "POST"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Calls that may wait for an answer at the same time; a call beyond them is not made. */
const maxWaiting = 200

/** The result of a connection or request that failed without a status. */
const failure = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "failed"

/** A function that sends a request, counts its status and returns the response's text; empty without a response. */
export const requester = ({ address, count, origin, stop }: AttackContext, connections = 16) => {
  const pool = new Pool(origin, { connections, pipelining: 1, localAddress: address })
  stop.addEventListener("abort", () => void pool.destroy())
  // As through a trusted proxy, from a public address: the host counts a private one as that of a proxy.
  const from = { "x-forwarded-for": address.replace("127.0.0", "203.0.113") }
  return async (request: AttackRequest): Promise<string> => {
    try {
      const { body, statusCode } = await pool.request({ ...request, headers: { ...request.headers, ...from } })
      const text = await body.text()
      count(String(statusCode))
      return text
    } catch (error) {
      if (!stop.aborted) count(failure(error))
      return ""
    }
  }
}

/** Calls at an even rate until the attack is stopped. */
export const flood = (
  { count, stop }: AttackContext,
  perSecond: number,
  call: () => Promise<unknown>
): Promise<void> => {
  let waiting = 0
  return atRate(
    perSecond,
    Number.POSITIVE_INFINITY,
    async () => {
      if (waiting >= maxWaiting) return count("not sent: too many wait")
      waiting++
      await call()
      waiting--
    },
    stop
  )
}

/** Pause before a connection that ended is replaced. */
const pauseMs = 250

/**
 * Keeps a number of connections open, replaces those that end, and counts how each ended: the status of its response,
 * or the failure. `begin` runs for each connection that is open.
 */
export const hold = (
  { address, count, origin, stop }: AttackContext,
  connections: number,
  begin: (socket: Socket) => void
) => {
  const { hostname, port } = new URL(origin)
  const one = async () => {
    while (!stop.aborted) {
      const result = await new Promise<string>((resolve) => {
        const socket = connect({ host: hostname, port: Number(port), localAddress: address })
        let status = "closed without a response"
        const end = () => socket.destroy()
        stop.addEventListener("abort", end)
        socket.once("connect", () => begin(socket))
        socket.on("data", (chunk) => {
          status = /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString("latin1"))?.[1] ?? status
        })
        socket.on("error", (error) => {
          if (status.startsWith("closed")) status = failure(error)
        })
        socket.once("close", () => {
          stop.removeEventListener("abort", end)
          resolve(stop.aborted ? "open at the end" : status)
        })
      })
      count(result)
      if (!stop.aborted) await sleep(pauseMs)
    }
  }
  return Promise.all(Array.from({ length: connections }, one))
}
