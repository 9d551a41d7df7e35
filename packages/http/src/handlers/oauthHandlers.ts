import { AccessTokens, type RateBuckets, tokenResource } from "@parley/core"
import { Effect } from "effect"
import type { OAuthGroup } from "../contract/OAuthGroup.js"
import type { Apart } from "../server/Call.js"
import { tokenManner } from "./tokenManner.js"

/** Carries out the contract's group `oauth`. */
export const oauthHandlers: Effect.Effect<Apart<typeof OAuthGroup>, never, AccessTokens | RateBuckets> = Effect.gen(
  function* () {
    const tokens = yield* AccessTokens
    return {
      manner: yield* tokenManner,
      handlers: { exchange: ({ body }) => Effect.map(tokens.exchange(body), tokenResource) }
    }
  }
)
