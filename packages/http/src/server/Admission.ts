import type { Drawn, ReadError, Refusal, Scope } from "@parley/core"
import type { Effect } from "effect"

/** Who is let in to an interface, and on whose account (decisions.md §2, steps 3 to 5). */
export interface Admission<Caller> {
  /** Who calls. A refusal draws on the bucket of the client's address. */
  readonly authenticate: (token: string | null, purpose: "read" | "write") => Effect.Effect<Caller, Refusal | ReadError>
  /** Draws one request of this caller. */
  readonly draw: (caller: Caller, clientAddress: string) => Effect.Effect<Drawn, Refusal | ReadError>
  /** The refusal of a caller who has none of these scopes, else null. */
  readonly missingScope: (caller: Caller, anyOf: ReadonlyArray<Scope>) => Refusal | null
}
