import { Schema } from "effect"

// The wire shapes of the reference, repeated independently of the implementation, so that the suite detects deviations.

/** UUIDs, version 7 (docs/reference/requests.md#ids). */
export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const Uuid = Schema.String.pipe(Schema.pattern(uuidPattern))
/** ISO 8601 in UTC, with milliseconds and `Z`. */
const Time = Schema.String.pipe(Schema.pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))
const Text = Schema.NullOr(Schema.String)
const Link = Schema.NullOr(Schema.String.pipe(Schema.pattern(/^https?:\/\/[^/]+\/.*api\/v1\//)))

export const channels = ["whatsapp", "telegram", "email", "webchat", "instagram", "facebook"] as const
export type Channel = (typeof channels)[number]
export const lifecycleStages = ["lead", "prospect", "customer", "churned"] as const

export const scopes = [
  ...["messages.send", "messages.read", "messages.status", "templates.read", "templates.send", "contacts.read"],
  ...["contacts.write", "leads.create", "leads.read", "webhooks.receive", "events.send"]
] as const

/** The error envelope (docs/reference/errors.md#error-envelope). */
export const ErrorEnvelope = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.NonEmptyString,
    details: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
    request_id: Schema.String
  })
})

/** An error of the token endpoint (docs/reference/authentication.md#token-endpoint-errors). */
export const TokenFailure = Schema.Struct({ error: Schema.String, error_description: Schema.NonEmptyString })
export const AccessToken = Schema.Struct({
  access_token: Schema.String.pipe(Schema.pattern(/^[a-z0-9]+_at_[A-Za-z0-9_-]+$/)),
  token_type: Schema.Literal("Bearer"),
  expires_in: Schema.Literal(3600),
  scope: Schema.String
})

/** A contact in a list (docs/reference/contacts.md#contact-fields). */
export const ListedContact = Schema.Struct({
  id: Uuid,
  first_name: Text,
  last_name: Text,
  name: Schema.String,
  company: Text,
  job_title: Text,
  email: Text,
  phone: Text,
  country: Text,
  city: Text,
  language: Text,
  lifecycle_stage: Schema.Literal(...lifecycleStages),
  opted_out: Schema.Boolean,
  marketing_opted_out: Schema.Boolean,
  last_activity_at: Time,
  created_at: Time
})
export const Identity = Schema.Struct({
  channel: Schema.Literal("whatsapp", "telegram", "instagram", "facebook", "email", "phone"),
  handle: Schema.String,
  display_name: Text
})
export const Contact = Schema.Struct({
  ...ListedContact.fields,
  identities: Schema.Array(Identity),
  tags: Schema.Array(Schema.String)
})

/** The types of a message (docs/reference/content.md#types). */
const messageTypes = [
  ...["text", "template", "media", "location", "contacts", "choices", "choice", "form", "order"],
  ...["reaction", "edit", "deletion", "system", "unsupported"]
] as const

