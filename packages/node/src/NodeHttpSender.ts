import { HttpSender } from "@parley/core"
import { Effect, Exit, Layer, Runtime, type Scope } from "effect"
import { Agent } from "undici"
import * as AddressGuard from "./AddressGuard.js"
import { type Connections, exchange } from "./exchange.js"
import { type ConnectorOptions, guardedConnector } from "./guardedConnector.js"
import { urlRefusal } from "./urlRefusal.js"

/** What an operator may set; without any of it, public https URLs alone are reached. */
export interface Options extends ConnectorOptions {
  /** CIDRs that are let through although they are not public (`PARLEY_WEBHOOK_ALLOW`). */
  readonly allow?: ReadonlyArray<string> | undefined
  /** Whether http URLs may be registered (`PARLEY_WEBHOOK_ALLOW_HTTP`). */
  readonly allowHttp?: boolean | undefined
}

/**
 * Outbound HTTP over undici, behind the address guard (decisions.md §12). Connections are kept alive between requests and
 * closed with the scope. Fails where `allow` holds something that is no CIDR.
 *
 * The system's resolver occupies threads of Node's pool: a host that delivers to many slow names should raise
 * `UV_THREADPOOL_SIZE`.
 */
export const make = (options: Options = {}): Effect.Effect<HttpSender, AddressGuard.CidrInvalid, Scope.Scope> =>
  Effect.gen(function* () {
    const guard = yield* AddressGuard.make(options.allow)
    const connect = guardedConnector(guard, options)
    // The deadline of each request is ours, so undici's own are off.
    const agent = (more: Agent.Options) =>
      Effect.acquireRelease(
        Effect.sync(() => new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, ...more })),
        (agent) => Effect.promise(() => agent.destroy())
      )
    const connections: Connections = { kept: yield* agent({}), fresh: yield* agent({ pipelining: 0 }) }
    const run = Runtime.runCallback(yield* Effect.runtime<never>())
    return {
      // A caller that cannot be interrupted, such as one that drains before a stop, is kept neither from the answer nor
      // from the deadline: that one is a fiber of its own.
      post: (request) =>
        Effect.async((resume) => {
          const stopDeadline = run(Effect.sleep(request.timeoutMs), {
            onExit: (exit) => {
              if (Exit.isSuccess(exit)) exchanged.giveUp(`no answer within ${request.timeoutMs / 1_000} s`)
            }
          })
          const exchanged = exchange(connections, request, (result) => {
            stopDeadline()
            resume(Effect.succeed(result))
          })
          return Effect.sync(() => exchanged.giveUp("interrupted"))
        }),
      refusal: (url) => urlRefusal(url, guard, options.allowHttp ?? false)
    }
  })

/** {@link make} as a layer; its connections close with it. */
export const layer = (options: Options = {}): Layer.Layer<HttpSender, AddressGuard.CidrInvalid> =>
  Layer.scoped(HttpSender, make(options))
