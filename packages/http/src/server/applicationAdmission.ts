import { Access, type Caller, missingScope, RateBuckets } from "@parley/core"
import { Effect } from "effect"
import type { Admission } from "./Admission.js"

/**
 * Authenticates applications by bearer token. Takes a token of the application's request bucket, or of the client
 * address if authentication fails.
 */
export const applicationAdmission: Effect.Effect<Admission<Caller>, never, Access | RateBuckets> = Effect.gen(
  function* () {
    const access = yield* Access
    const buckets = yield* RateBuckets
    return {
      admit: (token, purpose, clientAddress, { application }) =>
        application !== undefined
          ? access.admitInProcess(application, purpose)
          : Effect.catchTag(access.admit(token, purpose), "Refusal", (refusal) =>
              refusal.code === "rate_limited"
                ? Effect.fail(refusal)
                : Effect.zipRight(buckets.anonymous(clientAddress), Effect.fail(refusal))
            ),
      knownRefusal: (token, clientAddress, now) =>
        token === null ? buckets.knownRefusal("anonymous", clientAddress, now) : null,
      missingScope
    }
  }
)
