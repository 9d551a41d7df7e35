import { Either } from "effect"
import type { Refusal } from "../src/errors/Refusal.js"
import type { Decision } from "../src/kernel/Decider.js"
import type { AuditEntry } from "../src/model/AuditEntry.js"
import type { RowOf, TableName, Tables } from "../src/ports/Changes.js"

/** The decision of a rule that is expected to succeed. */
export const agreed = <A>(decided: Either.Either<Decision<A>, Refusal>): Decision<A> => Either.getOrThrow(decided)

/** The refusal of a rule that is expected to refuse. */
export const refused = (decided: Either.Either<Decision<unknown>, Refusal>): Refusal =>
  Either.getOrThrow(Either.flip(decided))

/** The rows that a decision inserts into a table. */
export const inserted = <T extends TableName>(decision: Decision<unknown>, table: T): ReadonlyArray<Tables[T]> =>
  (decision.changes?.inserts ?? [])
    .filter((row) => row.table === table)
    .map((row) => (row as RowOf<T>).row as Tables[T])

/** The audit actions of a decision. */
export const audit = (decision: Decision<unknown>): ReadonlyArray<AuditEntry["action"]> =>
  inserted(decision, "auditLog").map(({ action }) => action)
