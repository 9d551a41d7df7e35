import { Context, Data, type Effect } from "effect"
import type { BotSession } from "../model/BotSession.js"
import type { Contact } from "../model/Contact.js"
import type { Conversation } from "../model/Conversation.js"
import type { Message } from "../model/Message.js"
import type { DefinedContent } from "../model/MessageContent.js"

/** The responder cannot answer now. The engine retries for ten minutes, then hands the conversation to a person. */
export class ResponderUnavailable extends Data.TaggedError("ResponderUnavailable")<{ readonly reason: string }> {}

/** A customer's message to a bot without a script. */
export interface BotTurn {
  readonly bot: { readonly id: string; readonly name: string }
  /** The answers that the responder returned earlier in this dialogue. */
  readonly answers: BotSession["answers"]
  readonly conversation: Conversation
  readonly contact: Contact
  /** The last 20 messages before this one, of either direction and any sender, oldest first. */
  readonly earlier: ReadonlyArray<Message>
  readonly message: Message
}

/** A message that is more than a text: what {@link DefinedContent} or `attachments` says, with the text. */
export interface BotSay {
  /** The question of choices, or the caption of files; at most 4,096 characters. */
  readonly text?: string
  /**
   * A location, contacts, or a question with options: the fields of `message.content` of a send, with their `type`.
   */
  readonly content?: DefinedContent
  /** Files that are fetched and sent: 1 to 30. */
  readonly attachments?: ReadonlyArray<{
    readonly url: string
    /** Default: that of the response. */
    readonly contentType?: string
    readonly fileName?: string | null
  }>
}

/** The responder's reply to a message. */
export interface BotAnswer {
  /** Messages to the customer, in this order: at most 10 texts, each of at most 4,096 characters, or {@link BotSay}. */
  readonly say: ReadonlyArray<string | BotSay>
  /**
   * Values to store in the session, merged into its existing answers: at most 100, under keys in the form of step keys,
   * text of at most 4,096 characters.
   */
  readonly answers?: BotSession["answers"]
  /** `continue` waits for the customer, `hand_off` hands the conversation to a person, `finish` ends the dialogue. */
  readonly outcome: "continue" | "hand_off" | "finish"
}

/**
 * Answers customers in place of a script, for bots without steps: typically an embedding team's own model. Optional. On
 * a host without a responder, such a bot hands off at once.
 *
 * Invariants:
 * - A call runs outside of any commit and takes at most 30 s; a longer call counts as {@link ResponderUnavailable}.
 * - One message may cause several calls: after a crash, or when the conversation changed during the call. At most one
 *   answer to a message is committed.
 * - An answer that exceeds the limits of {@link BotAnswer} counts as {@link ResponderUnavailable}.
 * - The responder must not send messages itself.
 *
 * @example
 * ```ts
 * const responder = Layer.succeed(BotResponder, {
 *   respond: ({ message }) => Effect.succeed({ say: [`You wrote: ${message.body}`], outcome: "continue" })
 * })
 * const live = Engine.layer.pipe(Layer.provide(responder), Layer.provide(ports))
 * ```
 */
export interface BotResponder {
  readonly respond: (turn: BotTurn) => Effect.Effect<BotAnswer, ResponderUnavailable>
}
export const BotResponder = Context.GenericTag<BotResponder>("@parley/core/BotResponder")
