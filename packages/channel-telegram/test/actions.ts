import { type CustomerAction, telegramMessage } from "@parley/testkit"
import { customer } from "./received.js"

const place = { latitude: 52.52, longitude: 13.405 }
const file = { file_id: "BQAC-1", file_unique_id: "AgAD", file_size: 12 }
const chat = (id: number) => ({ id, type: "private", first_name: "Ada" })
const from = (id: number) => ({ id, is_bot: false, first_name: "Ada" })

type Happened = { readonly [kind: string]: unknown }
type Update = (number: number, chatId: number, date: number) => Happened

interface Reported extends CustomerAction {
  readonly update: Update
}

/** A message with these fields. */
const message =
  (content: Happened): Update =>
  (number, chatId, date) => ({ message: telegramMessage(chatId, number, { date, ...content }) })

const media = (field: string, type: NonNullable<CustomerAction["files"]>[number]): Reported => ({
  what: field.replace("_", " "),
  type: "media",
  body: "",
  files: [type],
  update: message({ [field]: file })
})

const unsupported = (kind: string, value: unknown, body: string): Reported => ({
  what: kind.replaceAll("_", " "),
  type: "unsupported",
  body,
  content: { type: "unsupported", kind },
  update: message({ [kind]: value })
})

const notice = (event: string, value: unknown, body: string): Reported => ({
  what: event.replaceAll("_", " "),
  type: "system",
  body,
  content: { type: "system", event },
  update: message({ [event]: value })
})

