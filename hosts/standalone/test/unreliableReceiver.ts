import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

/** A received webhook. */
export interface Seen {
  /** The attempt: `X-Delivery-ID`. */
  readonly attempt: string
  readonly event: string
  /** Status of the response, once sent; null if the connection was closed without one. */
  answered: number | null
}

/** A receiver that fails at random until `calm`. */
export interface UnreliableReceiver {
  readonly url: string
  /** All webhooks in order of arrival. */
  readonly seen: ReadonlyArray<Seen>
  /** The contacts whose events were accepted. */
  readonly reported: ReadonlySet<string>
  readonly calmDown: () => void
}

/** Maximum number of failures per event: seven end a delivery (docs/reference/webhooks.md#retry-schedule). */
const maxFailures = 4

/** Seeded random numbers from 0 to 1. */
const numbersFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A receiver on this machine, while the scope lives. */
export const unreliableReceiver = (seed: number): Effect.Effect<UnreliableReceiver, never, Scope.Scope> =>
  Effect.gen(function* () {
    const seen: Array<Seen> = []
    const reported = new Set<string>()
    const failures = new Map<string, number>()
    const random = numbersFrom(seed)
    let calm = false
    const fails = (luck: number, event: string): boolean => {
      const before = failures.get(event) ?? 0
      if (luck >= 0.15 || before === maxFailures) return false
      failures.set(event, before + 1)
      return true
    }
    const answer = (webhook: Seen, contact: string, request: IncomingMessage, response: ServerResponse) => {
      const luck = calm ? 1 : random()
      const failed = fails(luck, webhook.event)
      if (failed && luck < 0.05) return request.socket.destroy()
      const status = failed ? 500 : 200
      const say = () =>
        response.writeHead(status).end(() => {
          webhook.answered = status
          if (status === 200) reported.add(contact)
        })
      if (luck < 0.25) setTimeout(say, 300)
      else say()
    }
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const event = JSON.parse(Buffer.concat(chunks).toString("utf8"))
        const attempt = `${request.headers["x-delivery-id"]}`
        const webhook: Seen = { attempt, event: event.id, answered: null }
        seen.push(webhook)
        answer(webhook, event.data.contact.id, request, response)
      })
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      }),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    return {
      seen,
      reported,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      calmDown: () => {
        calm = true
      }
    }
  })
