import { AccessTokens, type RateBuckets, tokenResource } from "@parley/core"
import { Effect } from "effect"
import type { OAuthGroup } from "../contract/OAuthGroup.js"
import type { GroupWithPolicy } from "../server/Call.js"
import { tokenPolicy } from "./tokenPolicy.js"

/** Implements the group `oauth` of the contract. */
export const oauthHandlers: Effect.Effect<
  GroupWithPolicy<typeof OAuthGroup>,
  never,
  AccessTokens | RateBuckets
> = Effect.gen(function* () {
  const tokens = yield* AccessTokens
  return {
    policy: yield* tokenPolicy,
    handlers: { exchange: ({ body }) => Effect.map(tokens.exchange(body), tokenResource) }
  }
})
