import type { Channel, CheckOutcome } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { Effect } from "effect"
import type { MessengerAccount } from "./MessengerAccount.js"
import { problemOf } from "./problemOf.js"
import { subscribe } from "./subscribedApps.js"

/**
 * Subscribes the token's app to the Page: `POST /{page id}/subscribed_apps`. The webhook URL is a setting of the app,
 * which may serve other Pages. The operator sets it by hand.
 */
export const setUp = (graph: GraphApi, account: MessengerAccount, webhookUrl: string): Effect.Effect<CheckOutcome> =>
  Effect.match(subscribe(graph, account), {
    onFailure: (failure): CheckOutcome => ({
      _tag: "Failing",
      problem: `${problemOf(failure)} ${byHand(account.channel, webhookUrl)}`
    }),
    onSuccess: (): CheckOutcome => ({
      _tag: "Working",
      detail: `The app is subscribed to the Page. ${byHand(account.channel, webhookUrl)}`
    })
  })

const byHand = (channel: Channel, webhookUrl: string): string =>
  `Once for each app, in its dashboard: enter the callback URL ${webhookUrl} with the connection's verify_token, ` +
  (channel === "instagram"
    ? "under Instagram, and subscribe to messages, messaging_postbacks, messaging_referral, message_reactions, " +
      "message_edit and messaging_seen."
    : "under Messenger, and subscribe to messages, messaging_postbacks, messaging_referrals, messaging_optins, message_reactions, " +
      "message_edits, message_deliveries, message_reads, message_echoes and messaging_policy_enforcement.")
