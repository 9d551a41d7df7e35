import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** A webhook that a receiver saw. */
export interface Seen {
  /** The attempt: what `X-Delivery-ID` says. */
  readonly attempt: string
  readonly event: string
  /** The contact that the event is about. */
  readonly contact: string
  /** What it was answered with, once it was; null: nothing, and the connection was closed. */
  answered: number | null
}

/** Numbers from 0 to 1 that are the same in every run. */
const numbersFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A receiver on this machine that fails at random, until it is told to be calm, while the scope lives. */
export const fickleReceiver = (seed: number) =>
  Effect.gen(function* () {
    const seen: Array<Seen> = []
    const random = numbersFrom(seed)
    let calm = false
    const answer = (webhook: Seen, request: IncomingMessage, response: ServerResponse) => {
      const luck = calm ? 1 : random()
      if (luck < 0.05) return request.socket.destroy()
      const status = luck < 0.15 ? 500 : 200
      const say = () =>
        response.writeHead(status).end(() => {
          webhook.answered = status
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
        const webhook: Seen = { attempt, event: event.id, contact: event.data.contact.id, answered: null }
        seen.push(webhook)
        answer(webhook, request, response)
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
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      calmDown: () => {
        calm = true
      }
    }
  })
