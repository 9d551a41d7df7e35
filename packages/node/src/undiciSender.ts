import { afterRunning, EventLoop, type HttpSender } from "@parley/core"
import { Effect, type Scope, Stream } from "effect"
import { Agent } from "undici"
import * as AddressGuard from "./AddressGuard.js"
import { download } from "./download.js"
import { type Connections, exchange } from "./exchange.js"
import { type ConnectorOptions, guardedConnector } from "./guardedConnector.js"
import { spreadOverTurns } from "./spreadOverTurns.js"
import { urlRefusal } from "./urlRefusal.js"

/** Settings of the operator. By default, only public https URLs are allowed. */
export interface Options extends ConnectorOptions {
  /** CIDRs of private networks that are allowed (`PARLEY_WEBHOOK_ALLOW`). */
  readonly allow?: ReadonlyArray<string> | undefined
  /** Whether http URLs may be registered (`PARLEY_WEBHOOK_ALLOW_HTTP`). */
  readonly allowHttp?: boolean | undefined
}

/**
 * Maximum number of requests that time out in one turn of the event loop. Those that began together end together:
 * closing hundreds of connections in one turn would delay all else that the process does.
 */
const maxTimeoutsPerTurn = 16

/** The sender of `NodeHttpSender`. */
export const make = (options: Options): Effect.Effect<HttpSender, AddressGuard.CidrInvalid, Scope.Scope> =>
  Effect.gen(function* () {
    const guard = yield* AddressGuard.make(options.allow)
    const connect = guardedConnector(guard, options)
    // Each request has its own deadline, so undici's timeouts are disabled.
    const agent = (more: Agent.Options) =>
      Effect.acquireRelease(
        Effect.sync(() => new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, ...more })),
        (agent) => Effect.promise(() => agent.destroy())
      )
    const connections: Connections = { kept: yield* agent({}), fresh: yield* agent({ pipelining: 0 }) }
    const { defer, setTimer } = yield* EventLoop
    const deferTimeout = spreadOverTurns(defer, maxTimeoutsPerTurn)
    const refusal = (url: string) => urlRefusal(url, guard, options.allowHttp ?? false)
    return {
      // A timer also ends requests of uninterruptible callers, for example while a worker drains.
      post: (request) =>
        Effect.withFiberRuntime((fiber) =>
          Effect.async((resume) => {
            const late = (status: number | null) =>
              status === null
                ? `no answer within ${request.timeoutMs / 1_000} s`
                : `answered ${status}, but the answer did not end within ${request.timeoutMs / 1_000} s`
            const giveUp = () => exchanged.giveUp(late)
            // In the next turn: a response that arrived while this process was stopped or busy is read first.
            const stopDeadline = afterRunning(setTimer, request.timeoutMs, () => deferTimeout(giveUp))
            // Ends with the fiber. A callback for interruption would cost ten operations of the fiber.
            const interrupted = () => exchanged.giveUp(() => "interrupted")
            const exchanged = exchange(connections, request, (result) => {
              stopDeadline()
              fiber.removeObserver(interrupted)
              resume(Effect.succeed(result))
            })
            fiber.addObserver(interrupted)
          })
        ),
      get: (url, timeoutMs) =>
        Effect.suspend(() => {
          const over = new AbortController()
          const stopDeadline = afterRunning(setTimer, timeoutMs, () => over.abort(timedOut))
          return Effect.map(
            Effect.tapErrorCause(download(url, { connect, refusal, signal: over.signal }), () =>
              Effect.sync(stopDeadline)
            ),
            (file) => ({ ...file, bytes: Stream.ensuring(file.bytes, Effect.sync(stopDeadline)) })
          )
        }),
      refusal
    }
  })

const timedOut = Object.assign(new Error("the download took too long"), { code: "ETIMEDOUT" })
