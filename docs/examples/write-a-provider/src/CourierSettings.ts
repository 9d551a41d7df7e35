import { requiredText } from "@parley/core"
import { Schema } from "effect"

/** Readable settings of a connection. */
export const CourierConfig = Schema.Struct({
  sender: requiredText(40).annotations({
    title: "Sender",
    description: "The id of your number, from Courier's dashboard. Not the number itself."
  })
})

/** Secrets of a connection, which are stored sealed and never returned. */
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

/** The settings of a connection. The engine validated them by these schemas on entry. */
export const settingsOf = Schema.decodeUnknownOption(
  Schema.Struct({ config: CourierConfig, credentials: CourierCredentials })
)
