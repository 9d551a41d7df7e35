import { Either } from "effect"
import type { AuditEntry } from "../../src/access/AuditEntry.js"
import type { Decision } from "../../src/Decider.js"
import type { Refusal } from "../../src/errors/Refusal.js"
import type { RowOf, TableName, Tables } from "../../src/ports/Changes.js"

/** What a rule that must agree decided. */
export const agreed = <A>(decided: Either.Either<Decision<A>, Refusal>): Decision<A> => Either.getOrThrow(decided)

/** The refusal of a rule that must refuse. */
export const refused = (decided: Either.Either<Decision<unknown>, Refusal>): Refusal =>
  Either.getOrThrow(Either.flip(decided))

/** The rows of a table that a decision inserts. */
export const inserted = <T extends TableName>(decision: Decision<unknown>, table: T): ReadonlyArray<Tables[T]> =>
  (decision.changes?.inserts ?? [])
    .filter((row) => row.table === table)
    .map((row) => (row as RowOf<T>).row as Tables[T])

/** The actions that a decision writes into the audit log. */
export const audit = (decision: Decision<unknown>): ReadonlyArray<AuditEntry["action"]> =>
  inserted(decision, "auditLog").map(({ action }) => action)
