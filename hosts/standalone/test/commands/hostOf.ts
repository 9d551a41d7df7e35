import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createParley } from "@parley/host"
import type { FakeWhatsApp } from "@parley/testkit"
import { Effect, type Scope } from "effect"
import { messenger } from "../../../../packages/channel-messenger/src/index.js"
import { SandboxProvider } from "../../../../packages/channel-sandbox/src/index.js"
import { whatsapp } from "../../../../packages/channel-whatsapp/src/index.js"

export const adminToken = "an-admin-token-that-is-long-enough"

/** Serves an empty Parley whose WhatsApp is this one, and whose Messenger is at this URL, and answers its URL. */
export const hostOf = (meta: FakeWhatsApp, messengerUrl?: string): Effect.Effect<string, never, Scope.Scope> =>
  Effect.gen(function* () {
    const parley = yield* Effect.acquireRelease(
      Effect.promise(() =>
        createParley({
          storage: { url: "sqlite::memory:" },
          secretKey: Buffer.alloc(32, 7).toString("base64"),
          channels: [
            SandboxProvider,
            whatsapp({ graphUrl: meta.url }),
            ...(messengerUrl === undefined ? [] : [messenger({ graphUrl: messengerUrl })])
          ],
          adminToken,
          logLevel: "error"
        })
      ),
      (parley) => Effect.promise(() => parley.close())
    )
    const server = yield* Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(parley.listener)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) => Effect.sync(() => server.close().closeAllConnections())
    )
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
