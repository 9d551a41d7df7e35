import { Clock, Duration, Effect } from "effect"
import { sendSeconds } from "../../kernel/metrics/engineMetrics.js"
import type { Connection } from "../../model/Connection.js"
import { minute } from "../../model/Instant.js"
import { type Message, senderOf } from "../../model/Message.js"
import { type ChannelProvider, SendOutcome } from "../../ports/ChannelProvider.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { Storage } from "../../ports/Storage.js"
import { openCredentials } from "../../resources/channels/openCredentials.js"
import { webhookUrl } from "../../resources/channels/webhookUrl.js"
import { carriedContent } from "../../resources/messages/numberedChoices.js"
import { loadThread } from "./loadThread.js"
import { type OutboundFileServices, outboundFiles } from "./outboundFiles.js"
import { outboundSignedIds } from "./outboundSignedIds.js"
import type { SendProgress } from "./SendProgress.js"
import { storableOutcome } from "./storableOutcome.js"

/** Timeout of a provider call, in ms. After it the outcome is unknown. */
const providerTimeout = minute

/** A message with the connection and the provider to send it through. */
export interface ReadySend {
  readonly message: Message
  readonly progress: SendProgress
  readonly connection: Connection
  readonly provider: ChannelProvider
}

/** Services that handing a message over needs. */
export interface HandOverServices extends OutboundFileServices {
  readonly storage: Pick<Storage, "list">
  readonly secretBox: Pick<SecretBox, "open" | "sign">
}

const fileMissing = (reason: string) =>
  SendOutcome.Rejected({
    scope: "message",
    code: "internal_error",
    providerCode: "file_missing",
    providerMessage: reason
  })

/** Calls the provider to send a message. Every failure is an outcome. Records duration and outcome as metrics. */
export const handToProvider = (
  { blobs, secretBox, settings, storage }: HandOverServices,
  { connection, message, progress, provider }: ReadySend
): Effect.Effect<SendOutcome> =>
  Effect.gen(function* () {
    const credentials = yield* openCredentials(secretBox, connection)
    const outbound = {
      id: message.id,
      to: progress.to,
      template:
        message.templateName === null
          ? null
          : { name: message.templateName, language: message.templateLanguage ?? "", variables: message.variables },
      ...carriedContent(message, provider.capabilities(connection)),
      quoted: message.envelope?.quoted?.providerMessageId ?? null,
      files: message.attachments.length === 0 ? [] : yield* outboundFiles({ blobs, secretBox, settings }, message),
      subject: message.subject,
      html: message.html,
      signedIds:
        provider.signedIds === true ? outboundSignedIds(secretBox, settings.publicUrl, connection, message) : null,
      thread: hasThread(provider, connection) ? yield* loadThread(storage, message) : [],
      attempt: progress.tries + 1,
      origin: senderOf(message),
      webhookUrl: settings.publicUrl === null ? null : webhookUrl(settings.publicUrl, connection.id)
    }
    const now = yield* Clock.currentTimeMillis
    return yield* provider.send(connection, credentials, outbound, now)
  }).pipe(
    Effect.catchTags({
      SecretUnreadable: ({ reason }) => Effect.succeed(SendOutcome.Transient({ reason })),
      BlobsUnavailable: ({ reason }) => Effect.succeed(SendOutcome.Transient({ reason })),
      FileMissing: ({ reason }) => Effect.succeed(fileMissing(reason)),
      StorageUnavailable: ({ message }) => Effect.succeed(SendOutcome.Transient({ reason: message })),
      StorageBusy: ({ message }) => Effect.succeed(SendOutcome.Transient({ reason: message }))
    }),
    Effect.timeoutTo({
      duration: Duration.millis(providerTimeout),
      onSuccess: (outcome) => outcome,
      onTimeout: () => SendOutcome.Unknown({ reason: "the provider did not answer in time" })
    }),
    Effect.catchAllDefect((defect) =>
      Effect.as(
        Effect.logError("a channel provider failed unexpectedly", defect),
        SendOutcome.Unknown({ reason: "the provider failed unexpectedly" })
      )
    ),
    Effect.map((outcome) => storableOutcome(outcome, message.id)),
    measured(connection.channel)
  )

const hasThread = ({ threads = false }: ChannelProvider, connection: Connection): boolean =>
  typeof threads === "boolean" ? threads : threads(connection)

const measured =
  (channel: string) =>
  (handedOver: Effect.Effect<SendOutcome>): Effect.Effect<SendOutcome> =>
    Effect.clockWith((clock) => {
      const start = clock.unsafeCurrentTimeMillis()
      return Effect.map(handedOver, (outcome) => {
        sendSeconds((clock.unsafeCurrentTimeMillis() - start) / 1_000, channel, outcome._tag.toLowerCase())
        return outcome
      })
    })
