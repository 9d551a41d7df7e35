import type { CustomerAction } from "@parley/testkit"

const emptyReferral = { clickId: null, headline: null, body: null, url: null, ref: null }

/** A customer's action with the fields of Meta's item. `number` makes ids distinct. */
type Action = CustomerAction & { readonly fields: (number: number) => { readonly [field: string]: unknown } }

const message =
  (fields: { readonly [field: string]: unknown }): Action["fields"] =>
  (number) => ({ message: { mid: `m_action-${number}`, ...fields } })

const attached = (type: string, payload: object | null = { url: "https://lookaside.fbsbx.com/a/b.pdf" }) =>
  message({ attachments: [{ type, payload }] })

/** The payload of the thumb. */
const sticker = { url: "https://lookaside.fbsbx.com/s.png", sticker_id: 369239263222822 }

const media = { type: "media", body: "" } as const

const all: ReadonlyArray<Action> = [
  { ...media, what: "an image", files: ["image"], fields: attached("image") },
  { ...media, what: "a video", files: ["video"], fields: attached("video") },
  { ...media, what: "audio", files: ["audio"], fields: attached("audio") },
  { ...media, what: "a file", files: ["document"], fields: attached("file") },
  {
    ...media,
    what: "a sticker",
    files: ["sticker"],
    fields: attached("sticker", sticker)
  },
  {
    ...media,
    what: "a sticker as Meta sent it before June 2026",
    files: ["sticker"],
    fields: attached("image", sticker)
  },
  {
    ...media,
    what: "a sticker as Meta sent it from June to August 2026",
    files: ["sticker"],
    fields: message({ attachments: ["image", "sticker"].map((type) => ({ type, payload: sticker })) })
  },
  { ...media, what: "a mention in a story", files: ["other"], fields: attached("story_mention") },
  {
    what: "a text with an image and an attachment of a new type",
    type: "media",
    body: "See\nUnsupported content: hologram",
    files: ["image"],
    fields: message({
      text: "See",
      attachments: [{ type: "hologram" }, null, { type: "image", payload: { url: "https://x.fbcdn.net/a" } }].filter(
        (one) => one !== null
      )
    })
  },
  {
    what: "a place",
    type: "location",
    body: "Ada's place\n52.5, 13.4",
    content: {
      type: "location",
      ...{ latitude: 52.5, longitude: 13.4, name: "Ada's place", address: null, url: "https://maps.example" }
    },
    fields: message({
      attachments: [
        {
          type: "location",
          title: "Ada's place",
          url: "https://maps.example",
          payload: { coordinates: { lat: 52.5, long: 13.4 } }
        }
      ]
    })
  },
  {
    what: "a shared post",
    type: "text",
    body: "Bread\nhttps://example.com/1",
    fields: attached("share", { url: "https://example.com/1", title: "Bread" })
  },
  {
    what: "a quick reply",
    type: "choice",
    body: "Yes",
    content: { type: "choice", id: "answer yes", title: "Yes" },
    fields: message({ text: "Yes", quick_reply: { payload: "answer yes" } })
  },
  {
    what: "a pressed button",
    type: "choice",
    body: "Start",
    content: { type: "choice", id: "start", title: "Start" },
    fields: (number) => ({ postback: { mid: `m_postback-${number}`, title: "Start", payload: "start" } })
  },
  {
    what: "a pressed button without an id",
    type: "choice",
    body: "start",
    content: { type: "choice", id: "start", title: "start" },
    referral: { ...emptyReferral, source: "shortlink", sourceId: null, ref: "r" },
    fields: () => ({ postback: { payload: "start", referral: { ref: "r", source: "SHORTLINK", type: "OPEN_THREAD" } } })
  },
  {
    what: "a reply",
    type: "text",
    body: "Yes",
    quoted: "m_sent",
    fields: message({ text: "Yes", reply_to: { mid: "m_sent" } })
  },
  {
    what: "a reply to a story",
    type: "text",
    body: "Lovely",
    referral: { ...emptyReferral, source: "story", sourceId: "17", url: "https://lookaside.fbsbx.com/s" },
    fields: message({ text: "Lovely", reply_to: { story: { id: "17", url: "https://lookaside.fbsbx.com/s" } } })
  },
  {
    what: "a text that an advertisement brought",
    type: "text",
    body: "Hi",
    referral: { ...emptyReferral, source: "ads", sourceId: "6", headline: "Bread" },
    fields: message({ text: "Hi", referral: { source: "ADS", ad_id: "6", ads_context_data: { ad_title: "Bread" } } })
  },
  {
    what: "a reaction",
    type: "reaction",
    body: "❤",
    content: { type: "reaction", emoji: "❤" },
    quoted: "m_sent",
    fields: () => ({ reaction: { mid: "m_sent", action: "react", reaction: "love", emoji: "❤" } })
  },
  {
    what: "a reaction that is taken back",
    type: "reaction",
    body: "Reaction removed",
    content: { type: "reaction", emoji: null },
    quoted: "m_sent",
    fields: () => ({ reaction: { mid: "m_sent", action: "unreact" } })
  },
  {
    what: "an edited message",
    type: "edit",
    body: "New text",
    content: { type: "edit" },
    quoted: "m_before",
    fields: (number) => ({ message_edit: { mid: "m_before", text: "New text", num_edit: number } })
  },
  {
    what: "a message that is taken back",
    type: "deletion",
    body: "Message deleted",
    content: { type: "deletion" },
    quoted: (number) => `m_gone-${number}`,
    fields: (number) => ({ message: { mid: `m_gone-${number}`, is_deleted: true } })
  },
  {
    what: "a link to the conversation",
    type: "system",
    body: "Came by shortlink: summer",
    content: { type: "system", event: "referral" },
    referral: { ...emptyReferral, source: "shortlink", sourceId: null, ref: "summer" },
    fields: () => ({ referral: { ref: "summer", source: "SHORTLINK", type: "OPEN_THREAD" } })
  },
  {
    what: "an opt-in",
    type: "system",
    body: "Opted in: newsletter",
    content: { type: "system", event: "optin" },
    fields: () => ({ optin: { ref: "newsletter" } })
  },
  {
    what: "content that Meta does not show",
    type: "unsupported",
    body: "Unsupported content: message",
    content: { type: "unsupported", kind: "message" },
    fields: message({ is_unsupported: true })
  },
  {
    what: "a template",
    type: "unsupported",
    body: "Unsupported content: template\nBread",
    content: { type: "unsupported", kind: "template" },
    fields: attached("template", { title: "Bread" })
  },
  {
    what: "a product",
    type: "order",
    body: "1 × Rye bread",
    content: {
      type: "order",
      catalog: null,
      items: [{ product: "rye", name: "Rye bread", quantity: 1, price: null, currency: null }]
    },
    fields: attached("template", {
      product: { elements: [{ id: "17", retailer_id: "rye", title: "Rye bread", subtitle: "4.50 EUR" }] }
    })
  },
  {
    what: "an attachment of null fields",
    type: "unsupported",
    body: "Unsupported content: image",
    content: { type: "unsupported", kind: "image" },
    fields: attached("image", null)
  }
]

