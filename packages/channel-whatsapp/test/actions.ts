import type { CustomerAction } from "@parley/testkit"

/** A customer's action with the fields of Meta's message. */
type Action = CustomerAction & { readonly message: { readonly [field: string]: unknown } }

const file = { id: "1234", mime_type: "image/jpeg", sha256: "x" }
const all: ReadonlyArray<Action> = [
  {
    what: "an image with a caption",
    type: "media",
    body: "See",
    files: ["image"],
    message: { type: "image", image: { ...file, caption: "See" } }
  },
  { what: "a video", type: "media", body: "", files: ["video"], message: { type: "video", video: file } },
  { what: "audio", type: "media", body: "", files: ["audio"], message: { type: "audio", audio: file } },
  {
    what: "a voice message",
    type: "media",
    body: "",
    files: ["voice"],
    message: { type: "audio", audio: { ...file, voice: true } }
  },
  {
    what: "a document",
    type: "media",
    body: "",
    files: ["document"],
    message: { type: "document", document: { ...file, filename: "a.pdf" } }
  },
  {
    what: "a sticker",
    type: "media",
    body: "",
    files: ["sticker"],
    message: { type: "sticker", sticker: { ...file, animated: true } }
  },
  {
    what: "a location",
    type: "location",
    body: "Bakery\nMain St 1\n52.52, 13.405",
    content: {
      type: "location",
      ...{ latitude: 52.52, longitude: 13.405, name: "Bakery", address: "Main St 1", url: null }
    },
    message: {
      type: "location",
      location: { latitude: 52.52, longitude: 13.405, name: "Bakery", address: "Main St 1" }
    }
  },
  {
    what: "contacts",
    type: "contacts",
    body: "Ada Lovelace\nEngines\n+49 30 1\nada@example.com",
    content: {
      type: "contacts",
      contacts: [{ name: "Ada Lovelace", organization: "Engines", phones: ["+49 30 1"], emails: ["ada@example.com"] }]
    },
    message: {
      type: "contacts",
      contacts: [
        {
          name: { formatted_name: "Ada Lovelace", first_name: "Ada" },
          org: { company: "Engines" },
          phones: [{ phone: "+49 30 1", wa_id: "49301" }],
          emails: [{ email: "ada@example.com" }]
        }
      ]
    }
  },
  {
    what: "a button of a template",
    type: "choice",
    body: "Yes, please",
    content: { type: "choice", id: "yes", title: "Yes, please" },
    quoted: "wamid.question",
    message: { type: "button", button: { text: "Yes, please", payload: "yes" }, context: { id: "wamid.question" } }
  },
  {
    what: "a reply button",
    type: "choice",
    body: "Yes",
    content: { type: "choice", id: "y", title: "Yes" },
    message: { type: "interactive", interactive: { type: "button_reply", button_reply: { id: "y", title: "Yes" } } }
  },
  {
    what: "a row of a list",
    type: "choice",
    body: "Tuesday",
    content: { type: "choice", id: "tue", title: "Tuesday" },
    message: {
      type: "interactive",
      interactive: { type: "list_reply", list_reply: { id: "tue", title: "Tuesday", description: "All day" } }
    }
  },
  {
    what: "a completed flow",
    type: "form",
    body: "flow\nsize: L",
    content: { type: "form", name: "flow", answers: { size: "L" } },
    message: {
      type: "interactive",
      interactive: { type: "nfm_reply", nfm_reply: { name: "flow", response_json: '{"size":"L"}' } }
    }
  },
  {
    what: "an order",
    type: "order",
    body: "Two please\n2 × rye, 4.5 EUR",
    content: {
      type: "order",
      catalog: "c1",
      items: [{ product: "rye", name: null, quantity: 2, price: 4.5, currency: "EUR" }]
    },
    message: {
      type: "order",
      order: {
        catalog_id: "c1",
        text: "Two please",
        product_items: [{ product_retailer_id: "rye", quantity: "2", item_price: "4.5", currency: "EUR" }]
      }
    }
  },
  {
    what: "a reaction",
    type: "reaction",
    body: "👍",
    content: { type: "reaction", emoji: "👍" },
    quoted: "wamid.sent",
    message: { type: "reaction", reaction: { message_id: "wamid.sent", emoji: "👍" } }
  },
  {
    what: "a reaction that is taken back",
    type: "reaction",
    body: "Reaction removed",
    content: { type: "reaction", emoji: null },
    quoted: "wamid.sent",
    message: { type: "reaction", reaction: { message_id: "wamid.sent" } }
  },
  {
    what: "an edit",
    type: "edit",
    body: "Yes, two",
    content: { type: "edit" },
    quoted: "wamid.edited",
    message: {
      type: "edit",
      edit: {
        original_message_id: "wamid.edited",
        message: { context: { id: "M0" }, type: "text", text: { body: "Yes, two" } }
      }
    }
  },
  {
    what: "an edit of a caption",
    type: "edit",
    body: "See here",
    files: ["image"],
    content: { type: "edit" },
    quoted: "wamid.edited",
    message: {
      type: "edit",
      edit: { original_message_id: "wamid.edited", message: { type: "image", image: { ...file, caption: "See here" } } }
    }
  },
  {
    what: "a deletion",
    type: "deletion",
    body: "Message deleted",
    content: { type: "deletion" },
    // Of a message that no other action quotes, because later messages about it are not stored.
    quoted: "wamid.gone",
    message: { type: "revoke", revoke: { original_message_id: "wamid.gone" } }
  },
  {
    what: "a reply",
    type: "text",
    body: "Yes",
    quoted: "wamid.sent",
    message: { type: "text", text: { body: "Yes" }, context: { from: "1", id: "wamid.sent" } }
  },
  {
    what: "a forwarded text",
    type: "text",
    body: "News",
    forwarded: true,
    message: { type: "text", text: { body: "News" }, context: { frequently_forwarded: true } }
  },
  {
    what: "a text after an advertisement",
    type: "text",
    body: "Is it free?",
    referral: {
      ...{ source: "ad", sourceId: "120", clickId: "ARAk", headline: "Rye bread", body: "Every day" },
      ...{ url: "https://fb.me/1", ref: null }
    },
    message: {
      ...{ type: "text", text: { body: "Is it free?" } },
      referral: {
        ...{ source_url: "https://fb.me/1", source_id: "120", source_type: "ad", headline: "Rye bread" },
        ...{ body: "Every day", media_type: "image", image_url: "https://example.com/1.jpg", ctwa_clid: "ARAk" }
      }
    }
  },
  {
    what: "the first opening of the chat",
    type: "system",
    body: "request_welcome",
    content: { type: "system", event: "request_welcome" },
    message: { type: "request_welcome" }
  },
  {
    what: "a notice",
    type: "system",
    body: "Ada changed the security code",
    content: { type: "system", event: "customer_identity_changed" },
    message: {
      type: "system",
      system: { type: "customer_identity_changed", body: "Ada changed the security code" }
    }
  },
  {
    what: "content that is not passed on",
    type: "unsupported",
    body: "Unsupported content: Message type unknown",
    content: { type: "unsupported", kind: "Message type unknown" },
    message: { type: "unsupported", errors: [{ code: 131051, title: "Message type unknown" }] }
  },
  {
    what: "content of a new type",
    type: "unsupported",
    body: "Unsupported content: hologram",
    content: { type: "unsupported", kind: "hologram" },
    message: { type: "hologram", hologram: {} }
  },
  {
    what: "an image of a new shape",
    type: "unsupported",
    body: "Unsupported content: image",
    content: { type: "unsupported", kind: "image" },
    message: { type: "image", image: { url: "https://example.com" } }
  }
]

export const actions: ReadonlyArray<CustomerAction> = all.map(({ message: _, ...action }) => action)

/** The fields of Meta's message for an action. */
export const messageOf = (what: string): Action["message"] => all.find((action) => action.what === what)?.message ?? {}
