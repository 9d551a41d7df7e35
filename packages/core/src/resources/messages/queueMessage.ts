import type { Instant } from "../../model/Instant.js"
import { type Job, type LeaseFor, newJob } from "../../model/Job.js"
import { emptyEnvelope, type Message, type Quoted } from "../../model/Message.js"
import { expect, type Parts, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { OpenedConversation } from "../conversations/openConversation.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import { messageEvent } from "./messageEvent.js"
import type { Content, SentFile } from "./readContent.js"

/** An accepted message before it has an id. */
export interface Outgoing {
  readonly sender: Pick<Message, "applicationId"> &
    Partial<Pick<Message, "agentId" | "workflowRunId" | "botSessionId" | "externalReference">>
  readonly content: Content
  /** The message that it answers or reacts to. Default: none. */
  readonly quoted?: Message | null
  /** Normalised. */
  readonly handle: string
  readonly opened: OpenedConversation
  readonly subscribers: Subscribers
  /** Earliest time of the send. Default: now. */
  readonly handOverAt?: Instant
}

/** A queued message, its send job, and the parts of the commit that creates them. */
export interface Queued {
  readonly message: Message
  readonly job: Job
  readonly parts: ReadonlyArray<Parts>
}

/**
 * Queues a message in its conversation: its row, its `message.queued` event after the events of a new contact or
 * conversation, and its send job. `leaseFor`: the initial lease of the job; default: none.
 */
export const queueMessage = (
  { content, handOverAt, handle, opened, quoted = null, sender, subscribers }: Outgoing,
  now: Instant,
  ids: Ids,
  leaseFor: LeaseFor = () => null
): Queued => {
  const { connectionId, id: conversationId, workspaceId } = opened.conversation
  const files =
    content.type !== "media" && content.type !== "template"
      ? []
      : content.files.map((file) => queueFile(file, ids.next(now)))
  const uploads = new Map(files.flatMap(({ upload }) => (upload === null ? [] : [[upload.id, upload]])))
  const unsent = [...uploads.values()].filter(({ sent }) => !sent)
  const fetched = files.filter(({ url }) => url !== null)
  const message: Message = {
    id: ids.next(now),
    workspaceId,
    applicationId: sender.applicationId,
    agentId: sender.agentId ?? null,
    workflowRunId: sender.workflowRunId ?? null,
    botSessionId: sender.botSessionId ?? null,
    externalReference: sender.externalReference ?? null,
    conversationId,
    contactId: opened.contact.id,
    connectionId,
    direction: "outbound",
    type: content.type === "unsendable" ? "template" : content.type,
    status: "queued",
    body: content.type === "unsendable" ? "" : content.body,
    subject: "subject" in content ? (content.subject ?? null) : null,
    html: "html" in content ? (content.html ?? null) : null,
    templateName: content.type === "template" ? content.template.name : null,
    templateLanguage: content.type === "template" ? content.template.language : null,
    variables: content.type === "template" ? content.variables : [],
    attachments: files.map(({ attachment }) => attachment),
    content: "content" in content ? content.content : null,
    envelope: quoted == null ? null : { ...emptyEnvelope, quoted: quotedOf(quoted) },
    error: null,
    providerMessageId: null,
    createdAt: now,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    receivedAt: null,
    version: 1
  }
  const job = newJob(
    {
      // A message has one job at most, so that its job is found by its id.
      id: message.id,
      workspaceId,
      // The job moves on to the lane `sends` once the files are stored.
      ...(fetched.length === 0
        ? { lane: "sends", subject: connectionId, payload: { to: handle } }
        : {
            lane: "downloads",
            // URLs that hang delay the files of the same sender only.
            subject: sender.applicationId ?? workspaceId,
            payload: {
              ...{ task: "fetch_message_files", to: handle, connectionId },
              files: fetched.map(({ attachment }) => attachment.id)
            }
          }),
      reference: message.id,
      runAt: handOverAt ?? now,
      createdAt: now
    },
    fetched.length === 0 ? leaseFor(connectionId) : null
  )
  const events = [...opened.events, messageEvent("message.queued", message)]
  return {
    message,
    job,
    parts: [
      ...opened.parts,
      {
        inserts: [
          row("messages", message),
          row("jobs", job),
          ...files.map(({ attachment: { id }, upload, url }) =>
            row("attachedFiles", {
              ...{ id, workspaceId, connectionId, messageId: message.id, createdAt: now, version: 1 },
              ...({
                status: url === null ? "stored" : "waiting",
                reference: url,
                uploadId: upload?.id ?? null
              } as const)
            })
          ),
          ...events.flatMap((event) => emit(subscribers, event, now, ids))
        ],
        // Conflicts with the deletion of an upload that no message has.
        expects: unsent.map(({ id, version }) => expect("uploads", { id }, { version })),
        sets: unsent.map(({ id }) => set("uploads", { id }, { sent: true }))
      }
    ]
  }
}

const queueFile = (file: SentFile, id: string) => {
  const { contentType, fileName, type } = file
  return "url" in file
    ? { url: file.url, upload: null, attachment: { id, type, contentType, fileName, size: 0 } }
    : {
        url: null,
        upload: file.upload,
        attachment: { id, type, contentType, fileName, size: file.upload.size, uploadId: file.upload.id }
      }
}

const quotedOf = ({ applicationId, id, providerMessageId }: Message): Quoted => ({
  messageId: id,
  providerMessageId,
  applicationId,
  body: null
})
