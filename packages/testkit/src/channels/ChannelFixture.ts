import type {
  ChannelProvider,
  CheckOutcome,
  Connection,
  ErrorCode,
  OutboundMessage,
  ProviderRequest,
  Receipt,
  SendOutcome
} from "@parley/core"
import type { Effect, Scope } from "effect"
import type { VendorEvent } from "./VendorEvent.js"

/** Something that a channel or its vendor does not have: its cases are skipped, and the reason is shown. */
export interface Lacks {
  readonly lacks: string
}

/** A {@link Lacks} for the reason given, such as `telegram has no templates`. */
export const lacks = (reason: string): Lacks => ({ lacks: reason })

/** A business's account at the vendor, as an operator enters it. */
export interface Account {
  /**
   * Active, with a UUID for an id: `aConnection({ id, channel, provider, handle, config })` makes one. Its own `credentials` are
   * not looked at.
   */
  readonly connection: Connection
  /** In the wire shape of the provider's `credentials`; null where it needs none. */
  readonly credentials: { readonly [field: string]: unknown } | null
  /** Every text among the credentials that nobody may ever see again. */
  readonly secrets: ReadonlyArray<string>
}

/**
 * All that the contract has to know of a provider. `Vendor` is its fake: whatever `vendor` starts, from which the other parts
 * find out where it listens and what it took. Every case starts one of its own.
 *
 * @example
 * ```ts
 * channelContract({
 *   name: "texts",
 *   vendor: textsVendor,
 *   provider: (vendor) => texts({ apiUrl: vendor.url }),
 *   account: () => ({ connection: aConnection({ id, channel: "whatsapp", provider: "texts" }), credentials, secrets: [key] }),
 *   …
 * })
 * ```
 */
export interface ChannelFixture<Vendor> {
  /** What the suite is called: the provider's kind and, of several channels, the channel. */
  readonly name: string
  /** Starts a vendor that takes {@link account} and {@link other}, and nobody else; it stops with the scope. */
  readonly vendor: Effect.Effect<Vendor, unknown, Scope.Scope>
  /** The provider, made against this vendor. */
  readonly provider: (vendor: Vendor) => ChannelProvider
  /** A connection in order. */
  readonly account: (vendor: Vendor) => Account
  /** Another business's, on the same channel, with another handle and other secrets. */
  readonly other: (vendor: Vendor) => Account
  readonly settings: SettingsFixture
  readonly handles: HandlesFixture
  /** What the longest text is counted in; how long it is comes from the provider's capabilities, or is said here in bytes. */
  readonly longestText: "characters" | { readonly bytes: number } | Lacks
  readonly sends: SendsFixture<Vendor>
  readonly webhook: WebhookFixture | Lacks
  readonly poll: PollFixture<Vendor> | Lacks
  /** What `check` says of a connection whose credentials the vendor takes, and of one whose it does not. */
  readonly check: { readonly working: CheckOutcome["_tag"]; readonly wrongCredentials: CheckOutcome["_tag"] } | Lacks
}

/** Fields without which the settings are refused, by path, such as `phone_number_id` or `smtp.host`. */
export interface SettingsFixture {
  readonly requiredConfig: ReadonlyArray<string>
  readonly requiredCredentials: ReadonlyArray<string>
}

/** How a customer's handle is spelled. */
export interface HandlesFixture {
  /** Each as people write it, as we keep it, and as the vendor spells it, to whom sends are accepted. At least one. */
  readonly good: readonly [SpelledHandle, ...ReadonlyArray<SpelledHandle>]
  /** What is none. */
  readonly bad: ReadonlyArray<string> | Lacks
}

/** The spellings of one handle. */
export interface SpelledHandle {
  readonly written: string
  readonly normalised: string
  readonly vendor: string
}

/** How sends go. Where nothing is arranged, the vendor accepts. */
export interface SendsFixture<Vendor> {
  /** What the vendor has taken in all, oldest first. */
  readonly taken: ((vendor: Vendor) => ReadonlyArray<TakenMessage>) | Lacks
  /** A template that the vendor has for {@link ChannelFixture.account}, and the text that it makes of the variables. */
  readonly template: { readonly template: NonNullable<OutboundMessage["template"]>; readonly body: string } | Lacks
  /** A message handed over twice under one id goes out once, as the provider's `dedupes` says. */
  readonly dedupes: true | Lacks
  /** Every error that the vendor documents, and the one outcome that it means. Name it as the vendor does. */
  readonly errors: ReadonlyArray<DocumentedError<Vendor>> | Lacks
  readonly throttles: {
    /** The vendor says how long to wait. */
    readonly hinted: (Throttle<Vendor> & { readonly retryAfterMs: number }) | Lacks
    /** It does not; the outcome's `retryAfterMs` is null. */
    readonly unhinted: Throttle<Vendor> | Lacks
  }
  /** From now on nobody listens: a send cannot have gone out (`Transient`). */
  readonly unreachable: ((vendor: Vendor) => Arranged) | Lacks
  /** The next request is taken whole and never answered, and the connection is cut: it may have gone out (`Unknown`). */
  readonly cutOff: ((vendor: Vendor) => Arranged) | Lacks
}

