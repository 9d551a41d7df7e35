import { createHash } from "node:crypto"
import type { Event, Ids, Job, Message, TableName, Tables } from "@parley/core"
import { aContact } from "@parley/testkit/rows"
import { applicationId, connectionId, endpointId, workspaceId } from "../world/seed.js"
import { type bodyOf, renderedBody } from "../world/traffic.js"

/** Rows of one table. */
export interface TableRows<T extends TableName = TableName> {
  readonly table: T
  readonly rows: ReadonlyArray<Tables[T]>
}

/** All rows of one accepted message, and the response. */
export interface Accepted {
  readonly inserts: ReadonlyArray<TableRows>
  /** The rows whose last activity is updated; null for a new contact. */
  readonly active: { readonly contactId: string; readonly conversationId: string } | null
  readonly answer: string
}

/** The recipient of a message; null for a new contact. */
export type Recipient = { readonly contactId: string; readonly conversationId: string } | null

const day = 86_400_000

/** The rows that Parley writes for the same message. */
export const messageRows = (
  body: ReturnType<typeof bodyOf>,
  key: string,
  recipient: Recipient,
  ids: Ids,
  requestId: string
): Accepted => {
  const now = Date.now()
  const contactId = recipient?.contactId ?? ids.next(now)
  const conversationId = recipient?.conversationId ?? ids.next(now)
  const message: Message = {
    id: ids.next(now),
    workspaceId,
    applicationId,
    agentId: null,
    workflowRunId: null,
    botSessionId: null,
    externalReference: body.external_reference,
    conversationId,
    contactId,
    connectionId,
    direction: "outbound",
    type: "template",
    status: "queued",
    body: renderedBody,
    subject: null,
    html: null,
    templateName: body.message.template,
    templateLanguage: body.message.language,
    variables: body.message.variables,
    attachments: [],
    content: null,
    envelope: null,
    error: null,
    providerMessageId: null,
    createdAt: now,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    receivedAt: null,
    version: 1
  }
  const answer = JSON.stringify({
    data: {
      message_id: message.id,
      status: "queued",
      external_reference: message.externalReference,
      conversation_id: conversationId,
      contact_id: contactId,
      connection_id: connectionId,
      request_id: requestId
    }
  })
  const inserts: Array<TableRows> = [
    {
      table: "idempotency",
      rows: [
        {
          workspaceId,
          applicationId,
          key,
          fingerprint: createHash("sha256").update(JSON.stringify(body)).digest("hex"),
          state: "done",
          deadline: now,
          status: 202,
          body: answer,
          createdAt: now,
          expiresAt: now + day,
          version: 1
        }
      ]
    }
  ]
  const events = [event(ids, now, message.id, "message.queued", message.externalReference, wireMessage(message))]
  if (recipient === null) {
    const contact = aContact({
      id: contactId,
      workspaceId,
      firstName: null,
      lastName: null,
      phone: body.to,
      identities: [{ channel: "whatsapp", handle: body.to, displayName: null }],
      nameKey: body.to,
      searchKey: body.to,
      lastActivityAt: now,
      createdAt: now
    })
    const conversation: Tables["conversations"] = {
      id: conversationId,
      workspaceId,
      connectionId,
      channel: "whatsapp",
      handle: body.to,
      contactId,
      status: "open",
      assignedUserId: null,
      assignedTeamId: null,
      lastActivityAt: now,
      lastInboundAt: 0,
      deliveredUpTo: 0,
      readUpTo: 0,
      fed: 0,
      botSessionId: null,
      createdAt: now,
      version: 1
    }
    inserts.push(
      { table: "contacts", rows: [contact] },
      { table: "addresses", rows: [{ workspaceId, space: "phone", handle: body.to, contactId }] },
      { table: "conversations", rows: [conversation] }
    )
    events.unshift(
      event(ids, now, contactId, "contact.created", undefined, wireContact(contact)),
      event(ids, now, conversationId, "conversation.created", undefined, wireConversation(conversation))
    )
  }
  const deliveries = events.map((one) => delivery(ids, now, one))
  inserts.push(
    { table: "messages", rows: [message] },
    { table: "events", rows: events },
    { table: "deliveries", rows: deliveries },
    {
      table: "jobs",
      rows: [
        job(message.id, now, "sends", connectionId, message.id, { to: body.to }),
        ...deliveries.map(({ eventId, id }) => job(id, now, "deliveries", endpointId, id, { eventId, applicationId }))
      ]
    }
  )
  return { inserts, active: recipient, answer }
}

export const event = (
  ids: Ids,
  now: number,
  subjectId: string,
  type: Event["type"],
  externalReference: string | null | undefined,
  data: object
): Event => ({
  id: ids.next(now),
  workspaceId,
  type,
  applicationId: externalReference === undefined ? null : applicationId,
  connectionId: type === "contact.created" ? null : connectionId,
  subjectId,
  hasExternalReference: externalReference !== undefined,
  externalReference: externalReference ?? null,
  data: JSON.stringify(data),
  raw: null,
  createdAt: now
})

export const delivery = (ids: Ids, now: number, { id: eventId }: Event): Tables["deliveries"] => ({
  id: ids.next(now),
  workspaceId,
  applicationId,
  endpointId,
  eventId,
  status: "pending",
  attempts: 0,
  round: 0,
  createdAt: now,
  completedAt: null,
  orderKey: null,
  orderState: null,
  version: 1
})

export const job = (
  id: string,
  now: number,
  lane: Job["lane"],
  subject: string,
  reference: string,
  payload: Job["payload"]
): Job => ({
  id,
  workspaceId,
  lane,
  subject,
  reference,
  payload,
  runAt: now,
  leaseUntil: 0,
  leaseOwner: null,
  epoch: now,
  attempts: 0,
  failure: null,
  createdAt: now
})

export const wireMessage = (message: Message) => ({
  message: {
    id: message.id,
    external_reference: message.externalReference,
    conversation_id: message.conversationId,
    contact_id: message.contactId,
    connection_id: message.connectionId,
    direction: message.direction,
    type: message.type,
    status: message.status,
    body: message.body,
    subject: message.subject,
    attachments: [],
    content: null,
    origin: "application",
    error: null,
    sent_at: timeOf(message.sentAt),
    delivered_at: timeOf(message.deliveredAt),
    read_at: timeOf(message.readAt)
  }
})

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

const wireContact = (contact: Tables["contacts"]) => ({
  contact: {
    id: contact.id,
    name: contact.phone,
    first_name: contact.firstName,
    last_name: contact.lastName,
    company: contact.company,
    job_title: contact.jobTitle,
    email: contact.email,
    phone: contact.phone,
    country: contact.country,
    city: contact.city,
    language: contact.language,
    lifecycle_stage: contact.lifecycleStage,
    opted_out: contact.optedOut,
    identities: contact.identities.map(({ channel, handle }) => ({ channel, handle, display_name: null })),
    tags: contact.tags,
    last_activity_at: new Date(contact.lastActivityAt).toISOString(),
    created_at: new Date(contact.createdAt).toISOString()
  }
})

const wireConversation = (conversation: Tables["conversations"]) => ({
  conversation: {
    id: conversation.id,
    contact_id: conversation.contactId,
    connection_id: conversation.connectionId,
    channel: conversation.channel,
    status: conversation.status,
    assigned_user_id: null,
    assigned_team_id: null,
    last_activity_at: new Date(conversation.lastActivityAt).toISOString(),
    service_window_expires_at: null,
    created_at: new Date(conversation.createdAt).toISOString()
  }
})