/** The fields of a message (docs/reference/messages.md#message-fields). */
const messageFields = {
  id: Uuid,
  external_reference: Text,
  conversation_id: Uuid,
  contact_id: Uuid,
  connection_id: Uuid,
  type: Schema.Literal(...messageTypes),
  body: Schema.String,
  subject: Text,
  content: Schema.NullOr(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  origin: Schema.Literal("application", "agent", "workflow", "bot", "customer", "external"),
  quoted: Schema.optional(Schema.Struct({ message_id: Schema.NullOr(Uuid), provider_message_id: Text, body: Text })),
  forwarded: Schema.optional(Schema.Boolean),
  automatic: Schema.optional(Schema.Boolean),
  referral: Schema.optional(Schema.Unknown),
  pricing: Schema.optional(Schema.Unknown),
  segments: Schema.optional(Schema.Number),
  group_id: Schema.optional(Schema.String),
  full_text: Schema.optional(Schema.String),
  from: Schema.optional(Schema.String),
  to: Schema.optional(Schema.Array(Schema.String)),
  cc: Schema.optional(Schema.Array(Schema.String)),
  reply_to: Schema.optional(Schema.Array(Schema.String)),
  attachments: Schema.Array(
    Schema.Struct({
      id: Uuid,
      type: Schema.Literal("image", "video", "audio", "voice", "document", "sticker", "other"),
      content_type: Schema.String,
      file_name: Text,
      size: Schema.Number,
      duration: Schema.optional(Schema.Number),
      url: Schema.String,
      expires_at: Time
    })
  ),
  error: Schema.NullOr(Schema.Struct({ code: Schema.String, message: Schema.NonEmptyString })),
  sent_at: Schema.NullOr(Time),
  delivered_at: Schema.NullOr(Time),
  read_at: Schema.NullOr(Time)
}
export const Upload = Schema.Struct({
  id: Uuid,
  type: Schema.Literal("image", "video", "audio", "document"),
  content_type: Schema.String,
  file_name: Text,
  size: Schema.Number,
  expires_at: Time,
  created_at: Time
})
export const OutboundMessage = Schema.Struct({
  ...messageFields,
  direction: Schema.Literal("outbound"),
  status: Schema.Literal("queued", "sent", "delivered", "read", "failed")
})
export const InboundMessage = Schema.Struct({
  ...messageFields,
  direction: Schema.Literal("inbound"),
  status: Schema.Literal("delivered"),
  received_at: Time
})
export const Message = Schema.Union(OutboundMessage, InboundMessage)
export const SendAcknowledgement = Schema.Struct({
  message_id: Uuid,
  message_ids: Schema.optional(Schema.Array(Uuid)),
  status: Schema.Literal("queued"),
  external_reference: Text,
  conversation_id: Uuid,
  contact_id: Uuid,
  connection_id: Uuid,
  request_id: Uuid
})

/** The statuses of a conversation (docs/reference/conversations.md#conversation-status). */
export const conversationStatuses = ["open", "pending", "resolved", "closed"] as const
export const Conversation = Schema.Struct({
  id: Uuid,
  contact_id: Uuid,
  connection_id: Uuid,
  channel: Schema.Literal(...channels),
  status: Schema.Literal(...conversationStatuses),
  assigned_user_id: Schema.NullOr(Uuid),
  assigned_team_id: Schema.NullOr(Uuid),
  last_activity_at: Time,
  service_window_expires_at: Schema.NullOr(Time),
  created_at: Time
})

/** A template (docs/reference/templates.md#template-fields). */
export const Template = Schema.Struct({
  id: Uuid,
  name: Schema.String,
  channel: Schema.Literal(...channels),
  language: Schema.String,
  account: Schema.optional(Schema.String),
  category: Text,
  status: Schema.Literal("draft", "pending", "approved", "rejected", "paused"),
  is_sendable: Schema.Boolean,
  body: Schema.String,
  variables: Schema.Array(Schema.String),
  parts: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  subject: Schema.optional(Schema.String),
  html: Schema.optional(Schema.String)
})
export const ListedChannel = Schema.Struct({
  id: Uuid,
  channel: Schema.Literal(...channels),
  name: Schema.String,
  handle: Schema.String,
  status: Schema.Literal("active", "paused", "disconnected"),
  is_test: Schema.Boolean,
  capabilities: Schema.Struct({
    text_max_length: Schema.NullOr(Schema.Number),
    templates: Schema.Boolean,
    delivery_receipts: Schema.Boolean,
    read_receipts: Schema.Boolean,
    service_window_hours: Schema.NullOr(Schema.Number),
    types: Schema.optional(Schema.Array(Schema.String)),
    receives: Schema.optional(Schema.Array(Schema.String)),
    choices: Schema.optional(Schema.NullOr(Schema.Unknown)),
    files: Schema.optional(Schema.NullOr(Schema.Unknown)),
    location_urls: Schema.optional(Schema.Boolean),
    reactions: Schema.optional(Schema.NullOr(Schema.Array(Schema.String))),
    quotes: Schema.optional(Schema.Boolean),
    typing: Schema.optional(Schema.Boolean),
    read_marks: Schema.optional(Schema.Boolean)
  })
})
export const Lead = Schema.Struct({
  id: Uuid,
  contact_id: Uuid,
  pipeline_id: Uuid,
  stage: Schema.String,
  title: Text,
  value: Schema.NullOr(Schema.Number),
  currency: Text,
  created_at: Time,
  updated_at: Time
})

/** The answer to `POST /events` (docs/reference/events.md#business-events). */
export const EventAcknowledgement = Schema.Struct({ workflows_matched: Schema.NonNegativeInt })

/** The body of a webhook (docs/reference/webhooks.md#delivery-body). Some events only have `external_reference`. */
export const WebhookBody = Schema.Struct({
  id: Uuid,
  type: Schema.String,
  created_at: Time,
  external_reference: Schema.optional(Text),
  data: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/** The `meta` of a page list (docs/reference/pagination.md#page-lists). */
export const PageMeta = Schema.Struct({
  current_page: Schema.Positive,
  per_page: Schema.Positive,
  total: Schema.NonNegativeInt,
  last_page: Schema.Positive
})
export const PageLinks = Schema.Struct({ next: Link, prev: Link })
export const CursorMeta = Schema.Struct({ per_page: Schema.Positive, has_more: Schema.Boolean })
export const CursorLinks = Schema.Struct({ next: Link, prev: Schema.Null })
