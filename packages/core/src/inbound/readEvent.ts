import { Either, Schema } from "effect"
import type { Connection } from "../channels/Connection.js"
import { mostNameCharacters } from "../contacts/fetchProfile.js"
import { normaliseHandle } from "../contacts/Handle.js"
import type { Instant } from "../Instant.js"
import { isUuid, text } from "../input/Fields.js"
import { isVendorKey } from "../input/isVendorKey.js"
import { storableText } from "../input/storableText.js"
import type { Receipt } from "../messages/Message.js"
import type { ChannelProvider } from "../ports/ChannelProvider.js"
import type { ConnectionRefusal, InboundEvent } from "./InboundEvent.js"

/** The most of a customer's message that is stored, in characters: of its text, its subject, and its files. */
export const mostOfMessage = { body: 100_000, subject: 998, files: 100 } as const

/** Handles are found by an index: longer ones are none. */
const isHandle = Schema.is(text(255))

/**
 * An event with its handles normalised and its texts as they can be stored, cut where they are longer than what is stored; or why it
 * cannot be read, without any of its values. What a vendor's clock puts into the future happens now.
 */
export const readEvent = (
  connection: Connection,
  provider: Pick<ChannelProvider, "parseHandle"> | undefined,
  event: InboundEvent,
  now: Instant
): Either.Either<InboundEvent, string> => {
  const handleOf = (text: string): Either.Either<string, string> =>
    normaliseHandle(connection.channel, text).pipe(
      Either.flatMap((handle) => provider?.parseHandle(connection.channel, handle) ?? Either.right(handle)),
      Either.filterOrLeft(isHandle, () => "must be text of at most 255 characters"),
      Either.mapLeft((words) => `the handle ${words}`)
    )
  const idOf = (id: string): Either.Either<string, string> =>
    isVendorKey(id) ? Either.right(id) : Either.left("the message's id must be text of 1 to 512 characters")
  const timeOf = (at: Instant): Either.Either<Instant, string> =>
    at >= 0 ? Either.right(Math.min(Math.floor(at), now)) : Either.left("the time must be a moment")

  return Either.gen(function* () {
    switch (event._tag) {
      case "Message":
        return {
          ...event,
          providerMessageId: yield* idOf(event.providerMessageId),
          from: yield* handleOf(event.from),
          body: storableText(event.body, mostOfMessage.body),
          subject: textOrNull(event.subject, mostOfMessage.subject),
          displayName: textOrNull(event.displayName, mostNameCharacters),
          attachments: event.attachments.slice(0, mostOfMessage.files)
        }
      case "Receipt":
        return {
          ...event,
          providerMessageId: yield* idOf(event.providerMessageId),
          // Somebody else's: ours are UUIDs.
          messageId: event.messageId !== null && isUuid(event.messageId) ? event.messageId.toLowerCase() : null,
          receipt: { ...event.receipt, at: yield* timeOf(event.receipt.at), error: errorOf(event.receipt) },
          refusal: refusalOf(event)
        }
      case "Watermark":
        return { ...event, handle: yield* handleOf(event.handle), upTo: yield* timeOf(event.upTo) }
      case "HandleChanged":
        return { ...event, from: yield* handleOf(event.from), to: yield* handleOf(event.to) }
      case "OptOut":
        return { ...event, handle: yield* handleOf(event.handle) }
      case "TemplateStatus":
        return isVendorKey(event.name) && isVendorKey(event.language)
          ? event
          : yield* Either.left("the template's name and language must be text of 1 to 512 characters")
      case "Unknown":
        return event
    }
  })
}

const textOrNull = (given: string | null, max: number): string | null => {
  const text = given === null ? "" : storableText(given, max).trim()
  return text === "" ? null : text
}

const refusalOf = ({ refusal = null }: InboundEvent & { readonly _tag: "Receipt" }): ConnectionRefusal | null =>
  refusal === null
    ? null
    : {
        providerCode: storableText(refusal.providerCode, 100),
        providerMessage: storableText(refusal.providerMessage, 500)
      }

const errorOf = ({ error }: Receipt): Receipt["error"] =>
  error === null ? null : { ...error, message: storableText(error.message, 500) }
