import { Context, type Effect } from "effect"
import type { Contact } from "../model/Contact.js"
import type { Conversation } from "../model/Conversation.js"
import type { Instant } from "../model/Instant.js"
import type { Job, Lane } from "../model/Job.js"
import type { Template } from "../model/Template.js"
import type { Changes, TableName, Tables } from "./Changes.js"
import type { ContactFilter, ConversationFilter, Page, Slice, TemplateFilter } from "./filters.js"
import type {
  ApplicationWork,
  BegunAttempt,
  ClaimedJobs,
  ClaimJobs,
  Lease,
  PostponeJobs,
  QueueDepth,
  Work
} from "./jobs.js"
import type { Lookups, ReadResult, RowReader } from "./lookups.js"
import type { RateToken, RateTokenRequest, Reservation } from "./rates.js"
import type { CommitError, CommitOutcome, ReadError, StorageUnavailable } from "./StorageErrors.js"

export * from "./filters.js"
export * from "./jobs.js"
export * from "./lookups.js"
export * from "./rates.js"
export * from "./StorageErrors.js"

/** The age of a row in a table of history: its id or a time (ms), by which the storage orders the rows. */
export type PurgePosition = string | number

/** What one call of `purge` deleted. */
export interface Purged {
  /** The number of rows. */
  readonly rows: number
  /** The position of the youngest of them, at which the next call goes on; null if nothing was deleted. */
  readonly last: PurgePosition | null
}

/** Result of {@link Storage.check}. */
export interface DatabaseHealth {
  /** The database's clock in ms. */
  readonly clock: Instant
  /**
   * Age in ms of the oldest open transaction of the database, of any program; 0 if none is open. While it is open, the
   * database keeps the deleted rows of the queue. Absent if the database has no such cost.
   */
  readonly oldestTransactionMs?: number
  /** Whether an index finds contacts by parts of their text. Absent if the database always searches without one. */
  readonly searchIsIndexed?: boolean
}

/**
 * Database port: one write of business state, batched reads, and the operations of job queue, rate buckets and slot
 * queues. `storageContract` of `@parley/testkit` checks an adapter (docs/write-a-storage.md).
 *
 * ```
 *         read                        commit(changes)
 * rows ────────▶ decide (pure) ──────────────┬──▶ Committed ──▶ durable
 *   ▲            Changes | Refusal           ├──▶ Conflict  ──▶ nothing written ──┐
 *   │                                        └──▶ Fenced    ──▶ nothing written   │
 *   └────────────────────────── load and decide again ────────────────────────────┘
 * ```
 *
 * Invariants:
 * - `commit` is the only write of business state. It is atomic, and durable when it succeeds.
 * - No transaction, lock or connection is held between two calls.
 * - Time is a parameter (ms since the Unix epoch). The adapter has no clock; only `check` reads the database's.
 * - Reads see all commits that were answered before the call. Several lookups of one call are not one snapshot: state
 *   as expects what must agree at the commit.
 * - Rate tokens, slots, leases and claims are exact over all hosts of a database.
 * - Reads and queue operations fail with {@link ReadError}, commits with {@link CommitError}. A lost race is no
 *   failure: it is the outcome `Conflict`.
 *
 * @example
 * ```ts
 * // Completes a task unless it changed since it was read. Services use `Decider`, which repeats this on conflict.
 * const task = yield* readById(storage, "tasks", id)
 * if (task === undefined) return yield* refuse("not_found")
 * const outcome = yield* storage.commit(
 *   changes(task.workspaceId, {
 *     expects: [expect("tasks", { id }, { version: task.version })],
 *     sets: [set("tasks", { id }, { status: "done" })]
 *   })
 * )
 * // outcome._tag: "Committed", or "Conflict" with lost: ["tasks:<id>"]
 * ```
 */
