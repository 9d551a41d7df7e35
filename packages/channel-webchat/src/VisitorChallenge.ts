/** A client without a session that asks for one as a new anonymous visitor. */
export interface NewVisitor {
  readonly connectionId: string
  /** The client's address; undefined where the host does not know it. */
  readonly address: string | undefined
  /** The part of the limit of all new visitors that this process has admitted within the minute, from 0 to 1. */
  readonly load: number
  /** In ms since the epoch. */
  readonly now: number
  /** Signs a text under the connection's `visitor_secret`, as base64url, so that challenges need no storage. */
  readonly sign: (text: string) => string
}

/** What a client is asked, as JSON. `type` names it for clients. */
export interface Challenge {
  readonly type: string
  readonly [field: string]: unknown
}

/**
 * Keeps programs from opening many sessions (docs/reference/webchat.md#challenges): new anonymous visitors answer a
 * challenge first, such as a captcha. A method that throws or takes more than 10 s refuses the visitor with 503.
 */
export interface VisitorChallenge {
  /** The challenge for a client without a valid answer; null: it needs none. */
  readonly issue: (visitor: NewVisitor) => Challenge | null | Promise<Challenge | null>
  /** Whether a client's answer is valid. The answer is any JSON object. An answer must be valid only once. */
  readonly verify: (answer: { readonly [field: string]: unknown }, visitor: NewVisitor) => boolean | Promise<boolean>
}
