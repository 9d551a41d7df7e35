import type { IncomingMessage, ServerResponse } from "node:http"
import type { Client, ClientOptions } from "@parley/client"
import type { WebHandler } from "@parley/http"
import type { Admin } from "./Admin.js"

/** The engine at work in this process. */
export interface Parley {
  /** For `node:http`, Express (`app.use("/messaging", parley.listener)`) and Fastify (its raw request and reply). */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
  /** For Hono, Next and their like. Give the client's address where you know it: `fetch(request, { peer })`. */
  readonly fetch: WebHandler
  /**
   * The public interface as one application has it, called in process: the same checks, limits and answers, and no network.
   *
   * @example
   * ```ts
   * const messages = parley.client(apiKey).messages
   * await messages.send({ channel: "email", to, type: "text", message: { body } }, { idempotencyKey: order.id })
   * ```
   */
  readonly client: (apiKey: string, options?: Omit<ClientOptions, "fetch">) => Client
  readonly admin: Admin
  /** Succeeds while this process can do its work: the storage is there and up to date, and the clocks agree; else why not. */
  readonly readiness: () => Promise<{ readonly ready: true } | { readonly ready: false; readonly reason: string }>
  /**
   * The metrics of the engine, in the text format of Prometheus (media type `text/plain; version=0.0.4`), for a route of
   * your own; docs/metrics.md tells what each means. Engines in one process share all but the queue's.
   *
   * @example
   * ```ts
   * app.get("/metrics", async (_request, response) => {
   *   response.type("text/plain; version=0.0.4").send(await parley.metrics())
   * })
   * ```
   */
  readonly metrics: () => Promise<string>
  /**
   * Takes no more requests and no more work, finishes what is in flight (at most 10 s), gives leases back, and lets go of
   * the storage. Requests that come later are answered with 503. Calling it again changes nothing. It stops no server:
   * close yours too.
   */
  readonly close: () => Promise<void>
}