export interface Storage extends RowReader {
  /** Writes all changes or none. Durable when it succeeds with `Committed`. */
  readonly commit: (changes: Changes) => Effect.Effect<CommitOutcome, CommitError>
  /**
   * {@link RowReader.read} and {@link takeToken} in one call. Both run: a refused token does not skip the read, nor an
   * empty read the token.
   */
  readonly readAndTakeToken: <Q extends Lookups>(
    queries: Q,
    tokenRequest: RateTokenRequest
  ) => Effect.Effect<{ readonly found: ReadResult<Q>; readonly rateToken: RateToken }, ReadError>
  /** Reads one page in descending order of id, or as `oldestFirstBy` says. */
  readonly list: <T extends TableName>(page: Page<T>) => Effect.Effect<ReadonlyArray<Tables[T]>, ReadError>
  /** Like {@link list}, with some columns only; for tables with large columns. */
  readonly listColumns: <T extends TableName, C extends keyof Tables[T] & string>(
    page: Page<T>,
    columns: ReadonlyArray<C>
  ) => Effect.Effect<ReadonlyArray<Pick<Tables[T], C>>, ReadError>
  /** Contacts in order of `nameKey`, then id. */
  readonly listContacts: (
    filter: ContactFilter,
    page: { readonly offset: number; readonly limit: number }
  ) => Effect.Effect<Slice<Contact>, ReadError>
  /** Templates in order of name (by code points), then id. */
  readonly listTemplates: (
    filter: TemplateFilter,
    page: { readonly offset: number; readonly limit: number }
  ) => Effect.Effect<Slice<Template>, ReadError>
  /**
   * Conversations in descending order of last activity, then id. `after`: position of the last row seen; null starts at
   * the newest.
   */
  readonly listConversations: (
    filter: ConversationFilter,
    after: Pick<Conversation, "lastActivityAt" | "id"> | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Conversation>, ReadError>
  /**
   * Jobs of a lane by due time, then id. `workspaceId`: null for all. `after`: position of the
   * last job seen; null starts at the first due one. A job whose due time changes meanwhile may be missing or twice.
   */
  readonly listJobs: (
    filter: { readonly lane: Lane; readonly workspaceId: string | null },
    after: { readonly dueAt: Instant; readonly id: string } | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Job>, ReadError>
  /**
   * Takes a rate token. Grants at most `limit` tokens in a window, over all hosts. A crash may forget the last tokens
   * taken.
   */
  readonly takeToken: (tokenRequest: RateTokenRequest) => Effect.Effect<RateToken, ReadError>
  /**
   * {@link takeToken} for each request in one call. All have the same `now`. Returns the tokens in the order of the
   * requests.
   */
  readonly takeTokens: (
    tokenRequests: ReadonlyArray<RateTokenRequest>
  ) => Effect.Effect<ReadonlyArray<RateToken>, ReadError>
  /** Refunds a token to the window that opened at `openedAt`. No effect after that window ended. */
  readonly refundToken: (bucket: string, openedAt: Instant) => Effect.Effect<void, ReadError>
  /**
   * Reserves the next slot of a slot queue and returns its virtual time (ms), not before `now`. Always grants a slot.
   * Slots are in the order of the calls, and over any period never exceed burst and rate, over all hosts. A power
   * failure may forget the last reservations.
   */
  readonly reserveSlot: (reservation: Reservation) => Effect.Effect<Instant, ReadError>
  /**
   * Leases due jobs, the subjects in turn and those of a subject by due time, then id. Raises their epoch and, in the
   * lanes of `countsAtClaim`, counts an attempt. A power failure may undo it.
   */
  readonly claimJobs: (request: ClaimJobs) => Effect.Effect<ClaimedJobs, ReadError>
  /**
   * Stores durably, before a call outside, that a leased job begins an attempt. Sets the number of its attempts, so
   * that a repeated call changes nothing. False if the lease is lost: the call must not be made.
   */
  readonly beginAttempt: (begun: BegunAttempt) => Effect.Effect<boolean, ReadError>
  /** Extends leases until `until` (ms). Returns the leases that are lost. */
  readonly renewLeases: (leases: ReadonlyArray<Lease>, until: Instant) => Effect.Effect<ReadonlyArray<Lease>, ReadError>
  /**
   * Releases leased jobs: claimable at once, with a new epoch and without the attempt that the claim counted. Lost
   * leases are ignored.
   */
  readonly releaseLeases: (leases: ReadonlyArray<Lease>) => Effect.Effect<void, ReadError>
  /** Postpones unleased jobs; never makes a job due earlier. A power failure may undo it. */
  readonly postponeJobs: (postponed: PostponeJobs) => Effect.Effect<void, ReadError>
  /** Counts the jobs of every lane, including empty lanes. `leaseMs`: maximum remaining time of a lease, in ms. */
  readonly queueDepths: (now: Instant, leaseMs: number) => Effect.Effect<ReadonlyArray<QueueDepth>, ReadError>
  /**
   * Counts work by application, of the first `maxScanned` jobs of each lane. `applications`: those with the most
   * waiting work (`queued`, `sending`, `deliveries` and `parked` together; then `failed`, `disabledEndpoints`, null
   * last, and the id), at most `top`. `rest`: the sum of all others and their number; null without others.
   */
  readonly workByApplication: (
    now: Instant,
    top: number
  ) => Effect.Effect<
    {
      readonly applications: ReadonlyArray<ApplicationWork>
      readonly rest: (Work & { readonly applications: number }) | null
    },
    ReadError
  >
  /**
   * Deletes up to `limit` rows of history older than `before` (ms), the oldest first. `from`: the `last` of the
   * previous call, so that it does not look at the rows again that were kept. Skips locked rows, so that several hosts
   * can purge at once. Kept regardless of age (docs/reference/storage.md#retention-and-purge): pending
   * deliveries and their events, endpoints that are not deleted or have deliveries, workflow runs and bot sessions that
   * have not ended, and rows of `providerMessages` that have a message. Rows age from the time in their id, idempotency
   * records and access tokens from `expiresAt`, endpoints and rows of `providerMessages` from `createdAt`, runs and bot
   * sessions from `endedAt`, buckets from `openedAt`, and slot queues from their last slot by the clock.
   */
  readonly purge: (
    table:
      | "idempotency"
      | "accessTokens"
      | "buckets"
      | "sendSlots"
      | "events"
      | "businessEvents"
      | "deliveries"
      | "endpoints"
      | "attempts"
      | "requestLog"
      | "notifications"
      | "unknownEvents"
      | "providerMessages"
      | "workflowRuns"
      | "botSessions",
    before: Instant,
    limit: number,
    from?: PurgePosition | null
  ) => Effect.Effect<Purged, ReadError>
  /**
   * Returns the database's clock (ms). Fails if the database is unreachable or its schema version is not the expected
   * one.
   */
  readonly check: Effect.Effect<DatabaseHealth, StorageUnavailable>
}

export const Storage = Context.GenericTag<Storage>("@parley/core/Storage")
