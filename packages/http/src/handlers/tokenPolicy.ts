import { RateBuckets, tokenErrorOf } from "@parley/core"
import { Effect } from "effect"
import type { TokenFailure } from "../contract/TokenFailure.js"
import type { EndpointPolicy } from "../server/EndpointPolicy.js"
import { type RenderRefusal, renderRefusal } from "../server/HttpOutcome.js"
import { tokenBody, tokenBodyLimit } from "./tokenBody.js"

/**
 * Policy of `POST /oauth/token`: no authentication, limits by client address, OAuth's error format
 * (docs/reference/authentication.md#token-endpoint ; docs/reference/rate-limits.md#token-requests).
 */
export const tokenPolicy: Effect.Effect<EndpointPolicy<unknown>, never, RateBuckets> = Effect.map(
  RateBuckets,
  (buckets) => ({
    admission: {
      admit: (_token, _purpose, clientAddress) => buckets.token(clientAddress),
      knownRefusal: (_token, clientAddress, now) => buckets.knownRefusal("token", clientAddress, now),
      missingScope: () => null
    },
    bodyLimit: tokenBodyLimit,
    readBody: tokenBody,
    bodyCredential: ({ client_id, client_secret }) =>
      typeof client_id === "string" && typeof client_secret === "string" && client_secret !== ""
        ? `${client_id} ${client_secret}`
        : null,
    refused: asTokenFailure
  })
)

const asTokenFailure: RenderRefusal = (refusal, requestId, headers) => {
  const outcome = renderRefusal(refusal, requestId, headers)
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
