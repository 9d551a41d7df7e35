import { actor, byAdministrator, matchesSecret, RateBuckets, type Refusal, refuse } from "@parley/core"
import { Effect, FiberRef, Redacted } from "effect"
import type { Admission } from "../server/Admission.js"
import { foreignHost } from "../server/hostNames.js"
import { headerOf, type Incoming } from "../server/Incoming.js"

/** A caller with the admin token. */
export interface Administrator {
  /** Actor in the audit log, with the value of the header `X-Actor` if present. */
  readonly actor: string
  /** See `KeyedRequest`. Only callers of this process have it. */
  readonly declaredIn?: string | undefined
}

/**
 * Authenticates by the admin token (docs/reference/administration.md#admin-token). Takes a token of the client
 * address's bucket for administrators; without a valid admin token, of its anonymous bucket.
 */
export const adminAdmission = (
  adminToken: Redacted.Redacted,
  /** Host names of this service. Null: `Host` and `Origin` are not checked. */
  hosts: ReadonlyArray<string> | null = null
): Effect.Effect<Admission<Administrator>, never, RateBuckets> =>
  Effect.map(RateBuckets, (buckets) => ({
    admit: (token, _purpose, clientAddress, incoming) => {
      const refused = (refusal: Refusal) => Effect.zipRight(buckets.anonymous(clientAddress), Effect.fail(refusal))
      const foreign = hosts === null ? null : foreignHost(incoming, hosts)
      if (foreign !== null) return refused(foreign)
      return token !== null && matchesSecret(token, Redacted.value(adminToken))
        ? Effect.zipRight(buckets.administrator(clientAddress), namedAdministrator(incoming))
        : refused(refuse("unauthenticated"))
    },
    knownRefusal: (token, clientAddress, now) =>
      token === null ? buckets.knownRefusal("anonymous", clientAddress, now) : null,
    missingScope: () => null
  }))

const actorHeader = "X-Actor"

/** Sets the audit log's actor from `X-Actor`. Fails with `bad_request` if its value is invalid. */
export const namedAdministrator = (incoming: Incoming): Effect.Effect<Administrator, Refusal> => {
  const name = headerOf(incoming, actorHeader.toLowerCase()) ?? ""
  if (!/^[\x20-\x7e]{0,100}$/.test(name)) {
    const message = "must be at most 100 printable ASCII characters"
    return refuse("bad_request", { [actorHeader]: [message] }, `The ${actorHeader} header is not valid.`)
  }
  const its = name === "" ? byAdministrator : `${byAdministrator}: ${name}`
  return Effect.as(FiberRef.set(actor, its), { actor: its })
}
