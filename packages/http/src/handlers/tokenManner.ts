import { RateBuckets, tokenErrorOf } from "@parley/core"
import { Effect } from "effect"
import type { TokenFailure } from "../contract/TokenFailure.js"
import type { Manner } from "../server/Manner.js"
import { type Refused, refused } from "../server/Outcome.js"
import { tokenBody } from "./tokenBody.js"

/** How `POST /oauth/token` is served: to everybody, by the client's address, in OAuth's shapes (decisions.md §4). */
export const tokenManner: Effect.Effect<Manner<unknown>, never, RateBuckets> = Effect.map(RateBuckets, (buckets) => ({
  admission: {
    admit: (_token, _purpose, clientAddress) => buckets.token(clientAddress),
    missingScope: () => null
  },
  readBody: tokenBody,
  refused: asTokenFailure
}))

const asTokenFailure: Refused = (refusal, requestId, headers) => {
  const outcome = refused(refusal, requestId, headers)
  const failure: TokenFailure = { error: tokenErrorOf(refusal), error_description: refusal.message }
  return {
    status: outcome.status,
    headers:
      refusal.code === "unauthenticated"
        ? { ...outcome.headers, "www-authenticate": `Basic realm="token", charset="UTF-8"` }
        : outcome.headers,
    body: JSON.stringify(failure),
    code: outcome.code
  }
}
