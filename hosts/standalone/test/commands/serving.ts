import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

const tooMany = JSON.stringify({ error: { code: "rate_limited", message: "Too many.", details: {}, request_id: "" } })

/**
 * A server with a list of this number of rows, which records its requests. Other paths do not respond like Parley. The
 * first `busy` requests are refused with 429.
 */
export const serving = (rows: number, busy = 0) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly requests: Array<string>; readonly close: () => void }>((resume) => {
      const requests: Array<string> = []
      const server = createServer((request, response) => {
        const url = new URL(request.url ?? "", "http://unused")
        requests.push(`${request.method} ${url.pathname}${url.search} ${request.headers.authorization}`)
        if (requests.length <= busy) return response.writeHead(429, { "retry-after": "0" }).end(tooMany)
        if (!/^\/admin\/v1\/(rows|applications)$/.test(url.pathname)) return response.end("<html>")
        const from = Number(url.searchParams.get("cursor") ?? 0)
        const to = Math.min(rows, from + Number(url.searchParams.get("limit") ?? 25))
        url.searchParams.set("cursor", String(to))
        response.end(
          JSON.stringify({
            data: Array.from({ length: to - from }, (_, at) => ({ id: from + at })),
            meta: { per_page: 25, has_more: to < rows },
            links: { next: to < rows ? url.pathname + url.search : null, prev: null }
          })
        )
      })
      server.listen(0, "127.0.0.1", () => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        resume(Effect.succeed({ url, requests, close: () => server.close().closeAllConnections() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
