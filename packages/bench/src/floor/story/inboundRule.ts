import type { Changes, Ids, InboundEvent } from "@parley/core"
import { receiveMessage } from "@parley/core/internals"
import { Either } from "effect"
import type { InboundRows } from "./StoryDatabase.js"

/** A customer's text as the vendor brings it. */
export interface InboundText {
  readonly providerMessageId: string
  /** Normalised. */
  readonly from: string
  readonly displayName: string | null
  readonly body: string
  /** The vendor's JSON of the message. */
  readonly raw: string
}

const capabilities = { identity: "whatsapp", serviceWindowHours: 24, profiles: false } as const

/** The commit of a customer's message by the engine's rule; null if it is stored already. */
export const inboundRule =
  (ids: Ids) =>
  (text: InboundText, { applications, bots, connection, customers, endpoints, known }: InboundRows, now: number) => {
    const customer = customers.get(text.from)
    const stored = known.get(text.providerMessageId)
    if (stored?.messageId != null) return null
    const world = {
      contact: customer?.contact,
      conversation: customer?.conversation,
      known: stored,
      message: undefined,
      quoted: undefined,
      knownQuoted: undefined,
      edits: [],
      shownFiles: new Map(),
      removed: {},
      recent: [],
      bots,
      subscribers: { endpoints, applications }
    }
    const message: Omit<InboundEvent & { readonly _tag: "Message" }, "_tag" | "attachments"> = {
      ...text,
      subject: null,
      automatic: false
    }
    const decided = receiveMessage(world, connection, message, capabilities, now, ids)
    if (Either.isLeft(decided)) throw new Error("The rule refused a message")
    return decided.right.changes as Changes
  }
