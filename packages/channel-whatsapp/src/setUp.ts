import { CheckOutcome } from "@parley/core"
import type { GraphApi, GraphFailure } from "@parley/meta-graph"
import { Effect, Schema } from "effect"
import { problemOf } from "./problemOf.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

/**
 * Sets the webhook URL of this number, independently of the app's URL: `POST /{phone number id}` with a
 * `webhook_configuration`. Meta tests the URL at once. The operator selects the app's fields by hand.
 */
export const setUp = (graph: GraphApi, account: WhatsAppAccount, webhookUrl: string): Effect.Effect<CheckOutcome> => {
  const { access_token, verify_token } = account.credentials
  const webhook_configuration = { override_callback_uri: webhookUrl, verify_token }
  return subscribe(graph, account).pipe(
    Effect.zipRight(
      graph
        .call(access_token, { path: `/${account.config.phone_number_id}`, body: { webhook_configuration } })
        .pipe(Effect.mapError((failure) => numberProblem(failure, webhookUrl)))
    ),
    Effect.match({
      onFailure: (problem) => CheckOutcome.Failing({ problem: `${problem} ${byHand(webhookUrl)}` }),
      onSuccess: () =>
        CheckOutcome.Working({
          detail: `Meta calls ${webhookUrl}. In the app's dashboard, see that its webhook is subscribed to ${webhookFields}.${notSubscribed(account)}`
        })
    })
  )
}

/** The fields that are read. Only the app's dashboard, or a token of the app, can select them. */
const webhookFields =
  "messages, message_template_status_update, message_template_quality_update, user_preferences, account_update, account_alerts, " +
  "account_review_update, phone_number_quality_update, phone_number_name_update, business_capability_update, security, and for " +
  "numbers that are used with the WhatsApp Business app too, smb_message_echoes and history"

const notSubscribed = ({ config }: WhatsAppAccount): string =>
  config.business_account_id === undefined
    ? " The connection has no business_account_id: without it, this could not subscribe the app to the WhatsApp Business " +
      "Account: Meta may send no webhooks, and templates are not synchronised. Add it, and set up again."
    : ""

const readSubscriptions = Schema.decodeUnknown(Schema.Struct({ data: Schema.Array(Schema.Unknown) }))

/**
 * Subscribes the app to the business account if the account is configured and has no subscription. An existing
 * subscription is kept: subscribing again would remove the account's own URL, which other numbers may use.
 */
const subscribe = (graph: GraphApi, { config, credentials }: WhatsAppAccount): Effect.Effect<void, string> => {
  const { business_account_id: account } = config
  if (account === undefined) return Effect.void
  const path = `/${account}/subscribed_apps`
  return graph.call(credentials.access_token, { path }).pipe(
    Effect.flatMap((answer) => Effect.orElseSucceed(readSubscriptions(answer), () => ({ data: [] }))),
    Effect.flatMap(({ data }) =>
      data.length > 0 ? Effect.void : Effect.asVoid(graph.call(credentials.access_token, { path, body: {} }))
    ),
    Effect.mapError((failure) => problemOf(failure, "business_account_id"))
  )
}

const byHand = (webhookUrl: string): string =>
  "To do it by hand, open the app's dashboard, WhatsApp, Configuration: enter the callback URL " +
  `${webhookUrl} with the connection's verify_token, and subscribe to ${webhookFields}.`

/** Meta's error code if the URL did not return the challenge. */
const notVerified = 2200

const numberProblem = (failure: GraphFailure, webhookUrl: string): string =>
  failure._tag === "Refused" && failure.error?.code === notVerified
    ? `Meta could not check ${webhookUrl}: it must reach this host from the internet by https, with a certificate it trusts.`
    : problemOf(failure, "phone_number_id")
