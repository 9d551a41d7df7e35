import type { ReadError, Refusal, RefusedToken, Scope } from "@parley/core"
import type { Effect } from "effect"
import type { Incoming } from "./Incoming.js"

/** Authenticates requests of an API and charges their rate tokens (docs/reference/requests.md#order-of-checks). */
export interface Admission<Caller> {
  /**
   * Resolves the caller and takes a token from the caller's request bucket. A request that fails authentication takes
   * one from the bucket of its client address. Fails with `rate_limited` if the bucket is empty.
   */
  readonly admit: (
    token: string | null,
    purpose: "read" | "write",
    clientAddress: string,
    incoming: Incoming
  ) => Effect.Effect<Caller, Refusal | ReadError>
  /**
   * The refusal that `admit` would end in whatever else the request holds, if it is known without the storage: of a
   * client address with an empty bucket. Null: call `admit`. Default: always null.
   */
  readonly knownRefusal?: (token: string | null, clientAddress: string, now: number) => RefusedToken | null
  /** The refusal of a caller that has none of these scopes; null if it has one. */
  readonly missingScope: (caller: Caller, anyOf: ReadonlyArray<Scope>) => Refusal | null
}
