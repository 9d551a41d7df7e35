import { actor, byAdministrator, matchesSecret, RateBuckets, type Refusal, refuse } from "@parley/core"
import { Effect, FiberRef, Redacted } from "effect"
import type { Admission } from "../server/Admission.js"
import { headerOf, type Incoming } from "../server/Incoming.js"

/** Who administers: whoever holds the admin token. */
export interface Administrator {
  /** As the audit log names it: with what the header `X-Actor` says, where it says something. */
  readonly actor: string
}

/** Lets in whoever holds the admin token (decisions.md §14). Calls draw on the administrators' bucket of the client's address. */
export const adminAdmission = (
  adminToken: Redacted.Redacted
): Effect.Effect<Admission<Administrator>, never, RateBuckets> =>
  Effect.map(RateBuckets, (buckets) => ({
    admit: (token, _purpose, clientAddress, incoming) =>
      token !== null && matchesSecret(token, Redacted.value(adminToken))
        ? Effect.zipRight(buckets.administrator(clientAddress), named(incoming))
        : Effect.zipRight(buckets.anonymous(clientAddress), Effect.fail(refuse("unauthenticated"))),
    missingScope: () => null
  }))

const actorHeader = "X-Actor"

/** Lets the audit log know who administers; `bad_request` where the name cannot be one. */
const named = (incoming: Incoming): Effect.Effect<Administrator, Refusal> => {
  const name = headerOf(incoming, actorHeader.toLowerCase()) ?? ""
  if (!/^[\x20-\x7e]{0,100}$/.test(name)) {
    const words = "must be at most 100 printable ASCII characters"
    return refuse("bad_request", { [actorHeader]: [words] }, `The ${actorHeader} header is not valid.`)
  }
  const its = name === "" ? byAdministrator : `${byAdministrator}: ${name}`
  return Effect.as(FiberRef.set(actor, its), { actor: its })
}
