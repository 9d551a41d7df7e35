import type { GraphApi, GraphFailure } from "@parley/meta-graph"
import { Effect, Schema } from "effect"
import type { MessengerAccount } from "./MessengerAccount.js"

/**
 * The fields of a Page to which the app is subscribed. Instagram requires any of them; its fields are selected in the
 * app.
 */
const wanted = [
  "messages",
  "messaging_postbacks",
  "messaging_referrals",
  "messaging_optins",
  "message_reactions",
  "message_edits",
  "message_deliveries",
  "message_reads",
  "message_echoes",
  "messaging_policy_enforcement"
]

const readApps = Schema.decodeUnknown(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ subscribed_fields: Schema.optional(Schema.Array(Schema.String)) }))
  })
)

const edgeOf = ({ config }: MessengerAccount): string => `/${config.page_id}/subscribed_apps`

/** The fields to which apps are subscribed on the Page. */
export const subscribedFields = (
  graph: GraphApi,
  account: MessengerAccount
): Effect.Effect<ReadonlyArray<string>, GraphFailure> =>
  graph.call(account.credentials.page_access_token, { path: edgeOf(account) }).pipe(
    Effect.flatMap((answer) => Effect.orElseSucceed(readApps(answer), () => ({ data: [] }))),
    Effect.map(({ data }) => data.flatMap(({ subscribed_fields = [] }) => subscribed_fields))
  )

/** Subscribes the token's app to the Page, in addition to its present fields. */
export const subscribe = (graph: GraphApi, account: MessengerAccount): Effect.Effect<void, GraphFailure> =>
  Effect.flatMap(subscribedFields(graph, account), (present) =>
    graph.call(account.credentials.page_access_token, {
      path: edgeOf(account),
      body: { subscribed_fields: [...new Set([...present, ...wanted])] }
    })
  )
