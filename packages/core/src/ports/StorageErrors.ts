import { Data } from "effect"

/** The database is unreachable. Nothing was written; the call can be retried later. */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{ readonly cause: unknown }> {
  override get message(): string {
    return `the storage cannot be reached: ${reasonOf(this.cause)}`
  }
}

/** The message of the innermost cause, since drivers wrap errors. */
const reasonOf = (cause: unknown): string =>
  !(cause instanceof Error) ? String(cause) : cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message

/**
 * The queue of the adapter is full, a row stayed locked, or all tries of a decision conflicted (`conflicts`, their
 * number). Nothing was written; the call can be retried later.
 */
export class StorageBusy extends Data.TaggedError("StorageBusy")<{
  readonly reason: string
  readonly conflicts?: number
}> {
  override get message(): string {
    return `the storage is busy: ${this.reason}`
  }
}

/** The database will never accept this data. Nothing was written; do not retry. */
export class ChangesRejected extends Data.TaggedError("ChangesRejected")<{ readonly cause: unknown }> {}

/** The connection was lost in COMMIT and the result is unknown. Committing the same changes again is safe. */
export class CommitUncertain extends Data.TaggedError("CommitUncertain")<{ readonly cause: unknown }> {}

export type ReadError = StorageUnavailable | StorageBusy
export type CommitError = StorageUnavailable | StorageBusy | ChangesRejected | CommitUncertain

/**
 * Outcome of a commit (docs/reference/commits.md#outcomes). `Conflict` and `Fenced` wrote nothing; `Fenced` takes
 * precedence.
 */
export type CommitOutcome = Data.TaggedEnum<{
  /**
   * Durably written. `bumped`: the column values after each bump, in the order of `Changes.bumps`; empty for a missing
   * row.
   */
  Committed: { readonly bumped: ReadonlyArray<{ readonly [column: string]: number }> }
  /** A claim was taken or an expect failed: load and decide again. `lost`: the keys, as `table:key`. */
  Conflict: { readonly lost: ReadonlyArray<string> }
  /** The job to settle has another epoch: the lease was lost and another process may have the job. */
  Fenced: Record<never, never>
}>
export const CommitOutcome = Data.taggedEnum<CommitOutcome>()
