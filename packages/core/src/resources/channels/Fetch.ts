import type { Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { oneLine } from "../../kernel/text/oneLine.js"
import { storableText } from "../../kernel/text/storableText.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import { type Job, type JobFailure, type Lane, maxFailureText } from "../../model/Job.js"
import type { BlobsUnavailable } from "../../ports/Blobs.js"
import type { Parts } from "../../ports/Changes.js"
import type { ChannelProvider, ProviderUnavailable } from "../../ports/ChannelProvider.js"
import type { CommitError, ReadError } from "../../ports/Storage.js"

/** A connection with what a call to its provider needs. */
export interface FetchContext {
  readonly connection: Connection
  readonly provider: ChannelProvider
  /** Decrypted. */
  readonly credentials: unknown
}

/** Result of a fetch job. */
export interface FetchResult {
  /** Delay in ms and payload of the next execution; null if the job is finished. */
  readonly again: {
    readonly inMs: number
    readonly payload: Job["payload"]
    /** The lane that goes on with the job. Default: the same. */
    readonly lane?: Lane
    /** The subject in that lane. Default: the same. */
    readonly subject?: string
  } | null
  /** Why the next execution waits, if that counts as no failure. */
  readonly failure?: JobFailure
  /** Further changes for the commit that settles the job. If that commit conflicts, the job is executed again. */
  readonly parts?: ReadonlyArray<Parts>
  /** Runs if another process has the job by then, or has ended it. */
  readonly onFenced?: Effect.Effect<void, BlobsUnavailable | ReadError>
}

/** Executes a fetch job; null if it is finished. Must be repeatable: it may be executed twice. */
export type Fetch = (
  job: Job,
  context: FetchContext
) => Effect.Effect<FetchResult | null, ProviderUnavailable | BlobsUnavailable | Refusal | CommitError>

/**
 * The payload after a failed fetch: when the failures in a row began, and why this one failed. `now` is the time of the
 * failure.
 */
export const failedPayload = ({ payload }: Job, reason: string, now: Instant): NonNullable<Job["payload"]> => ({
  failingSince: now,
  ...payload,
  reason: storableText(oneLine(reason), maxFailureText)
})

/** The payload without {@link failedPayload}. */
export const payloadWithoutFailure = ({ payload }: Job): NonNullable<Job["payload"]> => {
  const { failingSince: _, reason: __, ...rest } = payload ?? {}
  return rest
}

/** When the fetch began to fail in a row; undefined if the last one did not fail. */
export const failingSinceOf = ({ payload }: Job): Instant | undefined =>
  typeof payload?.failingSince === "number" ? payload.failingSince : undefined
