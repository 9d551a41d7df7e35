import { Effect, Schema } from "effect"
import type { GraphApi, GraphFailure } from "./GraphApi.js"
import type { MessengerAccount } from "./MessengerAccount.js"

/** What an app gets of a Page, as far as we read it. Instagram asks for any of them; what it sends is chosen at the app. */
const wanted = ["messages", "messaging_postbacks", "message_deliveries", "message_reads", "message_echoes"]

const readApps = Schema.decodeUnknown(
  Schema.Struct({
    data: Schema.Array(Schema.Struct({ subscribed_fields: Schema.optional(Schema.Array(Schema.String)) }))
  })
)

const edgeOf = ({ config }: MessengerAccount): string => `/${config.page_id}/subscribed_apps`

/** What the apps get that are subscribed to the Page. */
export const subscribedFields = (
  graph: GraphApi,
  account: MessengerAccount
): Effect.Effect<ReadonlyArray<string>, GraphFailure> =>
  graph.call(account.credentials.page_access_token, { path: edgeOf(account) }).pipe(
    Effect.flatMap((answer) => Effect.orElseSucceed(readApps(answer), () => ({ data: [] }))),
    Effect.map(({ data }) => data.flatMap(({ subscribed_fields = [] }) => subscribed_fields))
  )

/** Subscribes the token's app to the Page, with all that it got so far. */
export const subscribe = (graph: GraphApi, account: MessengerAccount): Effect.Effect<void, GraphFailure> =>
  Effect.flatMap(subscribedFields(graph, account), (present) =>
    graph.call(account.credentials.page_access_token, {
      path: edgeOf(account),
      body: { subscribed_fields: [...new Set([...present, ...wanted])] }
    })
  )
