import {
  ContactResource,
  ConversationResource,
  type EventType,
  LeadResource,
  MessageResource,
  Timestamp
} from "@parley/core"
import { Schema } from "effect"

const id = Schema.NullOr(Schema.String)

/** A chatbot's session in the events about it (decisions.md §12). */
export const BotResource = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  session_id: Schema.String,
  started_at: Timestamp,
  answers: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  outcome: Schema.optional(Schema.Literal("finished", "timed_out", "stopped", "failed"))
}).annotations({ identifier: "Bot" })

/** What a test delivery carries (decisions.md §12). */
export const WebhookTest = Schema.Struct({ message: Schema.String, endpoint_id: Schema.String }).annotations({
  identifier: "WebhookTest"
})

const message = { message: MessageResource }
const conversation = { conversation: ConversationResource }
const contact = { contact: ContactResource }
const bot = { ...conversation, bot: BotResource }

/** An event that endpoints are told of: when, and what `data` holds. */
export interface WebhookEvent {
  readonly when: string
  readonly data: Schema.Struct.Fields
  /** Whether the body carries the caller's `external_reference`: always, or where the caller's application sent the message. */
  readonly hasReference: boolean
}

const event = (when: string, data: Schema.Struct.Fields, hasReference = false): WebhookEvent => ({
  when,
  data,
  hasReference
})

/** Every event type (spec, Events). */
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
    previous_user_id: id,
    previous_team_id: id
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
    from_stage: Schema.String,
    to_stage: Schema.String
  }),
  "bot.started": event("A chatbot began on a conversation.", bot),
  "bot.handoff": event("A chatbot handed over to a person; `bot.answers` holds what it learned.", bot),
  "bot.completed": event("A chatbot's session ended without handing over; `bot.outcome` says how.", bot),
  "webhook.test": event("An administrator asked for a test delivery.", { test: WebhookTest })
}

/** The body of a delivery (spec, Delivery). */
export const webhookBody = (type: EventType, { data, hasReference }: WebhookEvent) =>
  Schema.Struct({
    id: Schema.String,
    type: Schema.Literal(type),
    created_at: Timestamp,
    ...(hasReference ? { external_reference: Schema.optional(Schema.NullOr(Schema.String)) } : {}),
    data: Schema.Struct(data)
  })
