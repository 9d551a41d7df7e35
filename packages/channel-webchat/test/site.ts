import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/**
 * A business's site, on an origin of its own and with a strict Content-Security-Policy: its pages have the script of
 * this chat, and what the tag says of the visitor, such as `data-customer="42"`. Gone with the scope; answers its
 * origin.
 */
export const site = (chatUrl: () => string, tag: () => string = () => "") =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const server = createServer((_request, response) => {
          const { origin } = new URL(chatUrl())
          response.writeHead(200, {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src ${origin}`
          })
          response.end(
            `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">` +
              `<h1>Shop</h1><script src="${chatUrl()}/widget.js" async ${tag()}></script></html>`
          )
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.async<void>((resume) => {
          server.close(() => resume(Effect.void))
          server.closeAllConnections()
        })
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  )
