import { HistoryAnswer, type ProviderUnavailable } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { unavailable } from "@parley/provider-kit"
import { Effect } from "effect"
import { meaningOf } from "./Meaning.js"
import { problemOf } from "./problemOf.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

/**
 * Asks WhatsApp to send the chats of a number that is used with the WhatsApp Business app too:
 * `POST /{phone number id}/smb_app_data`. They arrive as webhooks of the field `history`.
 */
export const history = (
  graph: GraphApi,
  { config, credentials }: WhatsAppAccount
): Effect.Effect<HistoryAnswer, ProviderUnavailable> =>
  graph
    .call(credentials.access_token, {
      path: `/${config.phone_number_id}/smb_app_data`,
      body: { messaging_product: "whatsapp", sync_type: "history" }
    })
    .pipe(
      Effect.as(
        HistoryAnswer.Requested({
          detail:
            "WhatsApp was asked for the chats of the last 180 days, if the business shares them. They arrive at the " +
            "webhook, whose app must be subscribed to the field history; a notification says when all are there."
        })
      ),
      Effect.catchAll((failure) =>
        failure._tag === "Refused" &&
        failure.error !== null &&
        meaningOf(failure.error, failure.status).kind === "rejected"
          ? Effect.succeed(HistoryAnswer.Refused({ problem: `${problemOf(failure, "phone_number_id")} ${onceOnly}` }))
          : unavailable(failure.reason)
      )
    )

const onceOnly =
  "WhatsApp sends the history once, and only if it is asked within 24 hours after the number of the WhatsApp Business app was connected."