const all: ReadonlyArray<Reported> = [
  {
    what: "a reply",
    type: "text",
    body: "Yes",
    quoted: `${customer}:3`,
    update: message({ text: "Yes", reply_to_message: { message_id: 3, text: "Tea?" } })
  },
  {
    what: "a forwarded text",
    type: "text",
    body: "News",
    forwarded: true,
    update: message({ text: "News", forward_origin: { type: "hidden_user", sender_user_name: "Bob", date: 1 } })
  },
  { ...media("photo", "image"), update: message({ photo: [{ ...file, width: 90, height: 90 }] }) },
  {
    ...media("photo", "image"),
    what: "a photo of an album",
    groupId: "13",
    update: message({ photo: [{ ...file, width: 90, height: 90 }], media_group_id: "13" })
  },
  {
    what: "a start by a link",
    type: "text",
    body: "/start order-4711",
    referral: {
      ...{ source: "start", sourceId: null, clickId: null, headline: null, body: null, url: null },
      ref: "order-4711"
    },
    update: message({ text: "/start order-4711" })
  },
  {
    ...media("live photo", "image"),
    files: ["image", "video"],
    update: message({ photo: [{ ...file, width: 90, height: 90 }], live_photo: { ...file, file_id: "BQAC-2" } })
  },
  media("animation", "video"),
  media("video", "video"),
  media("video_note", "video"),
  media("voice", "voice"),
  media("audio", "audio"),
  media("document", "document"),
  media("sticker", "sticker"),
  {
    what: "a location",
    type: "location",
    body: "52.52, 13.405",
    content: { type: "location", ...place, name: null, address: null, url: null },
    update: message({ location: place })
  },
  {
    what: "a venue",
    type: "location",
    body: "Parley\nStreet 1\n52.52, 13.405",
    content: { type: "location", ...place, name: "Parley", address: "Street 1", url: null },
    update: message({ location: place, venue: { location: place, title: "Parley", address: "Street 1" } })
  },
  {
    what: "a contact",
    type: "contacts",
    body: "Bob\n+491511234567",
    content: {
      type: "contacts",
      contacts: [{ name: "Bob", organization: null, phones: ["+491511234567"], emails: [] }]
    },
    update: message({ contact: { phone_number: "+491511234567", first_name: "Bob", user_id: 5 } })
  },
  {
    what: "a pressed button",
    type: "choice",
    body: "Later",
    content: { type: "choice", id: "later", title: "Later" },
    quoted: `${customer}:3`,
    update: (number, chatId) => ({
      callback_query: {
        id: String(number),
        from: from(chatId),
        message: {
          message_id: 3,
          chat: chat(chatId),
          date: 0,
          reply_markup: { inline_keyboard: [[{ text: "Later", callback_data: "later" }]] }
        },
        chat_instance: "1",
        data: "later"
      }
    })
  },
  {
    what: "a started game",
    type: "unsupported",
    body: "chess",
    content: { type: "unsupported", kind: "game" },
    quoted: `${customer}:3`,
    update: (number, chatId) => ({
      callback_query: {
        id: String(number),
        from: from(chatId),
        message: { message_id: 3, chat: chat(chatId), date: 0 },
        chat_instance: "1",
        game_short_name: "chess"
      }
    })
  },
  {
    what: "a web app",
    type: "form",
    body: 'Order\n{"size":2}',
    content: { type: "form", name: "Order", answers: { size: 2 } },
    update: message({ web_app_data: { data: '{"size":2}', button_text: "Order" } })
  },
  {
    what: "a payment",
    type: "order",
    body: "Paid: 1.45 USD\ntea",
    content: {
      type: "order",
      catalog: null,
      items: [{ product: "tea", name: null, quantity: 1, price: 1.45, currency: "USD" }]
    },
    update: message({
      successful_payment: {
        currency: "USD",
        total_amount: 145,
        invoice_payload: "tea",
        telegram_payment_charge_id: "t",
        provider_payment_charge_id: "p"
      }
    })
  },
  ...(["👍", null] as const).map(
    (emoji): Reported => ({
      what: emoji === null ? "a removed reaction" : "a reaction",
      type: "reaction",
      body: emoji ?? "Reaction removed",
      content: { type: "reaction", emoji },
      quoted: `${customer}:3`,
      update: (_number, chatId, date) => ({
        message_reaction: {
          chat: chat(chatId),
          message_id: 3,
          user: from(chatId),
          date,
          old_reaction: emoji === null ? [{ type: "emoji", emoji: "👍" }] : [],
          new_reaction: emoji === null ? [] : [{ type: "emoji", emoji }]
        }
      })
    })
  ),
  {
    what: "an edit",
    type: "edit",
    body: "New",
    content: { type: "edit" },
    quoted: `${customer}:3`,
    update: (_number, chatId, date) => ({
      edited_message: telegramMessage(chatId, 3, { edit_date: date, text: "New" })
    })
  },
  unsupported("poll", { id: "1", question: "Tea?", options: [{ text: "Yes" }, { text: "No" }] }, "Tea?\nYes\nNo"),
  unsupported("dice", { emoji: "🎲", value: 6 }, "🎲 6"),
  unsupported("game", { title: "Chess", description: "For two" }, "Chess\nFor two"),
  unsupported("story", { chat: chat(5), id: 1 }, "Unsupported content: story"),
  unsupported("paid_media", { star_count: 5, paid_media: [] }, "Unsupported content: paid_media"),
  unsupported("invoice", { title: "Tea", description: "A cup", currency: "USD", total_amount: 145 }, "Tea\nA cup"),
  unsupported("giveaway", { winner_count: 1 }, "Unsupported content: giveaway"),
  unsupported("checklist", { title: "Buy", tasks: [{ id: 1, text: "Tea" }] }, "Buy\nTea"),
  notice("users_shared", { request_id: 1, users: [{ user_id: 5, first_name: "Bob" }] }, "users_shared\nBob (5)"),
  notice("chat_shared", { request_id: 1, chat_id: -100, title: "Friends" }, "chat_shared\nFriends (-100)"),
  notice("write_access_allowed", { from_request: true }, "write_access_allowed"),
  notice("connected_website", "parley.example", "connected_website\nparley.example"),
  {
    ...notice("pinned_message", { message_id: 3, chat: chat(customer), text: "Tea?" }, "pinned_message"),
    quoted: `${customer}:3`
  }
]

/** What customers do beyond texts. */
export const actions: ReadonlyArray<CustomerAction> = all.map(({ update, ...action }) => action)

/** The update of an action. */
export const actionUpdate = (what: string, number: number, chatId: number, date: number): Happened =>
  all.find((one) => one.what === what)?.update(number, chatId, date) ?? {}
