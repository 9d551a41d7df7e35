import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

/** A complete request to a vendor's fake. */
export interface VendorRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A response of a fake; values other than bytes or text are sent as JSON. */
export interface VendorAnswer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body: unknown
}

/** A vendor's HTTP server in this process, on its own port. */
export interface VendorServer {
  /** Without a trailing slash. */
  readonly url: string
  /** Sets the response to the next request. */
  readonly answerNext: (answer: VendorAnswer) => void
  /** Reads the next request, then closes the connection. */
  readonly cutNext: () => void
  /** Reads the next request and never responds. */
  readonly ignoreNext: () => void
  /** Stops listening. */
  readonly stop: () => Promise<void>
}

/** Starts a server; stopped with the scope. */
export const vendorServer = (
  handle: (request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>
): Effect.Effect<VendorServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => start(handle)),
    ({ stop }) => Effect.promise(stop)
  )

const start = async (
  handle: (request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>
): Promise<VendorServer> => {
  const arranged: Array<VendorAnswer | "cut" | "ignore"> = []
  const server = createServer((incoming, outgoing) => {
    void read(incoming).then(
      async (request) => {
        const next = arranged.shift() ?? (await handle(request))
        if (next === "cut") outgoing.destroy()
        else if (next !== "ignore") write(outgoing, next)
      },
      // The client broke the request off: no vendor would take it.
      () => outgoing.destroy()
    )
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerNext: (answer) => void arranged.push(answer),
    cutNext: () => void arranged.push("cut"),
    ignoreNext: () => void arranged.push("ignore"),
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped())
        server.closeAllConnections()
      })
  }
}

const read = async (incoming: IncomingMessage): Promise<VendorRequest> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://vendor")
  return {
    method: incoming.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks)
  }
}

const write = (outgoing: ServerResponse, { body, headers, status }: VendorAnswer): void => {
  const isRaw = typeof body === "string" || body instanceof Uint8Array
  outgoing.writeHead(status, { "content-type": isRaw ? "application/octet-stream" : "application/json", ...headers })
  outgoing.end(isRaw ? body : JSON.stringify(body))
}
