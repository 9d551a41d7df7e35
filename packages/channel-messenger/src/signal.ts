import { type CustomerSignal, ProviderUnavailable } from "@parley/core"
import type { GraphApi } from "@parley/meta-graph"
import { Effect } from "effect"
import type { MessengerAccount } from "./MessengerAccount.js"

/**
 * Shows a signal: `POST /{page id}/messages` with a `sender_action`
 * (docs/reference/messenger.md#typing-and-read-marks).
 */
export const signal = (
  graph: GraphApi,
  { config, credentials }: MessengerAccount,
  { kind, to }: CustomerSignal
): Effect.Effect<void, ProviderUnavailable> =>
  graph
    .call(credentials.page_access_token, {
      path: `/${config.page_id}/messages`,
      body: { recipient: { id: to }, sender_action: kind === "typing" ? "typing_on" : "mark_seen" }
    })
    .pipe(
      Effect.asVoid,
      Effect.mapError(({ reason }) => new ProviderUnavailable({ reason }))
    )
