import { Context, Effect } from "effect"
import type { Connection } from "../../model/Connection.js"
import type { Conversation } from "../../model/Conversation.js"
import { InboundEvent } from "../../model/InboundEvent.js"
import type { Message } from "../../model/Message.js"
import type { ContentOf } from "../../model/MessageContent.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { verifiedId } from "../../resources/messages/signedId.js"
import { Inbound } from "./Inbound.js"

/** The question of a link, as its page shows it. */
export interface LinkedQuestion {
  readonly body: string
  readonly options: ContentOf<"choices">["options"]
}

/** The links in mails with which customers choose an option (docs/reference/email.md#choices). */
export interface ChoiceLinks {
  /** The question. Null if the signed id was not given out here, or its message was deleted. Changes nothing. */
  readonly question: (signedId: string) => Effect.Effect<LinkedQuestion | null, ReadError>
  /**
   * Stores the choice of an option, from 1, as a message of the recipient, and returns its title. Durable when it
   * returns. Each option is stored once, however often it is posted. Null as {@link question}, and for an option that
   * does not exist.
   */
  readonly choose: (signedId: string, number: number) => Effect.Effect<string | null, CommitError>
}
export const ChoiceLinks = Context.GenericTag<ChoiceLinks>("@parley/core/ChoiceLinks")

/** The question of a link, with its conversation and connection. */
interface Linked {
  readonly message: Message & { readonly content: ContentOf<"choices"> }
  readonly conversation: Conversation
  readonly connection: Connection
}

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const secretBox = yield* SecretBox
  const inbound = yield* Inbound

  const linked = (signedId: string): Effect.Effect<Linked | null, ReadError> =>
    Effect.gen(function* () {
      const messageId = verifiedId(secretBox, "choose", signedId)
      if (messageId === null) return null
      const message = yield* readById(storage, "messages", messageId)
      if (message === undefined || !isQuestion(message)) return null
      const {
        connections: [connection],
        conversations: [conversation]
      } = yield* storage.read({
        connections: lookupById("connections", message.connectionId),
        conversations: lookupById("conversations", message.conversationId)
      })
      return conversation === undefined || connection === undefined ? null : { message, conversation, connection }
    })

  return ChoiceLinks.of({
    question: (signedId) =>
      Effect.map(linked(signedId), (found) =>
        found === null ? null : { body: found.message.body, options: found.message.content.options }
      ),
    choose: (signedId, number) =>
      Effect.gen(function* () {
        const found = yield* linked(signedId)
        const option = found?.message.content.options[number - 1]
        if (found === null || option === undefined) return null
        const { connection, conversation, message } = found
        const choice = InboundEvent.Message({
          providerMessageId: `choice ${number} of ${message.id}`,
          from: conversation.handle,
          body: option.title,
          subject: null,
          displayName: null,
          attachments: [],
          automatic: false,
          content: { type: "choice", id: option.id, title: option.title },
          // Without an id of the vendor, the link still names this question, and no other one is looked for.
          quoted: { providerMessageId: message.providerMessageId ?? message.id }
        })
        yield* inbound.take(connection, [choice])
        return option.title
      })
  })
})

const isQuestion = (message: Message): message is Linked["message"] =>
  message.direction === "outbound" && message.content?.type === "choices"
