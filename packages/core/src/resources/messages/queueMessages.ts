import { Array as Arr } from "effect"
import type { FileLimits } from "../../model/Channel.js"
import { type Instant, second } from "../../model/Instant.js"
import { type Job, type LeaseFor, newJob } from "../../model/Job.js"
import { emptyEnvelope, type Message, type Quoted } from "../../model/Message.js"
import { expect, type Parts, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { OpenedConversation } from "../conversations/openConversation.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import { messageEvent } from "./messageEvent.js"
import type { Content, SentFile } from "./readContent.js"
import { splitFiles } from "./splitFiles.js"

/** An accepted message before it has an id. */
export interface Outgoing {
  readonly sender: Pick<Message, "applicationId"> &
    Partial<Pick<Message, "agentId" | "workflowRunId" | "botSessionId" | "externalReference">>
  readonly content: Content
  /** The message that it answers or reacts to. Default: none. */
  readonly quoted?: Message | null
  /** Whether an application says that a program wrote it. Default: false. */
  readonly automatic?: boolean
  /** Normalised. */
  readonly handle: string
  readonly opened: OpenedConversation
  readonly subscribers: Subscribers
  /** Earliest time of the send. Default: now. */
  readonly handOverAt?: Instant
  /** Equal for the messages into which files were divided. Default: null. */
  readonly groupId?: string | null
}

/** Accepted messages of one sender to one conversation. */
export interface OutgoingMessages extends Omit<Outgoing, "content" | "handOverAt" | "groupId"> {
  readonly contents: Arr.NonEmptyReadonlyArray<Content>
  /** The limits of files in the capabilities of the connection. */
  readonly files: FileLimits | null | undefined
}

/** A queued message, its send job, and the parts of the commit that creates them. */
export interface Queued {
  readonly message: Message
  readonly job: Job
  readonly parts: ReadonlyArray<Parts>
}

/** Delay between the messages of one send or turn, in ms. Keeps their order at vendors that do not guarantee it. */
const spacingMs = second

/**
 * Queues the messages of one send or turn: their ids are in order, and each is sent one second after the one before. A
 * content whose files do not fit into one message of the channel becomes several messages with one `groupId`
 * (docs/reference/content.md#several-files). Only the first message opens the conversation and quotes, and only its job
 * is leased.
 */
export const queueMessages = (
  { contents, files, opened, quoted, ...common }: OutgoingMessages,
  now: Instant,
  ids: Ids,
  leaseFor?: LeaseFor
): Arr.NonEmptyReadonlyArray<Queued> => {
  const divided = Arr.flatMap(contents, (content) => {
    const split = splitFiles(content, files)
    const groupId = split.length === 1 ? null : ids.next(now)
    return Arr.map(split, (part) => ({ ...common, content: part, groupId }))
  })
  const first = { ...opened, parts: [...opened.parts, uploadsSent(contents)] }
  return Arr.map(divided, (outgoing, index) =>
    index === 0
      ? queueMessage({ ...outgoing, opened: first, quoted: quoted ?? null }, now, ids, leaseFor)
      : queueMessage(
          { ...outgoing, opened: { ...opened, parts: [], events: [] }, handOverAt: now + index * spacingMs },
          now,
          ids
        )
  )
}

/**
 * Queues a message in its conversation: its row, its `message.queued` event after the events of a new contact or
 * conversation, and its send job. `leaseFor`: the initial lease of the job; default: none.
 */
const queueMessage = (
  {
    automatic = false,
    content,
    groupId = null,
    handOverAt,
    handle,
    opened,
    quoted = null,
    sender,
    subscribers
  }: Outgoing,
  now: Instant,
  ids: Ids,
  leaseFor: LeaseFor = () => null
): Queued => {
  const { connectionId, id: conversationId, workspaceId } = opened.conversation
  const files = filesOf(content).map((file) => queueFile(file, ids.next(now)))
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
    envelope:
      quoted === null && groupId === null && !automatic
        ? null
        : { ...emptyEnvelope, quoted: quoted && quotedOf(quoted), groupId, ...(automatic ? { automatic } : {}) },
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
    fetched.length === 0 ? leaseFor({ workspaceId, subject: connectionId }) : null
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
        ]
      }
    ]
  }
}

/** Marks the uploads among the files as sent. Conflicts with the deletion of an upload that no message has. */
const uploadsSent = (contents: ReadonlyArray<Content>): Parts => {
  const uploads = contents.flatMap(filesOf).flatMap((file) => ("upload" in file ? [file.upload] : []))
  const unsent = [...new Map(uploads.map((upload) => [upload.id, upload])).values()].filter(({ sent }) => !sent)
  return {
    expects: unsent.map(({ id, version }) => expect("uploads", { id }, { version })),
    sets: unsent.map(({ id }) => set("uploads", { id }, { sent: true }))
  }
}

const filesOf = (content: Content): ReadonlyArray<SentFile> =>
  content.type === "media" || content.type === "template" ? content.files : []

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
