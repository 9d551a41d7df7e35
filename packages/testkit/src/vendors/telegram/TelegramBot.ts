/** A bot at the fake of Telegram. */
export interface TelegramBot {
  readonly id: number
  /** Without the @. */
  readonly username: string
  readonly name: string
  readonly token: string
}

/** A test bot, distinct by number. */
export const aTelegramBot = (number = 1): TelegramBot => ({
  id: 70_000_000 + number,
  username: `Shop${number}_Bot`,
  name: `Shop ${number}`,
  token: `${70_000_000 + number}:AAH-bot_token_${number}_dZx0Qv3kPwUuTtYb`
})
