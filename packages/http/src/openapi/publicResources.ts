import {
  AttachmentResource,
  ChannelResource,
  ContactResource,
  ConversationResource,
  LeadResource,
  ListedContactResource,
  MessageResource,
  TemplateResource,
  TokenResource
} from "@parley/core"
import { EventAcknowledgement } from "../contract/EventsGroup.js"
import { SendAcknowledgement } from "../contract/MessagesGroup.js"
import { TokenFailure } from "../contract/TokenFailure.js"
import { BotResource, WebhookTest } from "../contract/WebhookEvents.js"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const listedContact: typeof ListedContactResource.Encoded = {
  id: story.contactId,
  first_name: "Ada",
  last_name: "Lovelace",
  name: "Ada Lovelace",
  company: null,
  job_title: null,
  email: story.email,
  phone: story.phone,
  country: "GB",
  city: "London",
  language: "en",
  lifecycle_stage: "customer",
  opted_out: false,
  marketing_opted_out: false,
  last_activity_at: story.began,
  created_at: story.began
}

const contactFields = {
  name: "First and last name; without them company, email, phone or the first handle.",
  opted_out: "Whether the contact wants no messages at all.",
  marketing_opted_out: "Whether the contact wants no templates of the category `marketing`.",
  last_activity_at: "When the last message went in or out."
}

/** A message of the story, as it is in this state. */
export const exampleMessage = (
  status: "queued" | "sent" | "delivered" | "read" | "failed"
): typeof MessageResource.Encoded => {
  const reached = ["queued", "sent", "delivered", "read"].indexOf(status)
  return {
    id: story.messageId,
    external_reference: story.order,
    conversation_id: story.conversationId,
    contact_id: story.contactId,
    connection_id: story.connectionId,
    direction: "outbound",
    type: "template",
    status,
    body: story.text,
    attachments: [],
    error: status === "failed" ? { code: "provider_error", message: "The provider could not deliver it." } : null,
    sent_at: reached >= 1 ? story.sent : null,
    delivered_at: reached >= 2 ? story.delivered : null,
    read_at: reached >= 3 ? story.read : null
  }
}

/** A file of a message, as it is shown in the story. */
export const exampleAttachment: typeof AttachmentResource.Encoded = {
  id: story.attachmentId,
  type: "image",
  content_type: "image/jpeg",
  file_name: "parcel.jpg",
  size: 48_213,
  url: `https://api.example.com/media/${story.attachmentId}?expires=1777890600&signature=wJalrXUtnFEMI_K7MDENG-bPxRfiCYEXAMPLEKEY0123`,
  expires_at: "2026-05-04T10:30:00.000Z"
}

