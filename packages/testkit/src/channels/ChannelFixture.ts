import type {
  ChannelProvider,
  CheckOutcome,
  Connection,
  ErrorCode,
  InboundAttachment,
  Instant,
  MessageContent,
  MessageType,
  OutboundMessage,
  ProviderRequest,
  Receipt,
  Referral,
  SendOutcome
} from "@parley/core"
import type { Effect, Scope } from "effect"
import type { VendorEvent } from "./VendorEvent.js"

/** A feature that a channel or its vendor lacks: its cases are skipped with the reason. */
export interface Lacks {
  readonly lacks: string
}

/** A {@link Lacks} with a reason such as `telegram has no templates`. */
export const lacks = (reason: string): Lacks => ({ lacks: reason })

/** A URL at which no server listens. */
export const unreachableUrl = "http://127.0.0.1:9"

/** A body that is not a vendor's. */
export const proxyPage = "<html>A page of a proxy</html>"

/** A business's account at the vendor, as an operator enters it. */
export interface Account {
  /**
   * Active, with a UUID for an id: `aConnection({ id, channel, provider, handle, config })` makes one. Its own
   * `credentials` are ignored.
   */
  readonly connection: Connection
  /** In the wire shape of the provider's `credentials`; null if it has none. */
  readonly credentials: { readonly [field: string]: unknown } | null
  /** Every secret text of the credentials, which must never be revealed. */
  readonly secrets: ReadonlyArray<string>
}

/**
 * A provider for the contract. `Vendor` is its fake, as started by `vendor`: the other fields read its URL and its
 * accepted messages. Every case starts its own fake.
 *
 * @example
 * ```ts
 * channelContract({
 *   name: "texts",
 *   vendor: textsVendor,
 *   provider: (vendor) => texts({ apiUrl: vendor.url }),
 *   account: () => ({ connection: aConnection({ id, channel: "whatsapp", provider: "texts" }), credentials, secrets:
 *   [key] }), …
 * })
 * ```
 */
export interface ChannelFixture<Vendor> {
  /** Name of the suite: the provider's kind and, if it has several channels, the channel. */
  readonly name: string
  /** Starts a vendor that accepts {@link account} and {@link other} only; stopped with the scope. */
  readonly vendor: Effect.Effect<Vendor, unknown, Scope.Scope>
  /** The provider, configured with this vendor. */
  readonly provider: (vendor: Vendor) => ChannelProvider
  /** A valid connection. */
  readonly account: (vendor: Vendor) => Account
  /** A connection of another business on the same channel, with another handle and other secrets. */
  readonly other: (vendor: Vendor) => Account
  readonly settings: SettingsFixture
  /**
   * The vendor's API as an `api_url`, and the provider of a host that allows it and whose default API is
   * {@link unreachableUrl}. Default: connections have no `api_url`.
   */
  readonly apiUrl?: ((vendor: Vendor) => { readonly url: string; readonly provider: ChannelProvider }) | Lacks
  readonly handles: HandlesFixture
  /** Unit of the maximum text length: `characters` of the provider's capabilities, or a number of bytes. */
  readonly maxTextLength: "characters" | { readonly bytes: number } | Lacks
  readonly sends: SendsFixture<Vendor>
  /**
   * The number of signals that the vendor took so far; needed if the capabilities have `typing` or `readMarks`.
   * Default: the channel has no signals.
   */
  readonly signals?: ((vendor: Vendor) => number) | Lacks
  readonly webhook: WebhookFixture | Lacks
  /** Customers of the provider's own server, on a channel without a vendor. Default: the provider has no server. */
  readonly ownServer?: OwnServerFixture | Lacks
  readonly poll: PollFixture<Vendor> | Lacks
  /** A file of a customer at the vendor; needed if the provider has `fetchFile`. Default: messages refer to none. */
  readonly customersFile?: ((vendor: Vendor) => CustomersFile) | Lacks
  /** Results of `check` for correct and for wrong credentials. */
  readonly check: { readonly working: CheckOutcome["_tag"]; readonly wrongCredentials: CheckOutcome["_tag"] } | Lacks
}

/** A file that a customer sent to {@link ChannelFixture.account}, as its vendor keeps it. */
export interface CustomersFile {
  /** The reference that messages have of it. */
  readonly reference: string
  readonly bytes: Uint8Array
  /**
   * Answers the next request for the bytes with this status and a body that is not the file, such as the page of a
   * proxy. If the URL is looked up first, that request succeeds.
   */
  readonly failsWith: (status: 404 | 502) => Arranged
}

/** Required fields by path, such as `phone_number_id` or `smtp.host`. */
export interface SettingsFixture {
  readonly requiredConfig: ReadonlyArray<string>
  readonly requiredCredentials: ReadonlyArray<string>
}

/** Handles of customers. */
export interface HandlesFixture {
  /**
   * Valid handles as written by people, as stored, and as spelled by the vendor, which accepts sends to them. At least
   * one.
   */
  readonly good: readonly [SpelledHandle, ...ReadonlyArray<SpelledHandle>]
  /** Invalid handles. */
  readonly bad: ReadonlyArray<string> | Lacks
}

