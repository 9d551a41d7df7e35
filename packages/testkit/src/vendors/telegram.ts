import { type MessageContent, parseUrl } from "@parley/core"
import { Effect, Option, type Schema, type Scope } from "effect"
import { type BotErrorAnswer, badRequest, botError, notFound, result, unauthorized } from "./telegram/botAnswers.js"
import { isBotMethod, parameters, readParameters } from "./telegram/parameters.js"
import type { TelegramBot } from "./telegram/TelegramBot.js"
import { isUploadMethod, readUpload, type TelegramUpload, type UploadMethod } from "./telegram/takeUpload.js"
import { type VendorAnswer, type VendorRequest, type VendorServer, vendorServer } from "./VendorServer.js"

export type { BotErrorAnswer } from "./telegram/botAnswers.js"
export * from "./telegram/TelegramBot.js"
export type { TelegramUpload } from "./telegram/takeUpload.js"
export * from "./telegram/telegramUpdate.js"

/** A message that the fake accepted. */
export interface TelegramTaken {
  readonly chatId: string
  readonly messageId: number
  /** The text or the caption; null for a location and a reaction. */
  readonly text: string | null
  /** Null for a text. */
  readonly content: MessageContent | null
  /** The number of the message that it answers or reacts to. */
  readonly quoted: number | null
  readonly file: TelegramUpload | null
  /** The business connection on whose behalf it was sent. */
  readonly business: string | null
}

