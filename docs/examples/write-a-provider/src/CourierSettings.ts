import { requiredText } from "@parley/core"
import { Schema } from "effect"

/** What an operator enters about a connection, and may see again. */
export const CourierConfig = Schema.Struct({
  sender: requiredText(40).annotations({
    title: "Sender",
    description: "The id of your number, from Courier's dashboard. Not the number itself."
  })
})

/** What an operator enters and nobody sees again. */
export const CourierCredentials = Schema.Struct({
  api_key: requiredText(200).annotations({
    title: "API key",
    description: "From Courier's dashboard, under Access."
  }),
  webhook_secret: requiredText(200).annotations({
    title: "Webhook secret",
    description: "The text that Courier signs its calls with; from the same page."
  })
})
export type CourierCredentials = typeof CourierCredentials.Type

/** The settings of a connection, which were checked by these schemas when they were entered. */
export const settingsOf = Schema.decodeUnknownOption(
  Schema.Struct({ config: CourierConfig, credentials: CourierCredentials })
)
