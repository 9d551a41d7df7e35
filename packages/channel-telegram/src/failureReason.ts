import type { BotFailure } from "./BotApi.js"

/** Why a call brought nothing, without a word of Telegram's: fit for logs. */
export const failureReason = (failure: BotFailure): string =>
  failure._tag === "Refused" ? `status ${failure.status}` : failure.reason