/** The spellings of one handle. */
export interface SpelledHandle {
  readonly written: string
  readonly normalised: string
  readonly vendor: string
}

/** Sends. By default, the vendor accepts. */
export interface SendsFixture<Vendor> {
  /** All accepted messages, oldest first. */
  readonly taken: ((vendor: Vendor) => ReadonlyArray<TakenMessage>) | Lacks
  /** A template of {@link ChannelFixture.account} at the vendor, and its rendered text. */
  readonly template: { readonly template: NonNullable<OutboundMessage["template"]>; readonly body: string } | Lacks
  /** One message for each type in the `types` of the capabilities, beyond texts and templates. */
  readonly contents: ReadonlyArray<SentContent> | Lacks
  /** The media types that the vendor takes as files, one for each kind of message that it has. */
  readonly files: ReadonlyArray<string> | Lacks
  /**
   * A message submitted twice under one id is sent once. The provider's `dedupes` must say the same: the engine repeats
   * sends of unknown outcome then.
   */
  readonly dedupes: true | Lacks
  /** Every documented error of the vendor, under the vendor's name, and its outcome. */
  readonly errors: ReadonlyArray<DocumentedError<Vendor>> | Lacks
  readonly throttles: {
    /** A throttle with a retry delay. */
    readonly hinted: (Throttle<Vendor> & { readonly retryAfterMs: number }) | Lacks
    /** A throttle without a delay; the outcome's `retryAfterMs` is null. */
    readonly unhinted: Throttle<Vendor> | Lacks
  }
  /** Makes the vendor unreachable: nothing can have been sent (`Transient`). */
  readonly unreachable: ((vendor: Vendor) => Arranged) | Lacks
  /** Reads the next request and closes the connection without a response: it may have been sent (`Unknown`). */
  readonly cutOff: ((vendor: Vendor) => Arranged) | Lacks
  /**
   * Answers the next request with this status and a body that is not the vendor's, such as the page of a proxy: it may
   * have been sent (`Unknown`).
   */
  readonly garbled: ((vendor: Vendor, status: 200 | 502) => Arranged) | Lacks
}

/** Complete at once, or when the promise or effect ends. */
export type Arranged = void | Promise<void> | Effect.Effect<void>

/** A message that a vendor accepted. */
export interface TakenMessage {
  /** In the vendor's spelling. */
  readonly to: string
  /** The text, or the rendered text of a template; null if the vendor receives a template's name. */
  readonly text: string | null
  /** What it carries beyond the text, read from the vendor's format. Left out for texts and templates. */
  readonly content?: MessageContent
  /** The provider message id that it quotes or reacts to. Left out without one. */
  readonly quoted?: string
  /** Its files. Left out without files. */
  readonly files?: ReadonlyArray<TakenFile>
}

/** A file that a vendor accepted, or the URL at which it fetches the file. */
export interface TakenFile {
  readonly contentType: string
  /** Null if the vendor has no names for this kind of file. */
  readonly fileName: string | null
  readonly content: Uint8Array | { readonly url: string }
}

/** A send of content and what the vendor takes of it. */
export interface SentContent {
  readonly content: MessageContent
  /** The readable text; of `choices` the question. */
  readonly body: string
  /**
   * Fields of {@link content} that the vendor has no place for, as {@link TakenMessage} shows them. Default: the same.
   */
  readonly taken?: MessageContent
  /** `text` of {@link TakenMessage}. Default: null, because the vendor receives no text. */
  readonly takenText?: string
}

/** A documented error of a vendor. */
export interface DocumentedError<Vendor> {
  /** For example `131047 re-engagement message`. */
  readonly name: string
  /** Makes the next send fail with it. */
  readonly arrange: (vendor: Vendor) => Arranged
  /** The normalised recipient. Default: the first valid handle. */
  readonly to?: string
  readonly outcome: ExpectedOutcome
}

/** A throttle of a vendor. */
export interface Throttle<Vendor> {
  /** Makes the next send fail with it. */
  readonly arrange: (vendor: Vendor) => Arranged
  /** The normalised recipient. Default: the first valid handle. */
  readonly to?: string
  /** Default: `connection`. */
  readonly scope?: "connection" | "recipient"
}

type Outcome<Tag extends SendOutcome["_tag"]> = Extract<SendOutcome, { readonly _tag: Tag }>

/** Expected outcome. `optOut` must be equal; `providerCode` is compared if given. */
export type ExpectedOutcome =
  | (Pick<Outcome<"Rejected">, "_tag" | "scope" | "optOut"> & {
      readonly code: ErrorCode
      readonly providerCode?: string
    })
  | (Pick<Outcome<"Throttled">, "_tag" | "scope"> & { readonly retryAfterMs?: number | null })
  | Pick<Outcome<"Moved">, "_tag" | "handle">
  | Pick<Outcome<"Transient">, "_tag">
  | Pick<Outcome<"Unknown">, "_tag">

