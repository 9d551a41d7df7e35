/**
 * The observations of one history from outside of Parley, in the order of time. A simulation writes it, and so does a
 * run of real hosts; the auditor reads nothing else. All times are in ms since the Unix epoch, by one clock.
 *
 * Names: `application` and `administrator` are the callers, by the names that the {@link World} gives them. Bodies are
 * parsed JSON in wire shape.
 */
export type Entry =
  | World
  | Request
  | Response
  | Enqueue
  | Enqueued
  | EnqueuedOutcome
  | HandOver
  | Verdict
  | VendorEvent
  | VendorEventAnswer
  | WebhookAttempt
  | WebhookAnswer
  | Subscribe
  | Subscribed
  | Unsubscribe
  | Handling
  | Handled
  | Fault
  | Quiet
  | End

interface At {
  readonly at: number
}

/** The tenants of the history. First entry; later changes are visible in requests of administrators. */
export interface World extends At {
  readonly kind: "world"
  readonly workspaces: ReadonlyArray<{ readonly id: string }>
  readonly applications: ReadonlyArray<{
    /** The name in {@link Request.caller}. */
    readonly name: string
    readonly id: string
    readonly workspaceId: string
    /** The connections that the application may use. */
    readonly connectionIds: ReadonlyArray<string>
    /** Tokens a minute. Absent: the documented defaults, 600 and 100. */
    readonly limits?: { readonly requestsPerMinute: number; readonly sendsPerMinute: number }
  }>
  readonly connections: ReadonlyArray<{
    readonly id: string
    readonly workspaceId: string
    readonly channel: string
    /** Whether the vendor sends a message once that is handed over twice under one id. */
    readonly dedupes: boolean
    /** The connection's policy for sends with an unknown outcome. */
    readonly unknownSends: "hold" | "resend"
    /** Whether the vendor reports `delivered` and `read`. */
    readonly receipts: ReadonlyArray<"delivered" | "read">
    /** The limits of one message. Absent: a send with files becomes one message. */
    readonly files?: { readonly count: number; readonly captionLength: number }
  }>
  readonly endpoints: ReadonlyArray<{
    readonly id: string
    readonly applicationId: string
    /** No two endpoints of a journal have the same URL. */
    readonly url: string
    /** Subscribed event types; empty, or with `*`: all. */
    readonly events: ReadonlyArray<string>
    /** The signing secret, as it was shown when the endpoint was made. */
    readonly secret: string
  }>
  /** The journal may lack webhook attempts that reached no receiver, such as those of real processes. */
  readonly unseenAttempts?: true
}

/** A request to the REST interface or to the admin API. */
export interface Request extends At {
  readonly kind: "request"
  /** Number of the request in this journal. */
  readonly request: number
  /** The name of an application, or `administrator`. */
  readonly caller: string
  readonly method: string
  /** With the query, such as `/api/v1/messages?limit=10`. */
  readonly path: string
  readonly idempotencyKey: string | null
  /** Id of the API key, if an administrator issued it in this journal. */
  readonly apiKey?: string
  readonly body: unknown
}