/** Done at once, or when the promise or effect ends. */
export type Arranged = void | Promise<void> | Effect.Effect<void>

/** A message that a vendor took. */
export interface TakenMessage {
  /** As the vendor spells it. */
  readonly to: string
  /** The text, or the rendered template's where the vendor gets that; null where it gets a template's name. */
  readonly text: string | null
}

/** An error of a vendor. */
export interface DocumentedError<Vendor> {
  /** Such as `131047 re-engagement message`. */
  readonly name: string
  /** Has the next send meet it. */
  readonly arrange: (vendor: Vendor) => Arranged
  /** To whom it happens, normalised. Default: the first of the good handles. */
  readonly to?: string
  readonly outcome: ExpectedOutcome
}

/** How a vendor throttles. */
export interface Throttle<Vendor> {
  /** Has the next send meet it. */
  readonly arrange: (vendor: Vendor) => Arranged
  /** To whom it happens, normalised. Default: the first of the good handles. */
  readonly to?: string
  /** Default: `connection`. */
  readonly scope?: "connection" | "recipient"
}

type Outcome<Tag extends SendOutcome["_tag"]> = Extract<SendOutcome, { readonly _tag: Tag }>

/** What an outcome must say; `optOut` only where it is said here. A `providerCode` is compared where it is given. */
export type ExpectedOutcome =
  | (Pick<Outcome<"Rejected">, "_tag" | "scope" | "optOut"> & {
      readonly code: ErrorCode
      readonly providerCode?: string
    })
  | (Pick<Outcome<"Throttled">, "_tag" | "scope"> & { readonly retryAfterMs?: number | null })
  | Pick<Outcome<"Moved">, "_tag" | "handle">
  | Pick<Outcome<"Transient">, "_tag">
  | Pick<Outcome<"Unknown">, "_tag">

/** How the vendor calls us. */
export interface WebhookFixture {
  /**
   * The vendor's request with these events in their order: made for the account of `account.connection` and signed with
   * `account.credentials` (the kit also makes accounts whose two parts do not belong together). `layout` is one of
   * {@link layouts}, or null for an ordinary request, which then has one event.
   */
  readonly request: (account: Account, events: ReadonlyArray<VendorEvent>, layout: string | null) => ProviderRequest
  /**
   * The ways in which the vendor puts several events into one request, such as `entries`, `changes`, `messages`: each event is
   * in an entry (a change, …) of its own.
   */
  readonly layouts: ReadonlyArray<string> | Lacks
  /** Where the request says that the vendor made it. */
  readonly proof: { readonly header: string } | { readonly query: string }
  /** Whether the proof is of the body: an altered byte shows. */
  readonly provesBody: true | Lacks
  /** Whether a request names the vendor's account, so that another's is told from ours although the proof holds. */
  readonly namesAccount: true | Lacks
  /** A display name comes with messages. */
  readonly names: true | Lacks
  /** The statuses that the vendor reports by message. */
  readonly receipts: ReadonlyArray<Receipt["status"]> | Lacks
  /** The vendor says when it happened. */
  readonly receiptTimes: true | Lacks
  /** Receipts carry our own id. */
  readonly ownIds: true | Lacks
  /** The statuses that the vendor reports by time. */
  readonly watermarks: ReadonlyArray<"delivered" | "read"> | Lacks
  /** Names of things that the provider does not know, for `VendorEvent.Unknown`. */
  readonly unknown: ReadonlyArray<string> | Lacks
  /** A check of the URL with its answer, and others that must be refused. */
  readonly challenge: ((account: Account) => ChallengeFixture) | Lacks
}

/** How the vendor checks the URL. */
export interface ChallengeFixture {
  readonly right: ProviderRequest
  readonly answer: string
  readonly wrong: ReadonlyArray<ProviderRequest>
}

/** How the provider asks the vendor for news. */
export interface PollFixture<Vendor> {
  /** Has the vendor hold these for an account, from now on. */
  readonly arrive: (vendor: Vendor, account: Account, events: ReadonlyArray<VendorEvent>) => Arranged
  /** The statuses of messages that it tells of. */
  readonly receipts: ReadonlyArray<Receipt["status"]> | Lacks
}
