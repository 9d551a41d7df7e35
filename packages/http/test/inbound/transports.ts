import { createServer } from "node:http"
import { HttpRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, type Scope } from "effect"
import { httpApp, type Interpreter, mounted, nodeServer, webHandler } from "../../src/index.js"
import { listening } from "../serve.js"

/** Sends a request to the served interpreter. */
export type Fetch = (path: string, init?: RequestInit) => Promise<Response>

/** A transport of requests to an interpreter. */
export type Transport = (interpreter: Interpreter) => Effect.Effect<Fetch, never, Scope.Scope>

const at =
  (base: string): Fetch =>
  (path, init) =>
    fetch(`${base}${path}`, init)

const node: Transport = (interpreter) =>
  Effect.map(Effect.flatMap(nodeServer(interpreter), listening), (port) => at(`http://127.0.0.1:${port}`))

const web: Transport = (interpreter) =>
  Effect.map(
    webHandler(interpreter),
    (handle) => (path, init) => handle(new Request(`http://shop.example${path}`, init))
  )

const app: Transport = (interpreter) =>
  Effect.gen(function* () {
    const router = HttpRouter.empty.pipe(HttpRouter.mountApp("/", httpApp(interpreter)))
    const server = NodeHttpServer.layer(createServer, { port: 0, host: "127.0.0.1" })
    const context = yield* Layer.build(HttpServer.serve(router).pipe(Layer.provideMerge(server)))
    const address = yield* Effect.provide(HttpServer.addressWith(Effect.succeed), context)
    return at(`http://127.0.0.1:${address._tag === "TcpAddress" ? address.port : 0}`)
  }).pipe(Effect.orDie)

const mountedNode: Transport = (interpreter) =>
  Effect.map(node(mounted(interpreter, "/messaging")), (fetch) => (path, init) => fetch(`/messaging${path}`, init))

/** All transports by name. */
export const transports: ReadonlyArray<readonly [name: string, transport: Transport]> = [
  ["node:http", node],
  ["node:http, mounted", mountedNode],
  ["a fetch handler", web],
  ["an app of @effect/platform", app]
]