export const actions: ReadonlyArray<CustomerAction> = all.map(({ fields: _, ...action }) => action)

/** The fields of Meta's item for an action. */
export const fieldsOfAction = (what: string, number: number): object =>
  all.find((action) => action.what === what)?.fields(number) ?? {}

/** Meta's changes with comments, by what they report. */
const commentChanges = {
  "a comment on a post": { field: "comments", media_product_type: "FEED", source: "post" },
  "a comment on a live video": { field: "live_comments", media_product_type: "LIVE", source: "live_video" }
} as const

/** Comments that customers write, by the channel. */
export const comments: { readonly [channel in "facebook" | "instagram"]: ReadonlyArray<CustomerAction> } = {
  facebook: [
    {
      what: "a comment on a post of the Page",
      type: "system",
      body: "How much?",
      content: { type: "system", event: "feed" },
      referral: { ...emptyReferral, source: "post", sourceId: "17920000000000000" }
    }
  ],
  instagram: Object.entries(commentChanges).map(([what, { field, source }]) => ({
    what,
    type: "system",
    body: "How much?",
    content: { type: "system", event: field },
    referral: { ...emptyReferral, source, sourceId: "17920000000000000" }
  }))
}

/** Meta's change for one of {@link comments}; null for another action. */
export const commentOfAction = (
  what: string,
  { customer, number }: { readonly customer: string; readonly number: number }
): object | null => {
  if (what === comments.facebook[0]?.what) {
    const on = { post_id: "17920000000000000", parent_id: "17920000000000000", comment_id: `1784_${number}` }
    const from = { id: customer, name: "Ada" }
    return { field: "feed", value: { ...on, item: "comment", verb: "add", from, message: "How much?" } }
  }
  const change = Object.entries(commentChanges).find(([one]) => one === what)?.[1]
  if (change === undefined) return null
  const { field, media_product_type } = change
  const from = { id: customer, username: "ada" }
  const media = { id: "17920000000000000", media_product_type }
  return { field, value: { id: `1784${number}`, from, media, text: "How much?" } }
}
