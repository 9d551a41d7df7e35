import { CheckOutcome, type Connection } from "@parley/core"
import { appSecretProof, type GraphApi } from "@parley/meta-graph"
import { Effect, Option, Schema } from "effect"
import { problemOf } from "./problemOf.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

const readNumber = Schema.decodeUnknownOption(
  Schema.Struct({
    display_phone_number: Schema.String,
    verified_name: Schema.optional(Schema.String),
    quality_rating: Schema.optional(Schema.String),
    status: Schema.optional(Schema.String),
    platform_type: Schema.optional(Schema.String),
    webhook_configuration: Schema.optional(
      Schema.Struct({
        phone_number: Schema.optional(Schema.String),
        whatsapp_business_account: Schema.optional(Schema.String),
        application: Schema.optional(Schema.String)
      })
    )
  })
)

const fields = "display_phone_number,verified_name,quality_rating,status,platform_type,webhook_configuration"

/** Reads the phone number. The call also fails if the app secret does not belong to the token's app. */
export const check = (
  graph: GraphApi,
  { config, credentials: { access_token, app_secret } }: WhatsAppAccount,
  { handle }: Pick<Connection, "handle">
): Effect.Effect<CheckOutcome> => {
  const appsecret_proof = appSecretProof(app_secret, access_token)
  return graph.call(access_token, { path: `/${config.phone_number_id}`, query: { fields, appsecret_proof } }).pipe(
    Effect.match({
      onFailure: (failure) => failing(problemOf(failure, "phone_number_id")),
      onSuccess: (answer) =>
        Option.match(readNumber(answer), {
          onNone: () => failing("The phone_number_id is the id of something else: take it from API Setup."),
          onSome: (number) => verdict(number, handle, config)
        })
    })
  )
}

type PhoneNumber = Option.Option.Value<ReturnType<typeof readNumber>>

const verdict = (
  number: PhoneNumber,
  handle: string,
  { business_account_id }: WhatsAppAccount["config"]
): CheckOutcome => {
  const { display_phone_number, platform_type, quality_rating, status, verified_name } = number
  if (platform_type === "NOT_APPLICABLE") {
    return failing(`${display_phone_number} is not registered for the Cloud API yet: register it with its PIN.`)
  }
  if (status !== undefined && status !== "CONNECTED") {
    return failing(`WhatsApp says that ${display_phone_number} is ${status.toLowerCase()}: see WhatsApp Manager.`)
  }
  const parts = [
    verified_name === undefined ? display_phone_number : `${display_phone_number}, shown as ${verified_name}`,
    quality_rating === undefined ? "" : `quality ${quality_rating.toLowerCase()}`,
    webhookOf(number),
    business_account_id === undefined ? "without a business_account_id, no templates are taken over" : "",
    digits(display_phone_number) === digits(handle) ? "" : `but the connection's handle is another number, ${handle}`
  ]
  return CheckOutcome.Working({ detail: parts.filter((part) => part !== "").join("; ") })
}

/** The URL to which Meta sends the number's messages: the number's own URL, else the account's, else the app's. */
const webhookOf = ({ webhook_configuration: urls }: PhoneNumber): string => {
  const url = urls?.phone_number ?? urls?.whatsapp_business_account ?? urls?.application ?? ""
  return url === "" ? "no webhook yet: set it up" : `webhook ${url}`
}

const failing = (problem: string): CheckOutcome => CheckOutcome.Failing({ problem })

const digits = (text: string): string => text.replace(/\D/g, "")
