import { SendOutcome } from "@parley/core"
import { Effect, Option } from "effect"
import type { Meaning } from "./Meaning.js"
import type { Refused, VendorError, VendorFailure } from "./VendorFailure.js"
import { withoutSecrets } from "./withoutSecrets.js"

/** How the answer to a send is interpreted. */
export interface SendRules<E> {
  /** The vendor's id of the accepted message. */
  readonly messageId: (answer: unknown) => Option.Option<string>
  /** What else the answer tells of the accepted message. Default: nothing. */
  readonly accepted?: (answer: unknown) => Pick<Accepted, "billing" | "queued">
  readonly meaningOf: (error: E, status: number) => Meaning
  /** They are removed from the vendor's text. */
  readonly credentials: Readonly<Record<string, string>>
}

type Accepted = SendOutcome & { readonly _tag: "Accepted" }

/** The outcome of a send. Only a message that certainly was not sent is `Transient`. */
export const sendOutcome = <E extends VendorError>(
  answer: Effect.Effect<unknown, VendorFailure<E>>,
  rules: SendRules<E>
): Effect.Effect<SendOutcome> =>
  Effect.match(answer, {
    onSuccess: (json) =>
      Option.match(rules.messageId(json), {
        onSome: (providerMessageId) =>
          SendOutcome.Accepted({ providerMessageId, receipts: [], ...rules.accepted?.(json) }),
        onNone: () => SendOutcome.Unknown({ reason: "an answer without a message id" })
      }),
    onFailure: (failure) => {
      switch (failure._tag) {
        case "Unreachable":
          return SendOutcome.Transient({ reason: failure.reason })
        case "Unanswered":
          return SendOutcome.Unknown({ reason: failure.reason })
        case "Refused":
          return refusedOutcome(failure, rules)
      }
    }
  })

const refusedOutcome = <E extends VendorError>(
  { error, reason, retryAfterMs, status }: Refused<E>,
  { credentials, meaningOf }: SendRules<E>
): SendOutcome => {
  // The vendor had received the message when it failed: only a receipt shows whether it was sent.
  const unfinished = status >= 500 ? SendOutcome.Unknown({ reason }) : SendOutcome.Transient({ reason })
  // A refusal of a proxy and not of the vendor is not about the message.
  if (error === null) return status === 429 ? SendOutcome.Throttled({ retryAfterMs }) : unfinished
  const meaning = meaningOf(error, status)
  switch (meaning.kind) {
    case "throttled": {
      const { kind: _, ...scope } = meaning
      return SendOutcome.Throttled({ retryAfterMs, ...scope })
    }
    case "moved":
      return SendOutcome.Moved({ handle: meaning.handle })
    case "transient":
      return unfinished
    case "rejected": {
      const { kind: _, message, ...rejected } = meaning
      const providerMessage = withoutSecrets(error.message, credentials).slice(0, maxProviderMessage) || message
      return SendOutcome.Rejected({ ...rejected, providerCode: error.providerCode, providerMessage })
    }
  }
}

/** The maximum length of the vendor's text, in UTF-16 units. */
const maxProviderMessage = 1_000
