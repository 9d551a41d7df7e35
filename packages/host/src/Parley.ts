import type { IncomingMessage, ServerResponse } from "node:http"
import type { Client, ClientOptions } from "@parley/client"
import type { EnqueuedOutcome } from "@parley/core"
import type { WebHandler } from "@parley/http"
import type { Admin } from "./Admin.js"
import type { CallersTransaction, EnqueueRequest } from "./Enqueue.js"
import type { EventsFunction, SubscribeFunction } from "./Subscription.js"
import type { Setup } from "./setup/Declaration.js"

/** Options of {@link Parley.client}. */
export type InProcessOptions = Omit<ClientOptions, "fetch" | "shutdownSignal">

/** Options of {@link Parley.as}. */
export interface ApplicationOptions extends Omit<InProcessOptions, "userAgent"> {
  /**
   * Whether the application's limits of requests and sends a minute apply. Calls above them then wait and are retried,
   * as by any client. Default: false.
   */
  readonly rateLimited?: boolean | undefined
}

/** A running engine in this process. */
export interface Parley {
  /**
   * Request listener for `node:http`, Express (`app.use("/messaging", parley.listener)`) and Fastify (its raw request
   * and reply).
   */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
  /**
   * Fetch handler for Hono, Next and similar frameworks. Pass the client's address if known: `fetch(request, { peer
   * })`.
   */
  readonly fetch: WebHandler
  /**
   * In-process client of the public interface for one application: same checks, limits and responses, without network.
   *
   * @example
   * ```ts
   * const messages = parley.client(apiKey).messages
   * await messages.send({ channel: "email", to, type: "text", message: { body } }, { idempotencyKey: order.id })
   * ```
   */
  readonly client: (apiKey: string, options?: InProcessOptions) => Client
  /**
   * An application of this deployment, by its id: like {@link client}, without a key and without rate limits. For code
   * that runs in this process and is trusted by the workspace.
   *
   * @example
   * ```ts
   * const shop = parley.as(applicationId)
   * await shop.messages.send({ channel: "email", to, type: "text", message: { body } }, { idempotencyKey: order.id })
   * ```
   */
  readonly as: (applicationId: string, options?: ApplicationOptions) => Client
  /**
   * Handles events of an application in this process: a webhook without a URL. The subscription is stored under its
   * `name`, and several processes share its events: each event is handled by one of them, at least once, and retried
   * with growing delays for about a day. After 25 failures in a row of events that fail for more than an hour, the
   * subscription is disabled until it is enabled (`parley endpoint enable`). Call it at each start: the first call
   * creates the subscription, events wait while no process handles it. With `workspace` in place of `application`, it
   * handles the events of all applications of a workspace, each with its `application_id`. Rejects with `ParleyError`;
   * also if this process handles it already, or has no worker.
   *
   * @example
   * ```ts
   * await parley.on("order-notes", "message.received", async (event) => {
   *   await notes.add(event.data.message.body)
   * }, { application: applicationId })
   * ```
   */
  readonly on: SubscribeFunction
  /**
   * The events of a subscription one after another, as {@link on} with a concurrency of 1. An event is handled when the
   * loop asks for the next one; an event at which the loop ends is retried. If the loop takes longer than `timeoutMs`
   * for an event, the event is retried, and this process takes no other one until the loop asks for it. The loop ends
   * when Parley closes.
   *
   * @example
   * ```ts
   * for await (const event of parley.events("order-notes", "message.received", { application: applicationId })) {
   *   await notes.add(event.data.message.body)
   * }
   * ```
   */
  readonly events: EventsFunction
  /**
   * Writes a message or an event in a transaction of the caller: one row in Parley's database. If the transaction is
   * rolled back, nothing is sent. After its commit a worker decides the request by the rules of the interface; the
   * outcome is {@link enqueued}, and a refusal also the event `enqueued.failed`. Rejects at once with `ParleyError` if
   * the request has the wrong shape or the application is unknown.
   *
   * @example
   * ```ts
   * await client.query("BEGIN")
   * await client.query("INSERT INTO orders (id) VALUES ($1)", [order.id])
   * await parley.enqueue(client, { application: applicationId, idempotencyKey: order.id, send: confirmation(order) })
   * await client.query("COMMIT")
   * ```
   */
  readonly enqueue: (transaction: CallersTransaction, request: EnqueueRequest) => Promise<{ readonly id: string }>
  /**
   * The outcome of an enqueued request, for 30 days: `waiting`, `accepted` with the response, or `refused` with the
   * error. Rejects with `not_found` for a request that the application has not committed.
   */
  readonly enqueued: (applicationId: string, id: string) => Promise<EnqueuedOutcome>
  readonly admin: Admin
  /**
   * Creates a workspace and its parts, and changes them where they differ from the declaration. Each part is found
   * again by its key in the declaration, so that further calls, also of other processes at the same time, create
   * nothing twice. Rejects with a `SetupError` if the declaration is invalid or contradicts the workspace; call it
   * again to finish what is left.
   *
   * @example
   * ```ts
   * const made = await parley.setup({
   *   workspace: "acme",
   *   connections: { desk: { channel: "email", provider: "sandbox", handle: "desk@acme.example" } },
   *   applications: { shop: { scopes: ["messages.send"], connections: ["desk"] } }
   * })
   * const shop = parley.as(made.applications.shop.id)
   * ```
   */
  readonly setup: Setup
  /**
   * Whether this process can serve: the storage is reachable, its schema is up to date and the clocks agree. Otherwise
   * a reason.
   */
  readonly readiness: () => Promise<{ readonly ready: true } | { readonly ready: false; readonly reason: string }>
  /**
   * Metrics of the engine in Prometheus' text format (media type `text/plain; version=0.0.4`), for a route of your
   * application. docs/metrics.md describes them. The metrics are those of this engine alone.
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
   * Stops accepting requests and jobs, finishes work in progress (at most 10 s), releases leases and closes the
   * storage. Requests of the network get 503 at once; calls of {@link as}, {@link client} and {@link admin} once no job
   * runs any more, because handlers make them. Further calls have no effect. Does not stop HTTP servers: close yours
   * too.
   */
  readonly close: () => Promise<void>
}
