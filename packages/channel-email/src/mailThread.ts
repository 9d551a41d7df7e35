import { type MessagePort, parentPort, workerData } from "node:worker_threads"
import type { InboundAttachment, InboundEvent } from "@parley/core"
import { Effect } from "effect"
import type { MailJob } from "./MailJob.js"
import { parsedMail } from "./pastMail.js"

// The program of a thread that parses mails, one at a time. It first stores in `workerData` that it has been loaded. An
// exception ends the thread, and nothing else of the process.

/** Bytes in a buffer of their own, which can be handed over: of a view, the whole buffer would be copied. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes)

const parse = async (port: MessagePort, job: MailJob): Promise<void> => {
  const events = await Effect.runPromise(parsedMail(job))
  const buffers = new Set<ArrayBuffer>()
  const withOwnBytes = <M extends { readonly attachments: ReadonlyArray<InboundAttachment> }>(message: M): M => ({
    ...message,
    attachments: message.attachments.map((attachment) => {
      if (!(attachment.content instanceof Uint8Array)) return attachment
      const content = owned(attachment.content)
      buffers.add(content.buffer)
      return { ...attachment, content }
    })
  })
  const given = events.map((event): InboundEvent => {
    if (event._tag === "Message") return withOwnBytes(event)
    return event._tag === "History" ? { ...event, messages: event.messages.map(withOwnBytes) } : event
  })
  port.postMessage(given, [...buffers])
}

if (parentPort !== null) {
  const port = parentPort
  port.on("message", (job: MailJob) => void parse(port, job))
  if (workerData instanceof Int32Array) Atomics.store(workerData, 0, 1)
}
