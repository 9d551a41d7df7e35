import { Context, Data, type Effect } from "effect"
import type { BotSession } from "../bots/BotSession.js"
import type { Contact } from "../contacts/Contact.js"
import type { Conversation } from "../conversations/Conversation.js"
import type { Message } from "../messages/Message.js"

/** The responder cannot answer now; it is asked again for ten minutes, then a person takes over. */
export class ResponderUnavailable extends Data.TaggedError("ResponderUnavailable")<{ readonly reason: string }> {}

/** A customer's message for a bot that has no steps of its own. */
export interface BotTurn {
  readonly bot: { readonly id: string; readonly name: string }
  /** What earlier answers of the responder learned in this dialogue. */
  readonly answers: BotSession["answers"]
  readonly conversation: Conversation
  readonly contact: Contact
  /** What was said before the message, by whomever, oldest first: the last 20. */
  readonly earlier: ReadonlyArray<Message>
  readonly message: Message
}

/** What a responder makes of a message. */
export interface BotAnswer {
  /** Messages to the customer, in their order: at most 10, each of at most 4,096 characters. */
  readonly say: ReadonlyArray<string>
  /** What it learned, beside what it knew: at most 100 answers under keys such as those of steps, text of at most 4,096
   * characters. */
  readonly answers?: BotSession["answers"]
  /** Whether it waits for the customer, lets a person take over, or is done. */
  readonly outcome: "continue" | "hand_off" | "finish"
}

/**
 * An embedding team's own model, which answers in place of a script: for bots without steps. Where a host provides none, such
 * a bot hands off at once.
 *
 * It is asked outside of any commit, for at most 30 s, and again after a crash or where somebody wrote meanwhile; one of its
 * answers to a message is committed. It must not send anything itself.
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
