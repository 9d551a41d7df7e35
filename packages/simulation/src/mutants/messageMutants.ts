import type { Mutant } from "./Mutant.js"

/** Faults of sends and of the status of messages. */
export const messageMutants: ReadonlyArray<Mutant> = [
  {
    name: "send-resends-unknown",
    fault: "A message of unknown outcome is sent again although the connection holds such messages.",
    promise: "handed-over-once",
    file: "core/src/flows/sends/Sends.ts",
    find: `dedupes || config.unknown_outcome === "resend"`,
    replacement: `dedupes || config.unknown_outcome !== "hold"`
  },
  {
    name: "send-ignores-begun-attempt",
    fault: "A message whose process ended during the provider call is sent again.",
    promise: "handed-over-once",
    file: "core/src/flows/sends/Sends.ts",
    find: "const isInterrupted = job.attempts > progress.settled",
    replacement: "const isInterrupted = job.attempts - 1 > progress.settled"
  },
  {
    name: "send-holds-settled-attempt",
    fault: "A message whose earlier outcomes are known counts as one of unknown outcome.",
    promise: "accepted-message-is-handed-over",
    file: "core/src/flows/sends/Sends.ts",
    find: "const isInterrupted = job.attempts > progress.settled",
    replacement: "const isInterrupted = job.attempts >= progress.settled"
  },
  {
    name: "send-timeout-is-transient",
    fault: "A provider that does not answer in time counts as one that was not called.",
    promise: "handed-over-once",
    file: "core/src/flows/sends/handToProvider.ts",
    find: "isCalled ? SendOutcome.Unknown({ reason: inCall }) : transient(before)",
    replacement: "isCalled ? transient(inCall) : transient(before)"
  },
  {
    name: "send-does-not-store-its-attempt",
    fault: "A provider is called before it is stored that it is.",
    promise: "handed-over-once",
    file: "core/src/flows/sends/callProvider.ts",
    find: "const begin = ready.provider.dedupes",
    replacement: "const begin = ready.provider.dedupes || job.attempts === 0"
  },
  {
    name: "send-without-lease",
    fault: "A process whose lease was taken still calls the provider.",
    promise: "handed-over-once",
    file: "core/src/flows/sends/handToProvider.ts",
    find: "if (!(yield* begin)) return null",
    replacement: "yield* begin"
  },
  {
    name: "send-does-not-check-status",
    fault: "A message that reached its end is sent again after a lost settle.",
    promise: "handed-over-before-its-end",
    file: "core/src/flows/sends/Sends.ts",
    find: `message === undefined || message.status !== "queued"`,
    replacement: "message === undefined"
  },
  {
    name: "send-through-paused-connection",
    fault: "Messages are sent through paused connections.",
    promise: "inactive-connection-sends-nothing",
    file: "core/src/flows/sends/Sends.ts",
    find: `if (connection.status !== "active") {`,
    replacement: "if (false) {"
  },
  {
    name: "send-outcome-tried-once",
    fault: "An outcome is lost if the storage is away when it is recorded.",
    promise: "accepted-send-is-recorded",
    file: "core/src/kernel/retryWhileUnavailable.ts",
    find: `error._tag === "Refusal" || retries === maxRetries`,
    replacement: "error._tag !== null"
  },
  {
    name: "send-throttled-is-dropped",
    fault: "A throttled message is not tried again.",
    promise: "accepted-message-ends",
    file: "core/src/flows/sends/nextTry.ts",
    find: `if (outcome.scope === "recipient") return { again: again(Math.max(now, until), noSlots), parts: {} }`,
    replacement: `if (outcome.scope === "recipient") return { again: null, parts: {} }`
  },
  {
    name: "send-transient-is-dropped",
    fault: "The job of a message ends after a transient failure, and the message stays queued.",
    promise: "accepted-message-ends",
    file: "core/src/flows/sends/recordOutcome.ts",
    find: `if (again !== null) return write({ _tag: "Postponed" }, again, completedKey, parts)`,
    replacement: `if (again !== null) return write({ _tag: "Postponed" }, null, completedKey, parts)`
  },
  {
    name: "send-acceptance-not-recorded",
    fault: "The acceptance by the provider does not change the message.",
    promise: "accepted-send-is-recorded",
    file: "core/src/flows/sends/recordOutcome.ts",
    find: "        ...recordAcceptance(world, outcome, now, ids)\n",
    replacement: ""
  },
  {
    name: "send-rejection-not-recorded",
    fault: "A rejected message stays queued without a job.",
    promise: "accepted-message-ends",
    file: "core/src/flows/sends/recordOutcome.ts",
    find: "        failed(world, error, now, ids),\n",
    replacement: ""
  },
  {
    name: "send-unknown-never-fails",
    fault: "A held message whose outcome stayed unknown stays queued without a job.",
    promise: "accepted-message-ends",
    file: "core/src/flows/sends/Sends.ts",
    find: `message?.status === "queued"\n          ?`,
    replacement: `message?.status === "sent"\n          ?`
  },
  {
    name: "send-held-fails-at-once",
    fault: "A held message fails at the next claim, before receipts can arrive.",
    promise: "accepted-message-ends",
    file: "core/src/flows/sends/nextTry.ts",
    find: "again(now + retryWindow, { held: true })",
    replacement: "again(now, { held: true })"
  },
  {
    name: "message-not-queued-as-job",
    fault: "An accepted message has no job.",
    promise: "accepted-message-ends",
    file: "core/src/resources/messages/queueMessages.ts",
    find: `          row("jobs", job),\n`,
    replacement: ""
  },
  {
    name: "message-queued-event-missing",
    fault: "An accepted message emits no message.queued.",
    promise: "accepted-message-is-queued",
    file: "core/src/resources/messages/queueMessages.ts",
    find: `[...opened.events, messageEvent("message.queued", message)]`,
    replacement: "[...opened.events]"
  },
  {
    name: "status-goes-backwards",
    fault: "An older receipt moves the status back.",
    promise: "status-goes-forward",
    file: "core/src/resources/messages/advance.ts",
    find: "steps.slice(from + 1, to + 1)",
    replacement: "steps.slice(to < from ? to : from + 1, to + 1)"
  },
  {
    name: "status-skips-earlier-ones",
    fault: "A later status does not fill in the earlier ones.",
    promise: "status-has-its-times",
    file: "core/src/resources/messages/advance.ts",
    find: "steps.slice(from + 1, to + 1)",
    replacement: "steps.slice(Math.max(from + 1, to), to + 1)"
  },
  {
    name: "status-repeats",
    fault: "A repeated receipt emits its event again.",
    promise: "event-once",
    file: "core/src/resources/messages/advance.ts",
    find: "steps.slice(from + 1, to + 1)",
    replacement: "steps.slice(Math.min(from + 1, to), to + 1)"
  },
  {
    name: "status-leaves-failed",
    fault: "A receipt moves a failed message further.",
    promise: "status-goes-forward",
    file: "core/src/resources/messages/advance.ts",
    find: `message.direction === "inbound" || message.status === "failed"`,
    replacement: `message.direction === "inbound"`
  },
  {
    name: "status-fails-after-delivery",
    fault: "A delivered message can fail.",
    promise: "status-goes-forward",
    file: "core/src/resources/messages/advance.ts",
    find: `message.status !== "queued" && message.status !== "sent"`,
    replacement: `message.status === "read"`
  },
  {
    name: "status-time-decreases",
    fault: "The time of a status is that of the receipt, even before an earlier status.",
    promise: "status-has-its-times",
    file: "core/src/resources/messages/advance.ts",
    find: "Math.max(receipt.at, current.sentAt ?? current.createdAt, current.deliveredAt ?? 0)",
    replacement: "receipt.at"
  },
  {
    name: "receipt-before-acceptance-dropped",
    fault: "A receipt that arrives before the outcome of its send is not stored.",
    promise: "receipt-moves-the-status",
    file: "core/src/flows/inbound/applyReceipt.ts",
    find: `return write({ claims: [row("providerMessages", parked)] })`,
    replacement: "return write(parked.messageId === null ? {} : { claims: [] })"
  },
  {
    name: "receipt-replaces-parked",
    fault: "Of several receipts before the outcome of a send, the last one is kept.",
    promise: "receipt-moves-the-status",
    file: "core/src/flows/inbound/applyReceipt.ts",
    find: "{ parked: [...known.parked, receipt] }",
    replacement: "{ parked: [receipt] }"
  },
  {
    name: "receipt-parked-not-applied",
    fault: "Receipts that arrived before the outcome of a send are not applied.",
    promise: "receipt-moves-the-status",
    file: "core/src/flows/sends/recordAcceptance.ts",
    find: "[...sent, ...parked, ...receiptsOf(copy), ...byMark]",
    replacement: "[...sent, ...receiptsOf(copy), ...byMark]"
  },
  {
    name: "status-written-without-expect",
    fault: "Of two concurrent changes of a status, the later commit wins.",
    promise: "status-goes-forward",
    file: "core/src/resources/messages/recordProgress.ts",
    find: `expect("messages", { id: message.id }, { version: message.version })`,
    replacement: `expect("messages", { id: message.id })`
  },
  {
    name: "files-of-uploads-by-attachment-id",
    fault: "The bytes of a sent upload are looked for under the id of the message's attachment.",
    promise: "status-has-a-cause",
    file: "core/src/model/Message.ts",
    find: "uploadId ?? id",
    replacement: "id"
  },
  {
    name: "files-in-another-order",
    fault: "Files that are fetched stand behind those that are stored.",
    promise: "handed-over-as-sent",
    file: "core/src/flows/fetches/fetchMessageFiles.ts",
    find: "attachments = attachments.map((one) => (one.id === file.id ? kept : one))",
    replacement: "attachments = [kept, ...attachments.filter(({ id }) => id !== file.id)]"
  },
  {
    name: "files-remain-after-erasure",
    fault: "The bytes of the files of an erased contact remain.",
    promise: "erased-contact-is-gone",
    file: "core/src/resources/attachments/removeFiles.ts",
    find: "    yield* blobs.remove(attachments.filter(",
    replacement: "    if (ids.length < 0) yield* blobs.remove(attachments.filter("
  },
  {
    name: "files-of-a-send-at-once",
    fault: "The messages of a send with several files are handed over without a second between them.",
    promise: "files-are-spaced",
    file: "core/src/resources/messages/queueMessages.ts",
    find: "handOverAt: now + index * spacingMs",
    replacement: "handOverAt: now"
  },
  {
    name: "files-caption-repeated",
    fault: "Each message of a send with several files has the caption.",
    promise: "handed-over-as-sent",
    file: "core/src/resources/messages/splitFiles.ts",
    find: "isCaption && index === 0 ? body",
    replacement: "isCaption && index >= 0 ? body"
  },
  {
    name: "files-in-reverse",
    fault: "The messages of a send with several files are in the reverse order of the files.",
    promise: "handed-over-as-sent",
    file: "core/src/resources/messages/splitFiles.ts",
    find: "const parts = files.map(",
    replacement: "const parts = [...files].reverse().map("
  },
  {
    name: "files-after-the-first-not-queued",
    fault: "Of a send with several files, only the first message is stored.",
    promise: "accepted-message-exists",
    file: "core/src/resources/messages/sendMessage.ts",
    find: "...queued.flatMap(({ parts }) => parts)",
    replacement: "...queued.slice(0, 1).flatMap(({ parts }) => parts)"
  },
  {
    name: "fetched-send-awaits-verdict",
    fault: "The idempotency key of a message whose files are fetched waits for a verdict after its 202.",
    promise: "one-effect-per-key",
    file: "core/src/resources/messages/sendMessage.ts",
    find: "const waits = job.leaseOwner !== null && others.length === 0",
    replacement: "const waits = others.length === 0"
  },
  {
    name: "provider-message-not-claimed",
    fault: "The provider's message id is not stored, so that its receipts do not find the message.",
    promise: "receipt-moves-the-status",
    file: "core/src/flows/sends/recordAcceptance.ts",
    find: "    claimProviderMessage(known, message, providerMessageId, now)\n",
    replacement: ""
  }
]
