import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import type { FailedAttemptLimits } from "@parley/core"
import { Effect, type Scope } from "effect"
import {
  type ApiModule,
  type ErrorEnvelope,
  makeInterpreter,
  nodeServer,
  publicModule,
  type TrustedProxies
} from "../src/index.js"
import { type Fakes, fakes, type Services, token } from "./fakes.js"

/** A server on a free loopback port. */
export interface Served {
  readonly server: Server
  readonly port: number
  readonly takenFrom: ReadonlyMap<string, number>
  readonly request: (method: string, path: string, options?: RequestOptions) => Effect.Effect<Answered>
  /** Writes everything to a connection, then reads until the other side closes or `until` returns true. */
  readonly raw: (text: string | Uint8Array, until?: (answer: string) => boolean) => Effect.Effect<RawAnswer>
}

export interface RequestOptions {
  readonly headers?: { readonly [name: string]: string }
  readonly json?: unknown
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>
  /** Null: no credential. */
  readonly token?: string | null
}

export interface Answered {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly text: string
  /** Body of a success. */
  readonly json: unknown
  readonly error: ErrorEnvelope["error"] | null
}

export interface RawAnswer {
  readonly text: string
  readonly failure: string | null
}

/** The public interface over fakes, on a real `node:http` server. It stops with the scope. */
export const serve = (
  parts: Partial<Fakes> = {},
  options: {
    readonly trustedProxies?: TrustedProxies
    readonly failedAttempts?: FailedAttemptLimits
    /** Default: 0. */
    readonly refusalDelayMs?: number
    readonly timeouts?: Parameters<typeof nodeServer>[2]
    readonly more?: Effect.Effect<ApiModule, never, Services>
  } = {}
): Effect.Effect<Served, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { services, takenFrom } = fakes(parts)
    const server = yield* Effect.gen(function* () {
      const more = options.more === undefined ? [] : [yield* options.more]
      const interpreter = yield* makeInterpreter({
        modules: [yield* publicModule, ...more],
        trustedProxies: options.trustedProxies ?? [],
        refusalDelayMs: options.refusalDelayMs ?? 0,
        ...(options.failedAttempts === undefined ? {} : { failedAttempts: options.failedAttempts })
      })
      return yield* nodeServer(interpreter, undefined, options.timeouts)
    }).pipe(Effect.provide(services))
    const port = yield* listening(server)
    return { server, port, takenFrom, request: requestTo(port), raw: rawTo(port) }
  })

/** Listens on a free loopback port until the scope closes. Returns the port. */
export const listening = (server: Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  ).pipe(Effect.map(() => (server.address() as AddressInfo).port))

/** Calls the server on this loopback port. */
export const requestTo =
  (port: number): Served["request"] =>
  (method, path, options = {}) =>
    Effect.promise(async () => {
      const bearer = options.token === undefined ? token : options.token
      const body = options.body ?? (options.json === undefined ? undefined : JSON.stringify(options.json))
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...options.headers
        },
        ...(body === undefined ? {} : { body: body as string, duplex: "half" })
      })
      const text = await response.text()
      const headers = Object.fromEntries(response.headers)
      const json: unknown = text === "" ? null : JSON.parse(text)
      const error = response.ok || json === null ? null : (json as ErrorEnvelope).error
      return { status: response.status, headers, text, json, error }
    })

/** Writes to the server on this loopback port, see {@link Served}. */
export const rawTo =
  (port: number): Served["raw"] =>
  (text, until = () => false) =>
    Effect.async<RawAnswer>((resume) => {
      let answer = ""
      let failure: string | null = null
      const socket = connect(port, "127.0.0.1", () => void socket.write(text))
      socket.setEncoding("utf8")
      socket.on("data", (chunk: string) => {
        answer += chunk
        if (until(answer)) socket.destroy()
      })
      socket.on("error", (error: NodeJS.ErrnoException) => {
        failure = error.code ?? error.message
      })
      socket.on("close", () => resume(Effect.succeed({ text: answer, failure })))
      return Effect.sync(() => void socket.destroy())
    })
