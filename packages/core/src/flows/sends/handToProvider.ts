import { Cause, Clock, Duration, Effect } from "effect"
import { timeoutTo } from "../../kernel/afterRunning.js"
import { sendSeconds } from "../../kernel/metrics/engineMetrics.js"
import type { Connection } from "../../model/Connection.js"
import { second } from "../../model/Instant.js"
import { type Message, senderOf } from "../../model/Message.js"
import {
  type ChannelProvider,
  defaultSendTimeout,
  type OutboundMessage,
  SendOutcome
} from "../../ports/ChannelProvider.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { ReadError, Storage } from "../../ports/Storage.js"
import { asEffect } from "../../resources/channels/asEffect.js"
import { openCredentials } from "../../resources/channels/openCredentials.js"
import { webhookUrl } from "../../resources/channels/webhookUrl.js"
import { carriedContent } from "../../resources/messages/numberedChoices.js"
import { loadThread } from "./loadThread.js"
import { type OutboundFileServices, outboundFiles } from "./outboundFiles.js"
import { outboundSignedIds } from "./outboundSignedIds.js"
import type { SendProgress } from "./SendProgress.js"
import { storableOutcome } from "./storableOutcome.js"

/** Timeout of reading the files and the thread, in ms (docs/reference/sends.md#time-limits). */
const readTimeout = 15 * second

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

const transient = (reason: string): SendOutcome => SendOutcome.Transient({ reason })

/**
 * Calls the provider to send a message, once `begin` has stored that it does. Every failure is an outcome, and unknown
 * only if the provider was called (docs/reference/sends.md#time-limits). Null: `begin` returned false. Records duration
 * and outcome as metrics.
 */
export const handToProvider = (
  services: HandOverServices,
  ready: ReadySend,
  begin: Effect.Effect<boolean, ReadError>
): Effect.Effect<SendOutcome | null> =>
  Effect.suspend(() => {
    const { connection, message, provider } = ready
    let isCalled = false
    const failed = (inCall: string, before: string): SendOutcome =>
      isCalled ? SendOutcome.Unknown({ reason: inCall }) : transient(before)
    return Effect.gen(function* () {
      const outbound = yield* outboundMessage(services, ready)
      const send = Effect.gen(function* () {
        const credentials = yield* openCredentials(services.secretBox, connection)
        if (!(yield* begin)) return null
        const now = yield* Clock.currentTimeMillis
        isCalled = true
        const outcome = yield* Effect.catchAllCause(
          asEffect("send", provider.send(connection, credentials, outbound, now)),
          unlessInterrupted
        )
        return storableOutcome(outcome, message.id)
      })
      // One timer for all, because a timeout is costly.
      const late = Effect.sync(() =>
        failed("the provider did not answer in time", "the credentials or the storage took too long")
      )
      return yield* timeoutTo(provider.sendTimeout ?? defaultSendTimeout, late)(send)
    }).pipe(
      Effect.catchTags({
        SecretUnreadable: ({ reason }) =>
          Effect.succeed(transient(`the connection's credentials cannot be opened: ${reason}`)),
        BlobsUnavailable: ({ reason }) => Effect.succeed(transient(reason)),
        FileMissing: ({ reason }) => Effect.succeed(fileMissing(reason)),
        StorageUnavailable: ({ message }) => Effect.succeed(transient(message)),
        StorageBusy: ({ message }) => Effect.succeed(transient(message)),
        TimeoutException: () => Effect.succeed(transient("the files or the thread could not be read in time"))
      }),
      Effect.catchAllDefect((defect) =>
        Effect.as(
          Effect.logError(`a send failed unexpectedly ${isCalled ? "in" : "before the call of"} its provider`, defect),
          failed("the provider failed unexpectedly", "the send failed unexpectedly before the provider was called")
        )
      ),
      measured(connection.channel)
    )
  })

/** A provider that fails, or interrupts itself, leaves the outcome unknown, as one that throws. */
const unlessInterrupted = (cause: Cause.Cause<never>): Effect.Effect<SendOutcome> =>
  Cause.isInterruptedOnly(cause)
    ? Effect.succeed(SendOutcome.Unknown({ reason: "the provider interrupted its call" }))
    : Effect.die(Cause.squash(cause))

/** The message in the form for providers. */
const outboundMessage = (
  { blobs, secretBox, settings, storage }: HandOverServices,
  { connection, message, progress, provider }: ReadySend
) =>
  Effect.gen(function* () {
    const hasFiles = message.attachments.length > 0
    const outbound: OutboundMessage = {
      id: message.id,
      to: progress.to,
      template:
        message.templateName === null
          ? null
          : { name: message.templateName, language: message.templateLanguage ?? "", variables: message.variables },
      ...carriedContent(message, provider.capabilities(connection)),
      quoted: message.envelope?.quoted?.providerMessageId ?? null,
      files: hasFiles ? yield* inTime(outboundFiles({ blobs, secretBox, settings }, message)) : [],
      subject: message.subject,
      html: message.html,
      signedIds:
        provider.signedIds === true ? outboundSignedIds(secretBox, settings.publicUrl, connection, message) : null,
      thread: hasThread(provider, connection) ? yield* inTime(loadThread(storage, message)) : [],
      attempt: progress.tries + 1,
      origin: senderOf(message),
      ...(message.envelope?.automatic === true ? { automatic: true } : {}),
      webhookUrl: settings.publicUrl === null ? null : webhookUrl(settings.publicUrl, connection.id)
    }
    return outbound
  })

const inTime = Effect.timeout(Duration.millis(readTimeout))

const hasThread = ({ threads = false }: ChannelProvider, connection: Connection): boolean =>
  typeof threads === "boolean" ? threads : threads(connection)

const measured =
  (channel: string) =>
  (handedOver: Effect.Effect<SendOutcome | null>): Effect.Effect<SendOutcome | null> =>
    Effect.clockWith((clock) => {
      const start = clock.unsafeCurrentTimeMillis()
      return Effect.map(handedOver, (outcome) => {
        if (outcome !== null) {
          sendSeconds((clock.unsafeCurrentTimeMillis() - start) / 1_000, channel, outcome._tag.toLowerCase())
        }
        return outcome
      })
    })
