import { optionToken, type ProviderRequest } from "@parley/core"
import { type Account, type OptionPress, telegramMessage, telegramUpdate, type VendorEvent } from "@parley/testkit"
import { actionUpdate } from "./actions.js"
import { businessUpdate } from "./businessActions.js"

/** Kinds of an update by name. */
type Happened = { readonly [kind: string]: unknown }

/** Unknown content by name. */
const unknowns: { readonly [what: string]: (number: number, mark: string, chatId: number) => Happened } = {
  "what is said in a group": (number, mark, chatId) => ({
    message: telegramMessage(chatId, number, {
      chat: { id: -1_001_234_567_890, type: "supergroup", title: "Friends" },
      text: mark
    })
  }),
  "a message without a sender": (number, mark, chatId) => ({
    message: telegramMessage(chatId, number, { from: undefined, text: mark })
  }),
  "a button in a group": (number, mark, chatId) => ({
    callback_query: {
      id: String(number),
      from: { id: chatId, is_bot: false, first_name: "Ada" },
      message: { message_id: 1, chat: { id: -1_001_234_567_890, type: "supergroup" }, date: 0 },
      data: mark
    }
  }),
  "an update of a new kind": (_number, mark) => ({ hologram: { id: mark } })
}

export const unknown: ReadonlyArray<string> = Object.keys(unknowns)

/** Telegram's request for an account, with the secret that it is given with: one update. */
export const vendorRequest = (
  { credentials }: Account,
  [event]: ReadonlyArray<VendorEvent>,
  _layout: string | null
): ProviderRequest => {
  const secret = String(credentials?.secret_token)
  switch (event?._tag) {
    case "Message": {
      const [first, last] = event.name.split(" ")
      const content = { date: event.at / 1_000, text: event.text }
      const message = telegramMessage(Number(event.from), event.number, content, first, last)
      return telegramUpdate(secret, 500_000 + event.number, { message })
    }
    case "Action":
      return telegramUpdate(
        secret,
        500_000 + event.number,
        (event.what.startsWith("business: ") ? businessUpdate : actionUpdate)(
          event.what,
          event.number,
          Number(event.from),
          event.at / 1_000
        )
      )
    case "Unknown":
      return telegramUpdate(
        secret,
        500_000 + event.number,
        unknowns[event.what]?.(event.number, event.mark, Number(event.from)) ?? {}
      )
    default:
      throw new Error(`Telegram tells no ${event?._tag}`)
  }
}

/** Telegram's request with a pressed button. */
export const pressRequest = (
  { credentials }: Account,
  { from, number, option: { id, title }, question }: OptionPress
): ProviderRequest => {
  const data = Buffer.byteLength(id) > 64 ? optionToken(id) : id
  return telegramUpdate(String(credentials?.secret_token), 500_000 + number, {
    callback_query: {
      id: String(number),
      from: { id: Number(from), is_bot: false, first_name: "Ada" },
      message: {
        message_id: Number(question.split(":")[1]),
        chat: { id: Number(from), type: "private" },
        date: 0,
        reply_markup: { inline_keyboard: [[{ text: title, callback_data: data }]] }
      },
      chat_instance: "1",
      data
    }
  })
}
