import { type CustomerSignal, ProviderUnavailable } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { Effect } from "effect"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

/**
 * Marks the customer's messages as read: `POST /{phone number id}/messages` with `status: "read"`
 * (docs/reference/whatsapp.md#typing-and-read-marks). The typing indicator is a part of that request.
 */
export const signal = (
  graph: GraphApi,
  { config, credentials }: WhatsAppAccount,
  { kind, lastMessageId }: CustomerSignal
): Effect.Effect<void, ProviderUnavailable> =>
  graph
    .call(credentials.access_token, {
      path: `/${config.phone_number_id}/messages`,
      body: {
        messaging_product: "whatsapp",
        status: "read",
        message_id: lastMessageId,
        ...(kind === "typing" ? { typing_indicator: { type: "text" } } : {})
      }
    })
    .pipe(
      Effect.asVoid,
      Effect.mapError(({ reason }) => new ProviderUnavailable({ reason }))
    )