/** The response as the caller received it. A request without one has no known result. */
export interface Response extends At {
  readonly kind: "response"
  readonly request: number
  readonly status: number
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

/**
 * An application writes a request in a transaction of its own, which is open from here on
 * (docs/reference/enqueue.md).
 */
export interface Enqueue extends At {
  readonly kind: "enqueue"
  /** Identifies the request. */
  readonly id: string
  readonly process: string
  /** The name of the application. */
  readonly caller: string
  /** The request to the interface that it stands for. */
  readonly operation: "POST /messages" | "POST /events"
  readonly idempotencyKey: string
  readonly body: unknown
  /** False: the application rolls the transaction back. */
  readonly commits: boolean
}

/** The transaction is committed. Absent: it was rolled back, or its process ended before it knew. */
export interface Enqueued extends At {
  readonly kind: "enqueued"
  readonly id: string
}

/** The outcome of a request as its application read it. */
export interface EnqueuedOutcome extends At {
  readonly kind: "enqueued-outcome"
  readonly id: string
  /** Null: Parley knows no such request. */
  readonly status: "waiting" | "accepted" | "refused" | null
  /** What the request to the interface answers that has this outcome. Null: not accepted or refused. */
  readonly answer: { readonly status: number; readonly body: unknown } | null
}

/** Parley hands a message to a vendor. */
export interface HandOver extends At {
  readonly kind: "hand-over"
  /** Number of the hand-over in this journal. */
  readonly handOver: number
  readonly process: string
  readonly connectionId: string
  /** Parley's message id. */
  readonly messageId: string
  readonly to: string
  readonly text: string
  /** The contents of its files; that of a file at a URL is the URL. Absent: not observed. */
  readonly files?: ReadonlyArray<string>
}

/** Result of a hand-over. Absent: the process crashed before. */
export interface Verdict extends At {
  readonly kind: "verdict"
  readonly handOver: number
  /** Whether the vendor sends the message to the customer. */
  readonly taken: boolean
  /** The answer that Parley received. `lost`: none, or the connection broke. */
  readonly outcome: "accepted" | "rejected" | "throttled" | "transient" | "moved" | "lost"
  readonly providerMessageId: string | null
}

/** A call of the vendor to `/inbound/{connection}`: a message of a customer, or a receipt. */
export interface VendorEvent extends At {
  readonly kind: "vendor-event"
  /** Number of the call in this journal. A vendor that got no 2xx calls again with the same `event`. */
  readonly call: number
  /** Identifies what the vendor reports: repeated calls have the same one. */
  readonly event: string
  readonly connectionId: string
  readonly report:
    | {
        readonly type: "message"
        readonly providerMessageId: string
        readonly from: string
        readonly text: string
        readonly sentAt: number
      }
    | {
        readonly type: "receipt"
        readonly providerMessageId: string
        /** Parley's id of the message, if the vendor knows it. */
        readonly messageId?: string | null
        readonly status: "delivered" | "read" | "failed"
        readonly happenedAt: number
      }
}

/** The status of the answer to the vendor. A call without one has no known result. */
export interface VendorEventAnswer extends At {
  readonly kind: "vendor-event-answer"
  readonly call: number
  readonly status: number
}

/**
 * A webhook arrives at a receiver, or a fault keeps it from one. Where the observer sees only those that arrive, the
 * world says `unseenAttempts`.
 */
export interface WebhookAttempt extends At {
  readonly kind: "webhook"
  /** Number of the attempt in this journal. */
  readonly attempt: number
  readonly process: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** The raw body, over which the signature is made. */
  readonly body: string
}

/**
 * The receiver's answer. `arrived`: whether the process that sent the webhook could see it. Absent: none within 10 s.
 */
export interface WebhookAnswer extends At {
  readonly kind: "webhook-answer"
  readonly attempt: number
  /** Null: the connection broke. */
  readonly status: number | null
  readonly arrived: boolean
}

/**
 * A process registers a function for a subscription (docs/reference/webhooks.md#subscriptions). It may handle events
 * from here on, until it unsubscribes or ends.
 */
export interface Subscribe extends At {
  readonly kind: "subscribe"
  readonly process: string
  /** Identifies the subscription in this journal. */
  readonly url: string
  /** Of the application, or of the workspace, whose events it gets. */
  readonly ownerId: string
  readonly ofWorkspace: boolean
  /** The same in all processes; empty, or with `*`: all. */
  readonly events: ReadonlyArray<string>
  /** The same in all processes: events since this time are handled too. Null: events from now on. */
  readonly since: number | null
  /** Maximum number of events that the process handles at once. */
  readonly concurrency: number
  /** The same in all processes: whether events of one conversation are handled one after another. */
  readonly ordered: boolean
}

/** The subscription of a process is stored. */
export interface Subscribed extends At {
  readonly kind: "subscribed"
  readonly process: string
  readonly url: string
  readonly endpointId: string
}

/** A process handles no further events of a subscription: it stopped it, or could not subscribe. */
export interface Unsubscribe extends At {
  readonly kind: "unsubscribe"
  readonly process: string
  readonly url: string
}

/** The function of a process gets an event of a subscription. */
export interface Handling extends At {
  readonly kind: "handling"
  /** Number of the attempt in this journal; not that of a webhook. */
  readonly attempt: number
  readonly process: string
  readonly url: string
  /** Number of the attempt at the event, as Parley says. */
  readonly number: number
  readonly body: string
}

/** The function ended. Absent: it did not within 10 s, which is its timeout, or its process ended before. */
export interface Handled extends At {
  readonly kind: "handled"
  readonly attempt: number
  readonly succeeded: boolean
}

/** A fault that was injected, for the reader of a history. Auditors derive nothing from its text. */
export interface Fault extends At {
  readonly kind: "fault"
  readonly text: string
  /**
   * Effects that auditors need: the process that lost its memory, and forgotten relaxed writes (rate tokens, slots)
   * after a power cut.
   */
  readonly crashed?: string
  readonly powerCut?: true
  /** The process that begins to shut down, and one that is killed because it did not end in the documented time. */
  readonly stops?: string
  readonly killed?: string
  /** A fault that lasts has a name, and another entry where it ends. The quiet ends all faults. */
  readonly begins?: string
  readonly ends?: string
  /** Changes how vendors or receivers behave: it keeps no process from its work, nor from the storage. */
  readonly outside?: true
}

/**
 * From here on there are no faults, no new requests but reads, and all vendors work. So do all receivers, but for
 * single events that they have refused before.
 */
export interface Quiet extends At {
  readonly kind: "quiet"
}

/**
 * The history was observed to its end: after {@link Quiet}, each message that a 202 named was read, and the observer
 * waited until there was nothing left to arrive soon. Without this entry nothing is missing, because it may yet come.
 */
export interface End extends At {
  readonly kind: "end"
  /** The contents of all stored files. Absent: not observed. */
  readonly files?: ReadonlyArray<string>
}

/** A journal without its last, incomplete entries is a journal too. */
export type Journal = ReadonlyArray<Entry>
