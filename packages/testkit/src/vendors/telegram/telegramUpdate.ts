import type { ProviderRequest } from "@parley/core"

/** A webhook request of Telegram: one update of one kind, with the secret of `setWebhook`. */
export const telegramUpdate = (
  secretToken: string,
  updateId: number,
  content: { readonly [kind: string]: unknown }
): ProviderRequest => ({
  method: "POST",
  path: "",
  query: {},
  headers: { "content-type": "application/json", "x-telegram-bot-api-secret-token": secretToken },
  body: Buffer.from(JSON.stringify({ update_id: updateId, ...content }))
})

/** A message in the private chat of a customer, with the fields of `content`. */
export const telegramMessage = (
  chatId: number,
  messageId: number,
  content: { readonly [field: string]: unknown },
  firstName = "Ada",
  lastName?: string
): object => {
  const name = { first_name: firstName, ...(lastName === undefined ? {} : { last_name: lastName }) }
  return {
    message_id: messageId,
    from: { id: chatId, is_bot: false, ...name, language_code: "en" },
    chat: { id: chatId, type: "private", ...name },
    date: 1_790_000_000,
    ...content
  }
}
