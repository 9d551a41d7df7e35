import type { ChannelProvider, MessageContent } from "@parley/core"
import type { Parley, PlainOptions } from "@parley/host"

/** A message that a provider accepted, rejected or did not answer. */
export interface SentMessage {
  /** Id of the message. */
  readonly id: string
  /** The recipient's normalised handle. */
  readonly to: string
  /** Null for free text. */
  readonly template: {
    readonly name: string
    readonly language: string
    readonly variables: ReadonlyArray<string>
  } | null
  /** The text; for a template, the rendered text. */
  readonly body: string
  /** Null for a text and for a template. */
  readonly content?: MessageContent | null
  /** Provider message id of the message that this one answers or reacts to. */
  readonly quoted?: string | null
  readonly files?: ReadonlyArray<{
    readonly type: string
    readonly contentType: string
    readonly fileName: string | null
    /** In bytes. */
    readonly size: number | null
  }>
  readonly subject: string | null
  readonly html?: string | null
  /** Number of this attempt, 1-based. */
  readonly attempt: number
  readonly channel: string
  /** The handle of the connection: the business's own address. */
  readonly from: string
  readonly connectionId: string
  /** The time of the test. */
  readonly sentAt: Date
}

/** A POST to a webhook endpoint, or of a workflow. */
export interface PostedRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** The JSON, parsed; else the text. */
  readonly body: unknown
  /** The time of the test. */
  readonly postedAt: Date
}

/** How the URL of a webhook answers: a status, or the reason why there is no response. */
export type PostedAnswer = { readonly status: number; readonly body?: string } | { readonly error: string }

/** The bytes of a file, or its text; null: the URL answers 404. */
export type TestFile = Uint8Array | string | null

/** A duration: ms, or a number and a unit. */
export type TimeSpan =
  | number
  | `${number} ${"millis" | "second" | "seconds" | "minute" | "minutes" | "hour" | "hours" | "day" | "days"}`

/** A message of a customer to a sandbox connection. */
export interface ReceivedMessage {
  /** The customer's handle. */
  readonly from: string
  readonly body: string
}

/** A running engine in memory whose clock stands still. */
export interface TestParley extends Parley {
  /** The messages that went to providers, in order, with all tries. */
  readonly sent: ReadonlyArray<SentMessage>
  /**
   * The requests to URLs of customers, in order, with all tries. They are answered here: nothing leaves the process.
   */
  readonly posted: ReadonlyArray<PostedRequest>
  /** Forgets what is {@link sent} and {@link posted}. */
  readonly forget: () => void
  /** The time of the test. */
  readonly now: () => Date
  /** Waits until all that is due now is done: sends, webhooks, workflows, handlers and loops of events. */
  readonly idle: () => Promise<void>
  /**
   * Lets this time pass: receipts, retries, waits of workflows and everything else that becomes due happens at its time
   * and in its order. Resolves when it is done. A handler that does not end within a second of real time is left
   * running, and so is a loop that does not ask for its next event.
   */
  readonly advance: (time: TimeSpan) => Promise<void>
  /** A customer writes to a sandbox connection. Resolves when all that follows now is done. */
  readonly receive: (connectionId: string, message: ReceivedMessage) => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Options of a test's engine: those of `createParley` but its storage, and these. */
export interface TestParleyOptions extends PlainTestOptions {
  /** Default: those of the sandbox. */
  readonly channels?: ReadonlyArray<ChannelProvider> | undefined
}

/** The options without types of Effect, which `@parley/embed/testing` has too. */
export interface PlainTestOptions extends Partial<Omit<PlainOptions, "secretKey" | "worker">> {
  /** The first time. Default: 2026-01-05, a Monday, 09:00 UTC. */
  readonly startsAt?: Date | undefined
  /** Answers requests to URLs of customers. Default: status 200. */
  readonly answer?: ((request: PostedRequest) => PostedAnswer | Promise<PostedAnswer>) | undefined
  /** The file at the URL of an attachment; null: its URL answers 404. Default: a short text. */
  readonly files?: ((url: string) => TestFile | Promise<TestFile>) | undefined
}
