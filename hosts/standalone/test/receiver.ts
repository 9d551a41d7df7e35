import { createHmac } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** A webhook as it arrived. */
export interface Arrival {
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly body: string
  readonly event: {
    readonly id: string
    readonly type: string
    readonly external_reference?: string | null
    readonly data: { readonly message: { readonly id: string; readonly status: string } }
  }
}

/** A customer's webhook receiver on this machine, while the scope lives. */
export const receiver = Effect.gen(function* () {
  const arrivals: Array<Arrival> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8")
      arrivals.push({ headers: request.headers, body, event: JSON.parse(body) })
      response.end("thanks")
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
  return { arrivals, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
})

/** The signature that the specification asks for, worked out here on its own. */
export const expectedSignature = (secret: string, { body, headers }: Arrival): string =>
  `sha256=${createHmac("sha256", secret).update(`${headers["x-webhook-timestamp"]}.${body}`).digest("hex")}`
