import { Array as Arr, Either, Schema } from "effect"
import { isErrorCode } from "../../errors/Catalogue.js"
import { isUuid, text } from "../../kernel/input/Fields.js"
import { isVendorKey } from "../../kernel/input/isVendorKey.js"
import { storableText } from "../../kernel/text/storableText.js"
import { channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type {
  ConnectionRefusal,
  InboundEvent,
  InboundQuote,
  PastMessage,
  ReportEvidence
} from "../../model/InboundEvent.js"
import { day, type Instant } from "../../model/Instant.js"
import { isReceiptStatus, type Receipt } from "../../model/Message.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import { maxNameLength } from "../../resources/contacts/fetchProfile.js"
import { handleKind, normaliseHandle } from "../../resources/contacts/Handle.js"
import { clockTolerance } from "../../resources/contacts/optOut.js"
import { describeContent } from "../../resources/messages/describeContent.js"
import { rawJson } from "./rawJson.js"
import { storableContent, storableMail, storableReferral } from "./storableContent.js"
import { storableRaw } from "./storableRaw.js"

/** Limits of a stored message: body and subject in code points, number of files. */
export const maxMessageLength = { body: 100_000, subject: 998, files: 100 } as const

/** Maximum length of a vendor's news, in characters. */
const maxNoticeLength = 1_000

/**
 * How long a message was under way if its own time counts, in ms. Below, it counts as written when it is received,
 * because the clocks of the vendor and of the host may differ. Vendors deliver for at most 7 days.
 */
const [minDelay, maxDelay] = [clockTolerance, 8 * day]

/** Longer handles do not fit the index. */
const isHandle = Schema.is(text(255))

/**
 * Normalises the handles of an event and truncates its texts to what can be stored. Fails with the reason, without
 * values of the event. A time in the future, by the vendor's clock, becomes now.
 */
export const readEvent = (
  connection: Connection,
  provider: Pick<ChannelProvider, "channels" | "parseHandle"> | undefined,
  event: InboundEvent,
  now: Instant
): Either.Either<InboundEvent, string> => {
  const { channel } = connection
  const kind = handleKind(channelOf(provider?.channels ?? [], channel))
  const handleOf = (text: string): Either.Either<string, string> =>
    normaliseHandle(kind, text).pipe(
      Either.flatMap((handle) => provider?.parseHandle(channel, handle) ?? Either.right(handle)),
      Either.filterOrLeft(isHandle, () => "must be text of at most 255 characters"),
      Either.mapLeft((message) => `the handle ${message}`)
    )
  /** A recipient that cannot be read matches no message. */
  const recipientOf = (text: string | null): string | null =>
    text === null ? null : Either.getOrElse(handleOf(text), () => "unreadable")
  const evidenceOf = ({ finalRecipient, originalRecipient, ...evidence }: ReportEvidence): ReportEvidence => ({
    ...evidence,
    originalRecipient: recipientOf(originalRecipient),
    finalRecipient: recipientOf(finalRecipient)
  })
  const idOf = (id: string): Either.Either<string, string> =>
    isVendorKey(id) ? Either.right(id) : Either.left("the message's id must be text of 1 to 512 characters")
  const timeOf = (at: Instant): Either.Either<Instant, string> =>
    at >= 0 ? Either.right(Math.min(Math.floor(at), now)) : Either.left("the time must be a moment")

  /** A time that cannot be read counts as none. */
  const momentOf = ({ at }: { readonly at?: Instant | undefined }) =>
    at === undefined ? {} : { at: Either.getOrElse(timeOf(at), () => now) }
  const writtenAtOf = ({ at }: { readonly at?: Instant }) =>
    at === undefined ? {} : { at: now - at >= minDelay && now - at <= maxDelay ? Math.floor(at) : now }

  const pastOf = (past: PastMessage): Either.Either<PastMessage, string> =>
    Either.gen(function* () {
      return {
        ...past,
        providerMessageId: yield* idOf(past.providerMessageId),
        at: yield* timeOf(past.at),
        body: bodyOf(past),
        fullText: textOrNull(past.fullText ?? null, maxMessageLength.body),
        subject: textOrNull(past.subject ?? null, maxMessageLength.subject),
        mail: past.mail == null ? null : storableMail(past.mail),
        content: past.content == null ? null : storableContent(past.content),
        quoted: quoteOf(past.quoted ?? null),
        attachments: past.attachments.slice(0, maxMessageLength.files)
      }
    })

  return Either.gen(function* () {
    switch (event._tag) {
      case "Message":
        return {
          ...event,
          providerMessageId: yield* idOf(event.providerMessageId),
          from: yield* handleOf(event.from),
          ...writtenAtOf(event),
          otherHandle: event.otherHandle == null ? null : Either.getOrElse(handleOf(event.otherHandle), () => null),
          body: bodyOf(event),
          content: event.content == null ? null : storableContent(event.content),
          quoted: quoteOf(event.quoted ?? null),
          referral: event.referral == null ? null : storableReferral(event.referral),
          groupId: textOrNull(event.groupId ?? null, 255),
          mail: event.mail == null ? null : storableMail(event.mail),
          fullText: textOrNull(event.fullText ?? null, maxMessageLength.body),
          subject: textOrNull(event.subject, maxMessageLength.subject),
          displayName: textOrNull(event.displayName, maxNameLength),
          attachments: event.attachments.slice(0, maxMessageLength.files),
          raw: event.raw == null ? null : storableRaw(event.raw)
        }
      case "Echo":
        return {
          ...event,
          providerMessageId: yield* idOf(event.providerMessageId),
          to: yield* handleOf(event.to),
          messageId: ownIdOf(event),
          at: yield* timeOf(event.at),
          body: bodyOf(event),
          content: event.content == null ? null : storableContent(event.content),
          quoted: quoteOf(event.quoted ?? null),
          groupId: textOrNull(event.groupId ?? null, 255),
          attachments: event.attachments.slice(0, maxMessageLength.files),
          raw: event.raw == null ? null : storableRaw(event.raw)
        }
      case "History":
        return {
          ...event,
          handle: yield* handleOf(event.handle),
          displayName: textOrNull(event.displayName, maxNameLength),
          // A message that has no readable id or time cannot be recognised when it comes again: it is left out.
          messages: Arr.getRights(event.messages.map(pastOf))
        }
      case "Receipt":
        if (!isReceiptStatus(event.receipt.status)) {
          return yield* Either.left("the status must be one of sent, delivered, read and failed")
        }
        return {
          ...event,
          providerMessageId: yield* idOf(event.providerMessageId),
          messageId: ownIdOf(event),
          receipt: { ...event.receipt, at: yield* timeOf(event.receipt.at), error: errorOf(event.receipt) },
          refusal: refusalOf(event),
          evidence: event.evidence == null ? null : evidenceOf(event.evidence)
        }
      case "Watermark":
        return { ...event, handle: yield* handleOf(event.handle), upTo: yield* timeOf(event.upTo) }
      case "HandleChanged":
        return { ...event, from: yield* handleOf(event.from), to: yield* handleOf(event.to) }
      case "OptOut":
        return { ...event, handle: yield* handleOf(event.handle), ...momentOf(event) }
      case "TemplateStatus":
        return isVendorKey(event.name) && isVendorKey(event.language)
          ? { ...event, ...momentOf(event) }
          : yield* Either.left("the template's name and language must be text of 1 to 512 characters")
      case "AccountNotice":
        return {
          ...event,
          at: yield* timeOf(event.at),
          message: storableText(event.message, maxNoticeLength),
          refusal: refusalOf(event)
        }
      case "Unsubscribe":
        return { ...event, ...writtenAtOf(event) }
      case "Unknown":
        return {
          ...event,
          kind: String(event.kind),
          raw: typeof event.raw === "string" ? event.raw : rawJson(event.raw ?? null)
        }
    }
    return yield* Either.left("it is no event that this version knows")
  })
}

/** What may be our message id: ours are UUIDs. */
const ownIdOf = ({ messageId = null }: { readonly messageId?: string | null }): string | null =>
  messageId !== null && isUuid(messageId) ? messageId.toLowerCase() : null

/** The readable text (docs/reference/content.md#readable-text). */
const bodyOf = ({ body, content }: Pick<InboundEvent & { readonly _tag: "Message" }, "body" | "content">): string =>
  storableText(body.trim() === "" ? describeContent(content ?? null) : body, maxMessageLength.body)

/** A reference that cannot be looked up is left out, so that the message is not lost with it. */
const quoteOf = (quote: InboundQuote | null): InboundQuote | null =>
  quote === null || !isVendorKey(quote.providerMessageId)
    ? null
    : { ...quote, body: textOrNull(quote.body ?? null, maxMessageLength.body) }

const textOrNull = (given: string | null, max: number): string | null => {
  const text = given === null ? "" : storableText(given, max).trim()
  return text === "" ? null : text
}

const refusalOf = ({
  refusal = null
}: Pick<InboundEvent & { readonly _tag: "Receipt" }, "refusal">): ConnectionRefusal | null =>
  refusal === null
    ? null
    : {
        providerCode: storableText(refusal.providerCode, 100),
        providerMessage: storableText(refusal.providerMessage, 500)
      }

const errorOf = ({ error }: Receipt): Receipt["error"] => {
  if (error == null) return null
  const { code, message, provider } = error
  return {
    code: isErrorCode(code) ? code : "provider_error",
    message: storableText(message, 500),
    ...(provider === undefined
      ? {}
      : { provider: { code: storableText(provider.code, 100), message: storableText(provider.message, 1_000) } })
  }
}