/** The resources that the public interface and its webhooks give. */
export const publicResources: Entries = {
  Contact: entry(ContactResource, {
    description: "A customer of the workspace.",
    example: {
      ...listedContact,
      identities: [
        { channel: "email", handle: story.email, display_name: null },
        { channel: "phone", handle: story.phone, display_name: null },
        { channel: "telegram", handle: "ada_l", display_name: "Ada" }
      ],
      tags: ["vip"]
    },
    fields: { ...contactFields, identities: "The contact's handles on channels." }
  }),
  ListedContact: entry(ListedContactResource, {
    description: "A contact as lists have it: without `identities` and `tags`.",
    example: listedContact,
    fields: contactFields
  }),
  Identity: {
    description: "A handle on a channel; it belongs to this contact alone.",
    fields: { display_name: "What the contact is called there." }
  },
  Message: entry(MessageResource, {
    description: "A message, in or out. Its status never runs backwards.",
    example: exampleMessage("delivered"),
    fields: {
      external_reference: "What the caller gave when it sent the message.",
      connection_id: "The channel connection that was used.",
      status: "An inbound message is `delivered`.",
      body: "The text; of a template, the rendered one.",
      attachments: "Empty when there are none.",
      error: "Why it failed.",
      "error.code": "A code of the error catalogue.",
      received_at: "Of inbound messages only."
    }
  }),
  Attachment: entry(AttachmentResource, {
    description: "A file of a message.",
    example: exampleAttachment,
    fields: {
      content_type: "As the channel tells; `application/octet-stream` where it does not.",
      file_name: "As the sender called it, without folders.",
      size: "In bytes; 0 until the file has come from the channel.",
      url: "Serves the file until `expires_at`, to whoever has it: each answer and each attempt of a webhook has a new one. It answers 503 with `Retry-After` until the file has come, 404 where it could not be had, 403 once it has expired. Null in webhooks of a service that does not know its own public URL.",
      expires_at: "Read the message again for a URL that is good for longer."
    }
  }),
  SendAcknowledgement: entry(SendAcknowledgement, {
    description: "A message that was accepted for delivery; it is not delivered yet.",
    example: {
      message_id: story.messageId,
      status: "queued",
      external_reference: story.order,
      conversation_id: story.conversationId,
      contact_id: story.contactId,
      connection_id: story.connectionId,
      request_id: story.requestId
    },
    fields: { request_id: "The `X-Request-ID` of the request that was carried out." }
  }),
  Conversation: entry(ConversationResource, {
    description: "All messages with one handle on one connection.",
    example: {
      id: story.conversationId,
      contact_id: story.contactId,
      connection_id: story.connectionId,
      channel: "whatsapp",
      status: "open",
      assigned_user_id: story.agentId,
      assigned_team_id: null,
      last_activity_at: story.began,
      service_window_expires_at: null,
      created_at: story.began
    },
    fields: {
      last_activity_at: "When the last message went in or out.",
      service_window_expires_at:
        "When free text ends to be allowed; null where the customer never wrote, or the channel has no such window."
    }
  }),
  Template: entry(TemplateResource, {
    description: "A text with slots, approved before it is sent.",
    example: {
      id: story.templateId,
      name: "order_shipped",
      channel: "whatsapp",
      language: "en",
      category: "utility",
      status: "approved",
      is_sendable: true,
      body: "Hello {{1}}, your order {{2}} is on its way.",
      variables: ["1", "2"]
    },
    fields: {
      is_sendable: "Only those can be sent.",
      variables: "The names of the slots, in the order of their values."
    }
  }),
  Channel: entry(ChannelResource, {
    description: "A connection that the application may send on and hears about.",
    example: {
      id: story.connectionId,
      channel: "whatsapp",
      name: "Shop",
      handle: "+4930123456",
      status: "active",
      is_test: false,
      capabilities: {
        text_max_length: 4_096,
        templates: true,
        delivery_receipts: true,
        read_receipts: true,
        service_window_hours: 24
      }
    },
    fields: { handle: "The business's own handle.", status: "Only an active one can be sent on." }
  }),
  Capabilities: {
    description: "What the channel can do.",
    fields: {
      text_max_length: "Characters that a text may have; null where there is no limit.",
      service_window_hours: "How long after a customer's message free text is allowed; null: at any time."
    }
  },
  Lead: entry(LeadResource, {
    description: "A contact's way through a pipeline.",
    example: {
      id: story.leadId,
      contact_id: story.contactId,
      pipeline_id: story.pipelineId,
      stage: "new",
      title: "Yearly plan",
      value: 1_200,
      currency: "EUR",
      created_at: story.began,
      updated_at: story.began
    },
    fields: { stage: "The key of a stage of the pipeline.", value: "In units of the currency." }
  }),
  EventAcknowledgement: entry(EventAcknowledgement, {
    description: "What became of an event.",
    example: { workflows_matched: 1 }
  }),
  AccessToken: entry(TokenResource, {
    description: "A token to send as `Authorization: Bearer <token>`.",
    example: {
      access_token: "parley_at_0123456789abcdefghijklmnopqrstuv",
      token_type: "Bearer",
      expires_in: 3_600,
      scope: "messages.send messages.read"
    }
  }),
  TokenFailure: entry(TokenFailure, {
    description: "What every error of the token endpoint looks like.",
    example: { error: "invalid_client", error_description: "The client or its secret is not valid." }
  }),
  Bot: entry(BotResource, {
    description: "A chatbot's session on a conversation.",
    example: {
      id: story.botId,
      name: "Welcome",
      session_id: story.sessionId,
      started_at: story.began,
      answers: { topic: "delivery" },
      outcome: "finished"
    },
    fields: {
      answers: "What the chatbot learned; on `bot.handoff` and `bot.completed`.",
      outcome: "How the session ended; on `bot.completed`."
    }
  }),
  WebhookTest: entry(WebhookTest, {
    description: "What a test delivery carries.",
    example: { message: "This is a test delivery.", endpoint_id: story.endpointId }
  })
}
