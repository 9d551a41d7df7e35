import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Effect, type Scope } from "effect"

/** An account at Courier. */
export interface CourierAccount {
  readonly sender: string
  readonly apiKey: string
}

/** Courier as its documentation describes it, in this process. */
export interface CourierVendor {
  readonly url: string
  /** The messages that it took. */
  readonly taken: ReadonlyArray<{ readonly to: string; readonly text: string }>
  /** Answers the next request otherwise: as an error, with a page of this status, or (null) with no answer. */
  readonly answerNext: (answer: CourierError | number | null) => void
  /** Stops listening. */
  readonly stop: () => Promise<void>
}

/** An error of Courier's. `retryAfter` in seconds. */
export interface CourierError {
  readonly status: number
  readonly code: string
  readonly retryAfter?: number
}

/** Starts a Courier with these accounts; it stops with the scope. */
export const courierVendor = (
  accounts: ReadonlyArray<CourierAccount>
): Effect.Effect<CourierVendor, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => started(accounts)),
    ({ stop }) => Effect.promise(stop)
  )

const started = async (accounts: ReadonlyArray<CourierAccount>): Promise<CourierVendor> => {
  const taken: Array<{ to: string; text: string }> = []
  const arranged: Array<CourierError | number | null> = []

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const next = arranged.shift()
    if (next === null) return void request.socket.destroy()
    if (typeof next === "number") return void response.writeHead(next).end("<html>A page of a proxy</html>")
    if (next !== undefined) return refuse(response, next)
    const account = accounts.find(({ apiKey }) => request.headers.authorization === `Bearer ${apiKey}`)
    if (account === undefined) return refuse(response, { status: 401, code: "invalid_key" })
    if (request.method === "GET") {
      return request.url === `/v1/senders/${account.sender}`
        ? reply(response, 200, { id: account.sender })
        : refuse(response, { status: 404, code: "unknown_sender" })
    }
    const message: { [field: string]: unknown } = JSON.parse(body)
    const { reference, sender, text: messageText, to, ...unknown } = message
    const fits =
      request.url === "/v1/messages" &&
      request.headers["content-type"] === "application/json" &&
      Object.keys(unknown).length === 0 &&
      sender === account.sender &&
      typeof reference === "string" &&
      typeof to === "string" &&
      /^[1-9][0-9]{6,14}$/.test(to) &&
      typeof messageText === "string"
    if (!fits) return refuse(response, { status: 400, code: "invalid_request" })
    if ([...messageText].length > 1_600) return refuse(response, { status: 413, code: "too_long" })
    taken.push({ to, text: messageText })
    reply(response, 201, { id: `courier-${taken.length}` })
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    taken,
    answerNext: (answer) => void arranged.push(answer),
    stop: () =>
      new Promise<void>((stopped) => {
        server.close(() => stopped())
        server.closeAllConnections()
      })
  }
}

const reply = (response: ServerResponse, status: number, body: unknown) => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

const refuse = (response: ServerResponse, { code, retryAfter, status }: CourierError) => {
  if (retryAfter !== undefined) response.setHeader("retry-after", String(retryAfter))
  reply(response, status, { error: { code, message: `Courier says: ${code.replaceAll("_", " ")}.` } })
}
