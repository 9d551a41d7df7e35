import type { CheckOutcome } from "@parley/core"
import { appSecretProof, type GraphApi } from "@parley/meta-graph"
import { Effect, type Option, Schema } from "effect"
import type { MessengerAccount } from "./MessengerAccount.js"
import { problemOf } from "./problemOf.js"
import { subscribedFields } from "./subscribedApps.js"

const readPage = Schema.decodeUnknownOption(
  Schema.Struct({
    name: Schema.String,
    instagram_business_account: Schema.optional(
      Schema.Struct({ id: Schema.String, username: Schema.optional(Schema.String) })
    )
  })
)

type Page = Option.Option.Value<ReturnType<typeof readPage>>

/** Reads the Page. The call also fails if the app secret does not belong to the token's app. */
export const check = (graph: GraphApi, account: MessengerAccount): Effect.Effect<CheckOutcome> => {
  const { channel, config, credentials } = account
  const { app_secret, page_access_token } = credentials
  const appsecret_proof = appSecretProof(app_secret, page_access_token)
  const fields = channel === "instagram" ? "name,instagram_business_account{id,username}" : "name"
  return Effect.gen(function* () {
    const answer = yield* Effect.mapError(
      graph.call(page_access_token, { path: `/${config.page_id}`, query: { fields, appsecret_proof } }),
      problemOf
    )
    const page = yield* Effect.mapError(readPage(answer), () => "The page_id is the id of something else.")
    const who = yield* channel === "instagram" ? instagramOf(page, config) : Effect.succeed(page.name)
    return `${who}; ${yield* webhookOf(graph, account)}`
  }).pipe(
    Effect.match({
      onFailure: (problem): CheckOutcome => ({ _tag: "Failing", problem }),
      onSuccess: (detail): CheckOutcome => ({ _tag: "Working", detail })
    })
  )
}

const instagramOf = (
  { instagram_business_account: linked, name }: Page,
  { instagram_account_id }: MessengerAccount["config"]
): Effect.Effect<string, string> => {
  if (linked === undefined) return Effect.fail(`No Instagram account is linked to the Page ${name}: link one.`)
  return linked.id === instagram_account_id
    ? Effect.succeed(`${linked.username === undefined ? "the account" : `@${linked.username}`} of the Page ${name}`)
    : Effect.fail(`The Page ${name} has another Instagram account: its instagram_account_id is ${linked.id}.`)
}

/**
 * Whether Meta sends the Page's messages to a webhook. A token that may send does not always have the permission to
 * read this.
 */
const webhookOf = (graph: GraphApi, account: MessengerAccount): Effect.Effect<string> =>
  Effect.match(subscribedFields(graph, account), {
    onFailure: () => "who gets its messages is not known",
    onSuccess: (fields) =>
      fields.includes("messages") ? "its messages are sent to an app" : "its messages are sent to no app yet: set it up"
  })