/** A file that a customer sent. */
export interface TelegramFile {
  /** For example `photos/file_7.jpg`. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** A fake of Telegram's Bot API in this process, as strict as Telegram's (docs/reference/telegram.md). */
export interface FakeTelegram extends VendorServer {
  /** Oldest first. */
  readonly taken: ReadonlyArray<TelegramTaken>
  /** Answers the next request with this error. */
  readonly refuseNext: (error: BotErrorAnswer) => void
  /** By `file_id`, of every bot. */
  readonly files: Map<string, TelegramFile>
  /** The latest parameters of `setWebhook`, by the bot's username. */
  readonly webhooks: Map<string, typeof parameters.setWebhook.Type>
  /** The chats that were shown that the bot types, oldest first. */
  readonly typing: Array<string>
  /** The ids of the business connections of the bots. */
  readonly businessConnections: Set<string>
  /** Further fields of `getWebhookInfo`. */
  readonly webhookInfo: Record<string, unknown>
}

/** Maximum file size of a bot, in bytes. */
const largestFile = 20 * 1024 * 1024

/** The emoji that Telegram takes as a reaction; it refuses others. Without variation selectors. */
const reactions: ReadonlySet<string> = new Set(
  [
    "👍 👎 ❤ 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥",
    "🌚 🌭 💯 🤣 ⚡ 🍌 🏆 💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨",
    "🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡"
  ].flatMap((emoji) => emoji.split(" "))
)

/** Starts a fake with these bots. */
export const fakeTelegram = (...bots: ReadonlyArray<TelegramBot>): Effect.Effect<FakeTelegram, never, Scope.Scope> =>
  Effect.gen(function* () {
    const taken: Array<TelegramTaken> = []
    const rest: Omit<FakeTelegram, keyof VendorServer | "refuseNext"> = {
      taken,
      files: new Map(),
      webhooks: new Map(),
      typing: [],
      businessConnections: new Set(),
      webhookInfo: { has_custom_certificate: false, pending_update_count: 0 }
    }

    const answer = (request: VendorRequest): VendorAnswer | Promise<VendorAnswer> => {
      const [, isFile, token = "", name = ""] = /^(\/file)?\/bot(\d+:[\w-]+)\/(.+)$/.exec(request.path) ?? []
      if (token === "") return notFound
      const bot = bots.find((bot) => bot.token === token)
      if (bot === undefined) return unauthorized
      if (isFile !== undefined) return download(rest.files, name)
      if (isUploadMethod(name)) return takeFile(bot, name, request)
      if (!isBotMethod(name)) return notFound
      if (request.method === "POST" && request.headers["content-type"] !== "application/json") {
        return badRequest("parameters are not JSON")
      }
      const call = <A, I>(schema: Schema.Schema<A, I>, take: (given: A) => VendorAnswer): VendorAnswer =>
        Option.match(readParameters(schema, request.body.toString()), {
          onNone: () => badRequest(`parameters are not those of ${name}`),
          onSome: take
        })
      switch (name) {
        case "getMe":
          return call(parameters.getMe, () =>
            result({ id: bot.id, is_bot: true, first_name: bot.name, username: bot.username })
          )
        case "getWebhookInfo":
          return call(parameters.getWebhookInfo, () =>
            result({ url: "", ...publicPart(rest.webhooks.get(bot.username)), ...rest.webhookInfo })
          )
        case "setWebhook":
          return call(parameters.setWebhook, (given) => {
            const problem = urlProblem(given.url)
            if (problem !== null) return badRequest(`bad webhook: ${problem}`)
            rest.webhooks.set(bot.username, given)
            return result(true)
          })
        case "getFile":
          return call(parameters.getFile, ({ file_id }) => pathOf(file_id, rest.files.get(file_id)))
        case "sendMessage":
          return call(parameters.sendMessage, (given) => takeText(bot, given))
        case "sendLocation":
          return call(parameters.sendLocation, (given) => takePlace(bot, given, null, null))
        case "sendVenue":
          return call(parameters.sendVenue, (given) => takePlace(bot, given, given.title, given.address))
        case "sendChatAction":
          return call(parameters.sendChatAction, ({ business_connection_id: business, chat_id }) => {
            if (business !== undefined && !rest.businessConnections.has(business)) return invalidBusiness
            rest.typing.push(String(chat_id))
            return result(true)
          })
        case "setMessageReaction":
          return call(parameters.setMessageReaction, ({ chat_id, message_id, reaction: [reaction] }) => {
            if (message_id < 1) return badRequest("message to react not found")
            if (reaction !== undefined && !reactions.has(reaction.emoji)) return badRequest("REACTION_INVALID")
            const content = { type: "reaction" as const, emoji: reaction?.emoji ?? null }
            const chatId = String(chat_id)
            taken.push({
              chatId,
              messageId: message_id,
              text: null,
              content,
              quoted: message_id,
              file: null,
              business: null
            })
            return result(true)
          })
      }
    }

    const takeText = (
      bot: TelegramBot,
      { business_connection_id, chat_id, reply_markup, reply_parameters, text }: typeof parameters.sendMessage.Type
    ): VendorAnswer => {
      if (text.trim() === "") return badRequest("message text is empty")
      if ([...text].length > 4_096) return badRequest("message is too long")
      const buttons = reply_markup?.inline_keyboard.flat() ?? []
      if (buttons.length > 100 || Buffer.byteLength(JSON.stringify(reply_markup ?? {})) > 10_000) {
        return badRequest("reply markup is too long")
      }
      if (buttons.some(({ callback_data }) => Buffer.byteLength(callback_data) > 64)) {
        return badRequest("BUTTON_DATA_INVALID")
      }
      const options = buttons.map(({ callback_data, text }) => ({ id: callback_data, title: text, description: null }))
      const content = options.length === 0 ? null : { type: "choices" as const, options, button: null }
      return takeMessage(bot, {
        chatId: String(chat_id),
        text,
        content,
        quoted: reply_parameters?.message_id ?? null,
        business: business_connection_id
      })
    }

    const takePlace = (
      bot: TelegramBot,
      { business_connection_id, chat_id, latitude, longitude, reply_parameters }: typeof parameters.sendLocation.Type,
      name: string | null,
      address: string | null
    ): VendorAnswer => {
      if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return badRequest("bad location")
      const content = { type: "location" as const, latitude, longitude, name, address, url: null }
      return takeMessage(bot, {
        chatId: String(chat_id),
        text: null,
        content,
        quoted: reply_parameters?.message_id ?? null,
        business: business_connection_id
      })
    }

    const takeFile = async (bot: TelegramBot, method: UploadMethod, request: VendorRequest): Promise<VendorAnswer> => {
      const upload = await readUpload(method, request)
      if ("refused" in upload) return upload.refused
      const { business, caption, chatId, file, quoted } = upload.taken
      return takeMessage(bot, { chatId, text: caption, content: null, quoted, business, file })
    }

    const takeMessage = (
      bot: TelegramBot,
      {
        business,
        file = null,
        ...message
      }: Omit<TelegramTaken, "messageId" | "business" | "file"> & {
        readonly business: string | undefined
        readonly file?: TelegramUpload | null
      }
    ): VendorAnswer => {
      const { chatId, text } = message
      if (business !== undefined && !rest.businessConnections.has(business)) return invalidBusiness
      // Message ids are per chat.
      const messageId = 1_000 + taken.filter((one) => one.chatId === chatId).length
      taken.push({ ...message, messageId, file, business: business ?? null })
      return result({
        message_id: messageId,
        ...(business === undefined ? {} : { business_connection_id: business }),
        from: { id: bot.id, is_bot: true, first_name: bot.name, username: bot.username },
        chat: { id: Number(chatId), type: chatId.startsWith("-") ? "supergroup" : "private" },
        date: 1_790_000_000,
        ...(text === null ? {} : file === null ? { text } : { caption: text })
      })
    }

    const server = yield* vendorServer(answer)
    return Object.assign(rest, server, {
      refuseNext: (error: BotErrorAnswer) => server.answerNext(botError(error))
    })
  })

const invalidBusiness = badRequest("BUSINESS_CONNECTION_INVALID")

const pathOf = (file_id: string, file: TelegramFile | undefined): VendorAnswer => {
  if (file === undefined) return badRequest("invalid file_id")
  if (file.bytes.length > largestFile) return badRequest("file is too big")
  return result({ file_id, file_unique_id: file_id, file_size: file.bytes.length, file_path: file.path })
}

const download = (files: ReadonlyMap<string, TelegramFile>, path: string): VendorAnswer => {
  const file = [...files.values()].find((file) => file.path === path)
  return file === undefined ? notFound : { status: 200, body: file.bytes }
}

/** What `getWebhookInfo` shows of a webhook: not its secret. */
const publicPart = (webhook: typeof parameters.setWebhook.Type | undefined): object => {
  const { secret_token: _, ...shown } = webhook ?? {}
  return shown
}

/** Telegram's error message for a webhook URL; null if it is valid. */
const urlProblem = (text: string): string | null => {
  const url = parseUrl(text)
  if (url?.protocol !== "https:") return "An HTTPS URL must be provided for webhook"
  return ["", "80", "88", "443", "8443"].includes(url.port)
    ? null
    : "Webhook can be set up only on ports 80, 88, 443 or 8443"
}
