import { createHmac } from "node:crypto"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Queue, type Scope } from "effect"

/** A webhook as it arrived. */
export interface Arrival {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A customer's webhook receiver on this machine, while the scope lives. */
export const receiver: Effect.Effect<
  { readonly url: string; readonly next: Effect.Effect<Arrival> },
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const arrivals = yield* Queue.unbounded<Arrival>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      Queue.unsafeOffer(arrivals, { headers: request.headers, body: Buffer.concat(chunks).toString("utf8") })
      response.end()
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
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, next: Queue.take(arrivals) }
})

/** The signature that the specification asks for, worked out here on its own. */
export const signatureOf = (secret: string, { body, headers }: Arrival): string =>
  `sha256=${createHmac("sha256", secret).update(`${headers["x-webhook-timestamp"]}.${body}`).digest("hex")}`
