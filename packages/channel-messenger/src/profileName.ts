import type { Channel, ProviderUnavailable } from "@parley/core"
import type { GraphApi, GraphFailure } from "@parley/meta-graph"
import { unavailable } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { meaningOf } from "./Meaning.js"
import type { MessengerAccount } from "./MessengerAccount.js"

const text = Schema.optional(Schema.NullOr(Schema.String))
const readProfile = Schema.decodeUnknownOption(
  Schema.Struct({ name: text, username: text, first_name: text, last_name: text })
)

/** The fields of a customer's profile that contain the name, by channel. */
const fieldsOf = (channel: Channel): string => (channel === "instagram" ? "name,username" : "first_name,last_name")

/**
 * The customer's name: `GET /{customer's id}`. Null if Meta refuses it, such as after the customer blocked the
 * business.
 */
export const profileName = (
  graph: GraphApi,
  { channel, credentials }: MessengerAccount,
  handle: string
): Effect.Effect<string | null, ProviderUnavailable> =>
  graph.call(credentials.page_access_token, { path: `/${handle}`, query: { fields: fieldsOf(channel) } }).pipe(
    Effect.map((answer) => Option.match(readProfile(answer), { onNone: () => null, onSome: nameOf })),
    Effect.catchIf(isWithheld, () => Effect.succeed(null)),
    Effect.catchAll(({ reason }) => unavailable(reason))
  )

const nameOf = ({ first_name, last_name, name, username }: Option.Option.Value<ReturnType<typeof readProfile>>) => {
  const names = [name, [first_name, last_name].filter(Boolean).join(" "), username]
  return names.find((one) => one != null && one !== "") ?? null
}

/** A permanent refusal, other than that of a token, which an operator can correct. */
const isWithheld = (failure: GraphFailure): boolean =>
  failure._tag === "Refused" &&
  failure.error !== null &&
  failure.error.code !== 190 &&
  meaningOf(failure.error, failure.status).kind === "rejected"
