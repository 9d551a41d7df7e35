import { Data, type Effect, type Stream } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { Connection } from "../model/Connection.js"
import type { InboundEvent } from "../model/InboundEvent.js"
import type { Instant } from "../model/Instant.js"
import type { PushedBody } from "./PushedBody.js"

/** An HTTP request to `/inbound/{connection}`. */
export interface ProviderRequest {
  readonly method: string
  /**
   * The URL of the connection's webhook without path and query of this request, as the vendor called it: below the
   * public URL of this service, else by the request's headers. For signatures over the URL.
   */
  readonly webhookUrl?: string
  /** The path after the connection id: empty, or for example `/messages`. */
  readonly path: string
  /** Decoded. The first value of a repeated parameter. */
  readonly query: { readonly [name: string]: string | undefined }
  /** By lower-case name. The values of a repeated header are joined by commas. */
  readonly headers: { readonly [name: string]: string | undefined }
  /** The raw bytes, on which signatures are verified. */
  readonly body: Uint8Array
  /** The client's IP address, if known. */
  readonly address?: string
  /**
   * Runs the check of a customer's credential, which fails with `unauthenticated` if it is wrong. Such failures are
   * limited by client address, together with those of the API: above the limit `check` does not run, and the result is
   * `rate_limited` (docs/reference/rate-limits.md#failed-attempts). Absent: no limit.
   */
  readonly checkCredential?: <A, E>(
    credential: string,
    check: Effect.Effect<A, E | Refusal>
  ) => Effect.Effect<A, E | Refusal>
}

/** The HTTP response of `ChannelProvider.serve`. A stream is sent chunk by chunk, with a fiber while it runs. */
export interface ProviderAnswer {
  readonly status: number
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array | Stream.Stream<Uint8Array> | PushedBody
}

/** A verified request whose body does not have the vendor's format. The response is 400. */
export class WebhookUnreadable extends Data.TaggedError("WebhookUnreadable")<{ readonly reason: string }> {}

/** The events of one vendor account in a request. */
export interface AccountEvents {
  /** The account as `accountOf` or `businessAccountOf` names it; null for the connection that received the request. */
  readonly account: string | null
  /**
   * Whether the connection that received the request gets the events if no connection has the account. Default: false,
   * they become unknown events.
   */
  readonly elseOwn?: boolean
  readonly events: ReadonlyArray<InboundEvent>
}

/**
 * The vendor's calls to us (docs/reference/provider-contract.md#inbound-acknowledgement).
 *
 * ```
 * GET  ──▶ challenge ──▶ 200 with the text, or 403
 * POST ──▶ verify ── false ──▶ 401
 *            │ true
 *            ▼
 *          parse ── WebhookUnreadable ──▶ 400
 *            │   └─ throws ──▶ body is stored as an unknown event
 *            ▼
 *          events durably stored ──▶ 2xx      storage failed ──▶ 503, the vendor redelivers
 * ```
 */
export interface ProviderWebhook {
  /** Maximum body size in bytes; larger requests get 413. Default: 4 MiB. */
  readonly bodyLimit?: number
  /** Answers the vendor's verification of the URL (a GET) with this text; null refuses it with 403. */
  readonly challenge?: (connection: Connection, credentials: unknown, request: ProviderRequest) => string | null
  /**
   * Verifies the vendor's signature over the raw bytes in constant time, before anything is parsed. A throw counts as
   * false. `now`: in ms, for vendors that sign a time.
   */
  readonly verify: (connection: Connection, credentials: unknown, request: ProviderRequest, now: Instant) => boolean
  /**
   * Returns all events of the request in their order: every entry of a batch. Entries that the provider does not know
   * become `Unknown` events with their raw content.
   */
  readonly parse: (
    connection: Connection,
    request: ProviderRequest,
    now: Instant
  ) => Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable>
  /**
   * The answer to a request whose events are durably stored, for vendors that read it, such as a method call of
   * Telegram. Null, absent or a throw: an empty 200.
   */
  readonly answer?: (request: ProviderRequest) => ProviderAnswer | null
  /**
   * The vendor's id of a connection's account, for vendors that batch several accounts in one request; null if the
   * settings do not name it. Events of another account go to the connection of the same workspace that has this
   * account, if `verify` accepts the request for it too. Two connections with one account are refused
   * (docs/reference/channels.md#accounts).
   */
  readonly accountOf?: (connection: Pick<Connection, "channel" | "handle" | "config">) => string | null
  /**
   * The vendor's id of the business account of a connection, which several connections may share; null if the settings
   * do not name it. Events of another business account go to a connection that has it, as for {@link accountOf}. It
   * must not equal an id of {@link accountOf}. Templates belong to it (docs/reference/templates.md#accounts). Default:
   * null, each connection has its own templates.
   */
  readonly businessAccountOf?: (connection: Pick<Connection, "channel" | "handle" | "config">) => string | null
}
