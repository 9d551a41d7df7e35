import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { SandboxProvider } from "@parley/channel-sandbox"
import {
  Administration,
  allowAll,
  ChannelProviders,
  channelProviders,
  Engine,
  engineSettings,
  HttpSender,
  SecretBox
} from "@parley/core"
import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import { sqlite } from "@parley/testkit/databases"
import { Context, Effect, Layer, Redacted } from "effect"
import { adminModule, makeInterpreter, nodeListener } from "../../src/index.js"

const adminToken = "admin-token"

/** A real server of the admin API with the engine on SQLite. */
export class Admin extends Context.Tag("test/Admin")<
  Admin,
  {
    readonly base: string
    readonly call: (method: string, path: string, body?: object, token?: string | null) => Effect.Effect<Answered>
  }
>() {}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly json: any
}

const ports = Layer.mergeAll(
  sqlite,
  UuidIds.layer,
  LogNotifier.layer,
  MemoryBlobs.layer,
  allowAll,
  engineSettings(),
  Layer.succeed(ChannelProviders, channelProviders([SandboxProvider])),
  Layer.succeed(SecretBox, {
    seal: (secret) => Buffer.from(secret).toString("base64"),
    open: (sealed) => Effect.succeed(Buffer.from(sealed, "base64").toString()),
    keyIds: ["test"],
    keyIdOf: () => "test",
    sign: () => "signed",
    verifies: (_, signature) => signature === "signed",
    signatures: () => ["signed"]
  }),
  Layer.succeed(HttpSender, {
    refusal: (url) => (url.startsWith("https://") ? null : "must be an https URL"),
    post: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" })
  })
)
const engine = Administration.layer.pipe(Layer.provideMerge(Engine.layer), Layer.provideMerge(ports))

/** `mount`: a prefix that the framework strips, as Express does. */
export const serveAdmin = (options: { readonly publicUrl?: string; readonly mount?: string } = {}) =>
  Layer.scoped(
    Admin,
    Effect.gen(function* () {
      const { mount = "", ...more } = options
      const interpreter = yield* makeInterpreter({
        modules: [yield* adminModule(Redacted.make(adminToken))],
        ...more
      })
      const listener = yield* nodeListener(interpreter)
      const server = createServer((request, response) => {
        if (mount !== "") unmount(request, mount)
        listener(request, response)
      })
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () =>
          Effect.async<void>((resume) => {
            server.close(() => resume(Effect.void))
            server.closeAllConnections()
          })
      )
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}${mount}`
      return { base, call: callTo(base) }
    })
  ).pipe(Layer.provideMerge(engine))

const unmount = (request: IncomingMessage, mount: string): void => {
  Object.assign(request, { originalUrl: request.url, url: request.url?.slice(mount.length) })
}

const callTo =
  (base: string) =>
  (method: string, path: string, body?: object, token: string | null = adminToken): Effect.Effect<Answered> =>
    Effect.promise(async () => {
      const response = await fetch(path.startsWith("http") ? path : `${base}/admin/v1${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      return { status: response.status, headers: response.headers, json: await response.json() }
    })