/** Webhook requests of the vendor. */
export interface WebhookFixture {
  /**
   * The vendor's request with these events in order, for the account of `account.connection`, signed with
   * `account.credentials` (the kit also combines parts of different accounts). `layout` is one of {@link layouts}, or
   * null for a request with one event.
   */
  readonly request: (account: Account, events: ReadonlyArray<VendorEvent>, layout: string | null) => ProviderRequest
  /**
   * The layouts of several events in one request, such as `entries`, `changes`, `messages`: each event has its own
   * entry (change, …).
   */
  readonly layouts: ReadonlyArray<string> | Lacks
  /** The part of the request that proves its origin. */
  readonly proof: { readonly header: string } | { readonly query: string }
  /** Whether the proof covers the body, so that an altered byte is detected. */
  readonly provesBody: true | Lacks
  /** Whether a request names its account, so that events of another account are recognised despite a valid proof. */
  readonly namesAccount: true | Lacks
  /** Every action of a customer beyond a text that the vendor reports, and the message that it becomes. */
  readonly actions: ReadonlyArray<CustomerAction> | Lacks
  /** The vendor's request with a press of an option, as {@link request}. Default: the channel has no options. */
  readonly presses?: ((account: Account, press: OptionPress) => ProviderRequest) | Lacks
  /** Messages that the business wrote elsewhere, as the vendor reports them. Default: it reports none. */
  readonly echoes?: ReadonlyArray<ReportedEcho> | Lacks
  /** Names of the vendor's news about the account, for `VendorEvent.Action`. Default: it reports none. */
  readonly news?: ReadonlyArray<string> | Lacks
  /** Messages have a display name. */
  readonly names: true | Lacks
  /** The statuses that the vendor reports per message. */
  readonly receipts: ReadonlyArray<Receipt["status"]> | Lacks
  /** Receipts have a time. */
  readonly receiptTimes: true | Lacks
  /** Receipts contain our own id. */
  readonly ownIds: true | Lacks
  /** The statuses that the vendor reports by watermark. */
  readonly watermarks: ReadonlyArray<"delivered" | "read"> | Lacks
  /** Names of events unknown to the provider, for `VendorEvent.Unknown`. */
  readonly unknown: ReadonlyArray<string> | Lacks
  /** A verification request of the URL with its response, and requests that must be refused. */
  readonly challenge: ((account: Account) => ChallengeFixture) | Lacks
}

/** Requests of customers with a valid session to the provider's own server (`serve`). */
export interface OwnServerFixture extends Pick<WebhookFixture, "actions" | "presses"> {
  /** The request with a customer's message or with one of {@link actions}. */
  readonly request: (
    account: Account,
    event: Extract<VendorEvent, { readonly _tag: "Message" | "Action" }>
  ) => ProviderRequest
  /** The request with a customer's answer to a message of the business. Default: customers cannot quote. */
  readonly answers?: (account: Account, answer: CustomerAnswer) => ProviderRequest
}

/** A customer's answer to a message that was sent. */
export interface CustomerAnswer {
  /** Equal numbers are redeliveries of one answer. */
  readonly number: number
  /** The customer, in the vendor's spelling. */
  readonly from: string
  /** Provider message id of the message. */
  readonly quoted: string
  readonly text: string
}

/** A press of an option of a question that was sent. */
export interface OptionPress {
  /** Equal numbers are redeliveries of one press. */
  readonly number: number
  /** The customer, in the vendor's spelling. */
  readonly from: string
  /** Provider message id of the question. */
  readonly question: string
  readonly option: { readonly id: string; readonly title: string }
  readonly at: Instant
}

/** An action of a customer: {@link WebhookFixture.request} encodes it as `VendorEvent.Action`. */
export interface CustomerAction {
  /** Name, such as `a pressed button`. */
  readonly what: string
  readonly type: MessageType
  /** The readable text. */
  readonly body: string
  /** Default: null. */
  readonly content?: MessageContent
  /** Provider message id of the message that it refers to, or its id by the number of the event. Default: none. */
  readonly quoted?: string | ((number: number) => string)
  /** The types of its files. Default: none. */
  readonly files?: ReadonlyArray<InboundAttachment["type"]>
  readonly forwarded?: boolean
  /** Default: not compared. */
  readonly referral?: Referral
  /** Default: not compared. */
  readonly groupId?: string
}

/** The provider message id that the action with this number refers to; null: none. */
export const quotedBy = ({ quoted }: Pick<CustomerAction, "quoted">, number: number): string | null =>
  typeof quoted === "function" ? quoted(number) : (quoted ?? null)

/**
 * A message that the business wrote elsewhere: {@link WebhookFixture.request} encodes it as `VendorEvent.Action`, whose
 * `from` is the customer who got it.
 */
export type ReportedEcho = Omit<CustomerAction, "referral">

/** The vendor's verification of the URL. */
export interface ChallengeFixture {
  readonly right: ProviderRequest
  readonly answer: string
  readonly wrong: ReadonlyArray<ProviderRequest>
}

/** Polling. */
export interface PollFixture<Vendor> {
  /** Adds these events to an account at the vendor. */
  readonly arrive: (vendor: Vendor, account: Account, events: ReadonlyArray<VendorEvent>) => Arranged
  /** The statuses that polling reports. */
  readonly receipts: ReadonlyArray<Receipt["status"]> | Lacks
}
