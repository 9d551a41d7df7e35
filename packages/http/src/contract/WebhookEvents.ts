import {
  ContactResource,
  ConversationResource,
  component,
  type EventType,
  field,
  ids,
  LeadResource,
  MessageResource,
  nullableId,
  Timestamp
} from "@parley/core"
import { Schema } from "effect"
import { ErrorEnvelope } from "./ErrorEnvelope.js"

/** A chatbot's session in the events about it (docs/reference/events.md#bot-object). */
export const BotResource = component("Bot", "A chatbot's session on a conversation.", {
  id: ids.bot,
  name: field(Schema.String, { examples: ["Welcome"] }),
  session_id: ids.botSession,
  started_at: Timestamp,
  answers: field(Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })), {
    description: "Collected answers; on `bot.handoff` and `bot.completed`.",
    examples: [{ topic: "delivery" }]
  }),
  outcome: field(Schema.optional(Schema.Literal("finished", "timed_out", "stopped", "failed")), {
    description: "How the session ended; on `bot.completed`.",
    examples: ["finished"]
  })
})

/** The data of a test delivery (docs/reference/events.md#test-object). */
export const WebhookTest = component("WebhookTest", "Payload of a test delivery.", {
  message: field(Schema.String, { examples: ["This is a test delivery."] }),
  endpoint_id: ids.endpoint
})

/** A refused request of `parley.enqueue` (docs/reference/enqueue.md#outcome). */
export const EnqueuedFailure = component("EnqueuedFailure", "A request that was enqueued and refused.", {
  id: field(ids.request, { description: "The id that `enqueue` returned." }),
  kind: field(Schema.NullOr(Schema.Literal("send", "event")), {
    description: "Null if the row could not be read.",
    examples: ["send"]
  }),
  idempotency_key: field(Schema.NullOr(Schema.String), { examples: ["order-1042"] }),
  error: ErrorEnvelope.fields.error.pipe(Schema.omit("request_id"))
})

const message = { message: MessageResource }
const conversation = { conversation: ConversationResource }
const contact = { contact: ContactResource }
const bot = { ...conversation, bot: BotResource }

/** An event that endpoints receive: its trigger, and the content of `data`. */
export interface WebhookEvent {
  readonly when: string
  readonly data: Schema.Struct.Fields
  /**
   * Whether the body carries the caller's `external_reference`: always, or where the caller's application sent the
   * message.
   */
  readonly hasReference: boolean
}

const event = (when: string, data: Schema.Struct.Fields, hasReference = false): WebhookEvent => ({
  when,
  data,
  hasReference
})

/** Every event type (docs/reference/events.md#event-types). */
export const webhookEvents: { readonly [type in EventType]: WebhookEvent } = {
  "message.received": event("A customer sent a message on an allow-listed channel.", message),
  "message.queued": event("A message sent by the application or an agent was accepted.", message, true),
  "message.sent": event("The provider accepted the message.", message, true),
  "message.delivered": event("The message was delivered to the device.", message, true),
  "message.read": event("The customer read the message, where the channel reports that.", message, true),
  "message.failed": event("The message could not be delivered; `message.error` says why.", message, true),
  "conversation.created": event("There is a new conversation on an allow-listed channel.", conversation),
  "conversation.assigned": event("A conversation was assigned to an agent or team, or unassigned.", {
    ...conversation,
    previous_user_id: nullableId,
    previous_team_id: nullableId
  }),
  "conversation.status_changed": event("A conversation was resolved, closed, reopened or marked pending.", {
    ...conversation,
    previous_status: ConversationResource.fields.status
  }),
  "contact.created": event("A contact was created by an inbound message, an agent, an import or the API.", contact),
  "contact.updated": event("A contact's details, identities or tags changed.", contact),
  "lead.created": event("A lead was created.", { lead: LeadResource }),
  "lead.stage_changed": event("A lead moved to another stage of its pipeline.", {
    lead: LeadResource,
    from_stage: field(Schema.String, { examples: ["new"] }),
    to_stage: field(Schema.String, { examples: ["won"] })
  }),
  "bot.started": event("A chatbot began on a conversation.", bot),
  "bot.handoff": event("A chatbot handed over to a person; `bot.answers` holds what it learned.", bot),
  "bot.completed": event("A chatbot's session ended without handing over; `bot.outcome` says how.", bot),
  "enqueued.failed": event("A request that the application wrote in its own transaction was refused.", {
    enqueued: EnqueuedFailure
  }),
  "webhook.test": event("An administrator asked for a test delivery.", { test: WebhookTest })
}

/** The body of a delivery (docs/reference/webhooks.md#delivery-body). */
export const webhookBody = (type: EventType, { data, hasReference }: WebhookEvent) =>
  Schema.Struct({
    id: ids.event,
    type: Schema.Literal(type),
    created_at: Timestamp,
    ...(hasReference ? { external_reference: Schema.optional(Schema.NullOr(Schema.String)) } : {}),
    data: Schema.Struct(data)
  })
