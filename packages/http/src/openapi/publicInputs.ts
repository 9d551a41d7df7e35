import { BusinessEventInput, ContactInput, LeadInput, SendMessageInput, TokenInput } from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const token = entry(TokenInput, {
  description: "Client credentials.",
  example: {
    grant_type: "client_credentials",
    client_id: story.clientId,
    client_secret: story.clientSecret,
    scope: "messages.send messages.read"
  },
  fields: { scope: "Fewer scopes than the application holds, separated by spaces; all of them where it is left out." }
})

/** What the bodies of the public interface are made of. */
export const publicInputs: Entries = {
  ContactInput: entry(ContactInput, {
    description:
      "A contact to make. At least one of `email`, `phone` and `identities` is needed. An empty string is the same as null.",
    example: {
      first_name: "Ada",
      last_name: "Lovelace",
      email: story.email,
      phone: story.phone,
      country: "GB",
      lifecycle_stage: "customer",
      tags: ["vip"],
      identities: [{ channel: "telegram", handle: "ada_l" }]
    },
    fields: {
      email: "Claims this address for the contact.",
      phone:
        "Claims this number for the contact: `+` and 7 to 15 digits; spaces, dots, dashes and brackets are removed.",
      country: "A country code of two letters.",
      timezone: "Such as `Europe/London`.",
      lifecycle_stage: "`lead` where it is left out.",
      tags: "Tags that are not there yet are created.",
      identities: "Handles on channels. A handle belongs to at most one contact.",
      custom_fields: "Values by the keys of fields that the workspace defines."
    }
  }),
  SendMessageInput: entry(SendMessageInput, {
    description: "A message to send: who it goes to, and a text or a template.",
    examples: {
      template: {
        channel: "whatsapp",
        to: story.phone,
        type: "template",
        external_reference: story.order,
        message: { template: "order_shipped", language: "en", variables: ["Ada", "1042"] }
      },
      text: {
        channel: "whatsapp",
        to: story.phone,
        type: "text",
        connection_id: story.connectionId,
        message: { body: story.text }
      }
    },
    fields: {
      to: "The handle on the channel: a phone number in E.164 for WhatsApp, an address for email, the conversation's id for a web chat visitor. An unknown one makes the contact and the conversation.",
      external_reference: "Your own reference, repeated in the acknowledgement and on every event of the message.",
      connection_id:
        "One of `GET /channels`. Where it is left out: that of the newest conversation with the handle, else the oldest on the channel.",
      "message.body": "The text; needed where `type` is `text`.",
      "message.subject": "For email.",
      "message.template": "The template's name; needed where `type` is `template`.",
      "message.language": "Where it is left out: the template's only language, else the workspace's default.",
      "message.variables": "The values of the template's slots, in order."
    }
  }),
  LeadInput: entry(LeadInput, {
    description: "A lead to create.",
    example: {
      contact_id: story.contactId,
      pipeline_id: story.pipelineId,
      stage: "new",
      title: "Yearly plan",
      value: 1200,
      currency: "EUR"
    },
    fields: {
      pipeline_id: "The workspace's oldest pipeline where it is left out.",
      stage: "The key of a stage of the pipeline; its first where it is left out.",
      value: "In units of the currency.",
      currency: "A code of ISO 4217."
    }
  }),
  BusinessEventInput: entry(BusinessEventInput, {
    description: "Something that happened in your system. It names one contact, by `contact_id` or by `identity`.",
    examples: {
      "by id": {
        event: "order.shipped",
        contact_id: story.contactId,
        dedupe_key: story.order,
        data: { order: { number: 1042, carrier: "DHL" } }
      },
      "by identity": { event: "order.shipped", identity: { channel: "whatsapp", external_id: story.phone } }
    },
    fields: {
      event: "Matched exactly against the workflows that listen.",
      identity: "A handle of the contact on a channel.",
      dedupe_key: "A second event with the same key starts no workflow again.",
      data: "Available to workflows as `{{data.<key>}}`; at most 32 levels deep."
    }
  }),
  TokenInput: token,
  TokenForm: token
}
