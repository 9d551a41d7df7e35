import { type CheckOutcome, type Connection, second } from "@parley/core"
import { withoutSecrets } from "@parley/provider-kit"
import { Effect, Schema } from "effect"
import type { BotApi } from "./BotApi.js"
import { problemOf } from "./problemOf.js"
import { allowedUpdates } from "./setUp.js"
import { isBusiness } from "./TelegramConfig.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

const Bot = Schema.Struct({ username: Schema.String, first_name: Schema.String })
const readBot = Schema.decodeUnknown(Bot)

const WebhookInfo = Schema.Struct({
  url: Schema.String,
  pending_update_count: Schema.NonNegativeInt,
  allowed_updates: Schema.optional(Schema.Array(Schema.String)),
  last_error_date: Schema.optional(Schema.NonNegativeInt.pipe(Schema.lessThan(1e11))),
  last_error_message: Schema.optional(Schema.String)
})
const readWebhookInfo = Schema.decodeUnknown(WebhookInfo)

/** Reads the bot's profile and the state of its webhook. */
export const check = (
  api: BotApi,
  credentials: TelegramCredentials,
  connection: Pick<Connection, "config" | "handle" | "id">
): Effect.Effect<CheckOutcome> =>
  Effect.gen(function* () {
    const bot = yield* readBot(yield* api.call(credentials.bot_token, "getMe"))
    const webhook = yield* readWebhookInfo(yield* api.call(credentials.bot_token, "getWebhookInfo"))
    return { bot, webhook }
  }).pipe(
    Effect.match({
      onFailure: (failure) =>
        failing(
          failure._tag === "ParseError"
            ? "Telegram answered in another shape than it should."
            : problemOf(failure, credentials)
        ),
      onSuccess: ({ bot, webhook }) => verdict(bot, webhook, connection, credentials)
    })
  )

const verdict = (
  { first_name, username }: typeof Bot.Type,
  { allowed_updates, last_error_date, last_error_message = "", pending_update_count, url }: typeof WebhookInfo.Type,
  connection: Pick<Connection, "config" | "handle" | "id">,
  credentials: TelegramCredentials
): CheckOutcome => {
  const { handle } = connection
  if (handle !== `@${username.toLowerCase()}`) {
    return failing(`The bot_token is that of @${username}, and the connection is one of ${handle}.`)
  }
  const waiting = pending_update_count
  const name = `@${username}, shown as ${first_name}`
  const when = last_error_date === undefined ? "" : ` (${new Date(last_error_date * second).toISOString()})`
  const error = last_error_message === "" ? "" : `${withoutSecrets(last_error_message, credentials)}${when}`
  if (error !== "" && waiting > 0) {
    return failing(`${name}: ${waiting} updates wait. When Telegram called ${url}, it met an error: ${error}.`)
  }
  const parts = [
    name,
    url === "" ? "no webhook yet: set it up" : `webhook ${url}`,
    url === "" ? "" : unsent(connection, allowed_updates),
    waiting === 0 ? "" : `${waiting} updates wait`,
    error === "" ? "" : `its last error, which is over: ${error}`
  ]
  return { _tag: "Working", detail: parts.filter((part) => part !== "").join("; ") }
}

/** What Telegram sends to a webhook that was registered without a list: all but these and `chat_member`. */
const notByDefault: ReadonlySet<string> = new Set(["message_reaction", "message_reaction_count"])

/** The updates that Telegram does not send, because the webhook was registered before Parley read them. */
const unsent = (
  connection: Pick<Connection, "config" | "id">,
  registered: ReadonlyArray<string> | undefined
): string => {
  const missing = allowedUpdates(isBusiness(connection)).filter((kind) =>
    registered === undefined ? notByDefault.has(kind) : !registered.includes(kind)
  )
  return missing.length === 0
    ? ""
    : `Telegram does not send ${missing.join(", ")}: run \`parley connection setup ${connection.id}\` again`
}

const failing = (problem: string): CheckOutcome => ({ _tag: "Failing", problem })
