import { type CustomerAction, type ReportedEcho, telegramMessage } from "@parley/testkit"
import { customer } from "./received.js"

type Happened = { readonly [kind: string]: unknown }
type Update = (number: number, chatId: number, date: number) => Happened

/** The business connection, and the person whose account it is. */
export const business = "bizABC_1-2"
export const owner = { id: 555, is_bot: false, first_name: "Grace", last_name: "Hopper" }

/** A message in the customer's chat with the business account. */
export const businessMessage = (chatId: number, number: number, fields: Happened): object =>
  telegramMessage(chatId, number, { business_connection_id: business, ...fields })

const all: ReadonlyArray<CustomerAction & { readonly update: Update }> = [
  {
    what: "business: a text in answer",
    type: "text",
    body: "Yes",
    quoted: `${customer}:3:business:${business}`,
    update: (number, chatId, date) => ({
      business_message: businessMessage(chatId, number, { date, text: "Yes", reply_to_message: { message_id: 3 } })
    })
  },
  {
    what: "business: a voice message",
    type: "media",
    body: "",
    files: ["voice"],
    update: (number, chatId, date) => ({
      business_message: businessMessage(chatId, number, {
        date,
        voice: { file_id: "BQAC-9", file_unique_id: "AgAE", file_size: 12, duration: 2 }
      })
    })
  },
  {
    what: "business: a pressed button",
    type: "choice",
    body: "Later",
    content: { type: "choice", id: "later", title: "Later" },
    quoted: `${customer}:3:business:${business}`,
    update: (number, chatId) => ({
      callback_query: {
        id: `b${number}`,
        from: { id: chatId, is_bot: false, first_name: "Ada" },
        message: businessMessage(chatId, 3, {
          from: owner,
          reply_markup: { inline_keyboard: [[{ text: "Later", callback_data: "later" }]] }
        }),
        chat_instance: "1",
        data: "later"
      }
    })
  },
  {
    what: "business: an edit",
    type: "edit",
    body: "New",
    content: { type: "edit" },
    quoted: `${customer}:3:business:${business}`,
    update: (_number, chatId, date) => ({
      edited_business_message: businessMessage(chatId, 3, { edit_date: date, text: "New" })
    })
  },
  {
    what: "business: a deletion",
    type: "deletion",
    body: "Message deleted",
    content: { type: "deletion" },
    quoted: (number) => `${customer}:${number}:business:${business}`,
    update: (number, chatId) => ({
      deleted_business_messages: {
        business_connection_id: business,
        chat: { id: chatId, type: "private", first_name: "Ada" },
        message_ids: [number]
      }
    })
  }
]

const elsewhere: ReadonlyArray<ReportedEcho & { readonly update: Update }> = [
  {
    what: "business: a text of the owner",
    type: "text",
    body: "We are open",
    update: (number, chatId, date) => ({
      business_message: businessMessage(chatId, number, { date, from: owner, text: "We are open" })
    })
  },
  {
    what: "business: a photo of another program",
    type: "media",
    body: "Our shop",
    files: ["image"],
    update: (number, chatId, date) => ({
      business_message: businessMessage(chatId, number, {
        date,
        from: owner,
        sender_business_bot: { id: 777, is_bot: true, first_name: "Other" },
        caption: "Our shop",
        photo: [{ file_id: "BQAC-8", file_unique_id: "AgAF", file_size: 12, width: 90, height: 90 }]
      })
    })
  },
  {
    what: "business: a forwarded photo of an album of the owner",
    type: "media",
    body: "",
    files: ["image"],
    forwarded: true,
    groupId: "13",
    update: (number, chatId, date) => ({
      business_message: businessMessage(chatId, number, {
        ...{
          date,
          from: owner,
          media_group_id: "13",
          forward_origin: { type: "hidden_user", sender_user_name: "Bob" }
        },
        photo: [{ file_id: "BQAC-7", file_unique_id: "AgAG", file_size: 12, width: 90, height: 90 }]
      })
    })
  },
  {
    what: "business: an edit of the owner",
    type: "edit",
    body: "We are closed",
    content: { type: "edit" },
    quoted: `${customer}:3:business:${business}`,
    update: (_number, chatId, date) => ({
      edited_business_message: businessMessage(chatId, 3, { from: owner, edit_date: date, text: "We are closed" })
    })
  }
]

const connection =
  (fields: Happened): Update =>
  (_number, _chatId, date) => ({
    business_connection: { id: business, user: owner, user_chat_id: owner.id, date, ...fields }
  })

const notices: ReadonlyArray<{ readonly what: string; readonly update: Update }> = [
  { what: "business: a connection", update: connection({ is_enabled: true, rights: { can_reply: true } }) },
  { what: "business: a disconnection", update: connection({ is_enabled: false }) }
]

export const businessActions: ReadonlyArray<CustomerAction> = all.map(({ update, ...action }) => action)
export const businessEchoes: ReadonlyArray<ReportedEcho> = elsewhere.map(({ update, ...echo }) => echo)
export const businessNews: ReadonlyArray<string> = notices.map(({ what }) => what)

/** The update of an action, an echo or a notice. */
export const businessUpdate = (what: string, number: number, chatId: number, date: number): Happened =>
  [...all, ...elsewhere, ...notices].find((one) => one.what === what)?.update(number, chatId, date) ?? {}
