import { HttpSender, type OutboundRequest, type OutboundResult } from "@parley/core"
import { Effect, identity, Layer, type Scope } from "effect"
import { Agent, type Dispatcher } from "undici"
import * as AddressGuard from "./AddressGuard.js"
import { answerText } from "./answerText.js"
import { failureWords } from "./failureWords.js"
import { type ConnectorOptions, guardedConnector } from "./guardedConnector.js"
import { urlRefusal } from "./urlRefusal.js"

const mostBytesRead = 64 * 1_024

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
    const agent = yield* Effect.acquireRelease(
      // The deadline of each request is ours, so undici's own are off.
      Effect.sync(() => new Agent({ connect: guardedConnector(guard, options), headersTimeout: 0, bodyTimeout: 0 })),
      (agent) => Effect.promise(() => agent.destroy())
    )
    return {
      post: (request) =>
        Effect.tryPromise({ try: (signal) => exchange(agent, request, signal), catch: failureWords }).pipe(
          Effect.catchAll((error) => Effect.succeed(notAnswered(error))),
          Effect.timeoutTo({
            duration: request.timeoutMs,
            onSuccess: identity,
            onTimeout: () => notAnswered(`no answer within ${request.timeoutMs / 1_000} s`)
          }),
          // A caller that cannot be interrupted, such as one that drains before a stop, is kept neither from the answer
          // nor from the deadline.
          Effect.interruptible,
          Effect.disconnect
        ),
      refusal: (url) => urlRefusal(url, guard, options.allowHttp ?? false)
    }
  })

/** {@link make} as a layer; its connections close with it. */
export const layer = (options: Options = {}): Layer.Layer<HttpSender, AddressGuard.CidrInvalid> =>
  Layer.scoped(HttpSender, make(options))

const notAnswered = (error: string): OutboundResult => ({ _tag: "NotAnswered", error })

const exchange = async (agent: Agent, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResult> => {
  const url = new URL(request.url)
  if (url.protocol !== "https:" && url.protocol !== "http:") return notAnswered("URL not valid")
  const { statusCode, body } = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: "POST",
    headers: request.headers,
    body: request.body,
    signal
  })
  return { _tag: "Answered", status: statusCode, body: answerText(await readBeginning(body)) }
}

/** The rest is read too, as far as 64 KiB: a connection whose answer was read to its end can be used again. */
const readBeginning = async (body: Dispatcher.ResponseData["body"]): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= mostBytesRead) break
  }
  return Buffer.concat(chunks)
}
