import type { ReadError, Refusal, Scope } from "@parley/core"
import type { Effect } from "effect"
import type { Incoming } from "./Incoming.js"

/** Who is let in to an interface, and on whose account (decisions.md §2, steps 3 to 5). */
export interface Admission<Caller> {
  /**
   * Who calls, with the request drawn from the caller's bucket; where nobody is let in, from the one of the client's
   * address. `rate_limited` where the bucket is empty.
   */
  readonly admit: (
    token: string | null,
    purpose: "read" | "write",
    clientAddress: string,
    incoming: Incoming
  ) => Effect.Effect<Caller, Refusal | ReadError>
  /** The refusal of a caller who has none of these scopes, else null. */
  readonly missingScope: (caller: Caller, anyOf: ReadonlyArray<Scope>) => Refusal | null
}
