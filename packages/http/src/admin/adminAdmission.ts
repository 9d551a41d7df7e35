import { createHash, timingSafeEqual } from "node:crypto"
import { RateBuckets, refuse } from "@parley/core"
import { Effect, Redacted } from "effect"
import type { Admission } from "../server/Admission.js"

/** Who administers: whoever holds the admin token. */
export interface Administrator {
  /** As the audit log names it. */
  readonly actor: "admin"
}

/** Lets in whoever holds the admin token (decisions.md §14). Calls draw on the administrators' bucket of the client's address. */
export const adminAdmission = (
  adminToken: Redacted.Redacted
): Effect.Effect<Admission<Administrator>, never, RateBuckets> =>
  Effect.map(RateBuckets, (buckets) => {
    const expected = hash(Redacted.value(adminToken))
    return {
      authenticate: (token) =>
        // Hashes, so that neither the token's characters nor its length show in the time that this takes.
        token !== null && timingSafeEqual(hash(token), expected)
          ? Effect.succeed({ actor: "admin" })
          : Effect.fail(refuse("unauthenticated")),
      draw: (_administrator, clientAddress) => buckets.administrator(clientAddress),
      missingScope: () => null
    }
  })

const hash = (text: string): Buffer => createHash("sha256").update(text).digest()
