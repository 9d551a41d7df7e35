import type { Problems } from "../../errors/Refusal.js"
import type { Capabilities } from "../../model/Channel.js"
import type { Message } from "../../model/Message.js"

/** What the validation of a quote may read. */
export interface QuoteWorld {
  /** Undefined without a connection. */
  readonly capabilities: Capabilities | undefined
  /** The message with the id, of any workspace. */
  readonly quoted: Message | undefined
  /** The conversation that the message goes to, if it exists. */
  readonly conversationId: string | undefined
  /** The application that sends; null for agents, who see every message. */
  readonly applicationId: string | null
  /** The provider's rule of messages that cannot have a reaction: a validation message (`must be …`), or null. */
  readonly reactionProblem: (providerMessageId: string) => string | null
}

/** The message that a send quotes, or its problems. Neither if it quotes none. */
export interface ReadQuote {
  readonly message: Message | null
  readonly problems: Problems
}

/**
 * Reads `quoted` (docs/reference/content.md#quoted-messages): a message of the conversation, visible to the sender and
 * accepted by the channel. A reaction needs one that can have reactions.
 */
export const readQuote = (
  { applicationId, capabilities, conversationId, quoted, reactionProblem }: QuoteWorld,
  { quoted: id, type }: { readonly quoted?: string | null; readonly type?: string | null }
): ReadQuote => {
  const problem = (text: string): ReadQuote => ({ message: null, problems: { quoted: [text] } })
  if (id === null && type === "reaction") return problem("is required for the type reaction")
  if (id == null || capabilities === undefined) return { message: null, problems: {} }
  if (capabilities.quotes !== true) return problem("is not possible on this channel")
  const isVisible = (message: Message) =>
    message.applicationId === null || applicationId === null || message.applicationId === applicationId
  if (quoted === undefined || quoted.conversationId !== conversationId || !isVisible(quoted)) {
    return problem("must be the id of a message of this conversation")
  }
  const { providerMessageId } = quoted
  if (providerMessageId === null) return problem("must be the id of a message that the channel accepted")
  const unfit = type === "reaction" ? reactionProblem(providerMessageId) : null
  return unfit === null ? { message: quoted, problems: {} } : problem(unfit)
}
