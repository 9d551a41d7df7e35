import { Context, Data, Effect } from "effect"
import type { Contact, LifecycleStage } from "../model/Contact.js"
import type { Conversation, ConversationStatus } from "../model/Conversation.js"
import type { Instant } from "../model/Instant.js"
import type { Job, Lane } from "../model/Job.js"
import type { Template } from "../model/Template.js"
import type { Changes, Condition, TableName, Tables } from "./Changes.js"

/** The database is unreachable. Nothing was written; the call can be retried later. */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{ readonly cause: unknown }> {
  override get message(): string {
    return `the storage cannot be reached: ${reasonOf(this.cause)}`
  }
}

/** The message of the innermost cause, since drivers wrap errors. */
const reasonOf = (cause: unknown): string =>
  !(cause instanceof Error) ? String(cause) : cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message

/** The queue of the adapter is full, or a row stayed locked. Nothing was written; the call can be retried later. */
export class StorageBusy extends Data.TaggedError("StorageBusy")<{ readonly reason: string }> {
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

/** Selects all rows of a table with these column values. An index must serve it and few rows may match. */
export interface Lookup<T extends TableName> {
  readonly from: T
  readonly where: { readonly [K in keyof Tables[T]]?: Tables[T][K] }
}
export const lookup = <T extends TableName>(from: T, where: Lookup<T>["where"]): Lookup<T> => ({ from, where })

/** The tables whose rows have an `id`. */
export type TableWithId = {
  readonly [T in TableName]: Tables[T] extends { readonly id: string } ? T : never
}[TableName]

/** Lookup by id; null (no lookup) if the id is absent. */
export const lookupById = <T extends TableWithId>(from: T, id: string | null | undefined): Lookup<T> | null =>
  id == null ? null : lookup(from, { id } as unknown as Lookup<T>["where"])

/** Reads one row by id; undefined if the row or the id is absent. */
export const readById = <T extends TableWithId>(
  storage: Pick<Storage, "read">,
  from: T,
  id: string | null | undefined
): Effect.Effect<Tables[T] | undefined, ReadError> =>
  Effect.map(
    storage.read({ found: lookupById(from, id) as AnyLookup | null }),
    ({ found }) => found[0] as Tables[T] | undefined
  )

/** Reads rows of several tables by id, with one read. Returns them by id, without those that are absent. */
export const readByIds = <T extends TableWithId>(
  storage: Pick<Storage, "read">,
  ids: { readonly [K in T]: ReadonlyArray<string> }
): Effect.Effect<{ readonly [K in T]: ReadonlyMap<string, Tables[K]> }, ReadError> => {
  const tables = Object.entries<ReadonlyArray<string>>(ids)
  const lookups: { [name: string]: AnyLookup } = {}
  for (const [table, ofTable] of tables) {
    for (const id of ofTable) lookups[`${table} ${id}`] = lookup(table as T, { id } as never) as unknown as AnyLookup
  }
  return Effect.map(storage.read(lookups), (found) => {
    const byTable = tables.map(([table, ofTable]) => {
      const rows = new Map<string, unknown>()
      for (const id of ofTable) {
        const [row] = found[`${table} ${id}`] ?? []
        if (row !== undefined) rows.set(id, row)
      }
      return [table, rows]
    })
    return Object.fromEntries(byTable)
  })
}

export type AnyLookup = { readonly [T in TableName]: Lookup<T> }[TableName]

/** Named lookups. Null skips a lookup. */
export interface Lookups {
  readonly [name: string]: AnyLookup | null
}

/** Result of {@link Storage.read}: the rows of each named lookup, in no particular order. Empty for a null lookup. */
export type ReadResult<Q> = {
  readonly [N in keyof Q]: NonNullable<Q[N]> extends Lookup<infer T> ? ReadonlyArray<Tables[T]> : never
}

/** One page of rows in descending order of id: newest first, since ids are UUIDv7. */
export interface Page<T extends TableName> {
  readonly from: T
  readonly where: Condition<T>
  /** Returns rows with a lower id than this one; null starts at the newest. */
  readonly after: string | null
  /** Returns rows whose id was generated at this time (ms) or later. Default: no bound. */
  readonly since?: Instant
  readonly limit: number
}

/** Filters of {@link Storage.listContacts}; null disables a filter. */
export interface ContactFilter {
  readonly workspaceId: string
  /** A substring of the contact's search key, normalised like it (docs/reference/contacts.md#search-key). */
  readonly search: string | null
  /** Another substring; contacts match that have it or `search`. Null: `search` only. */
  readonly searchAlso: string | null
  readonly lifecycleStage: LifecycleStage | null
  /** In the workspace's spelling. */
  readonly tag: string | null
  /** Contacts with an identity on this channel. */
  readonly channel: string | null
  /** Exclusive, in ms. */
  readonly createdAfter: Instant | null
}

/** Filters of {@link Storage.listTemplates}; null disables a filter. */
export interface TemplateFilter {
  readonly workspaceId: string
  readonly language: string | null
  readonly status: Template["status"] | null
}

/** Filters of {@link Storage.listConversations}; null disables a filter. */
export interface ConversationFilter {
  /** Restricts to these connections. Null only together with a contact or an assignee. */
  readonly connectionIds: ReadonlyArray<string> | null
  readonly contactId: string | null
  readonly status: ConversationStatus | null
  /** Absent: no filter. */
  readonly workspaceId?: string
  readonly assignedUserId?: string
  readonly assignedTeamId?: string
}

/** One page of a list with page numbers. */
export interface Slice<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Exact number of rows on all pages. */
  readonly total: number
}

/**
 * Request for one rate token of a bucket. The window is fixed and opens with its first token
 * (docs/reference/rate-limits.md#window).
 */
export interface RateTokenRequest {
  readonly bucket: string
  readonly limit: number
  readonly windowMs: number
  readonly now: Instant
}

/** Result of a token request, and the state of the bucket after it. */
export interface RateToken {
  readonly granted: boolean
  readonly limit: number
  readonly remaining: number
  /** Start of the window in ms. Identifies the window, so that a token is refunded to its own window only. */
  readonly openedAt: Instant
  readonly resetAt: Instant
}

/** Request for {@link Storage.claimJobs}: up to `limit` due jobs of each lane. */
export interface ClaimJobs {
  readonly now: Instant
  readonly owner: string
  readonly leaseMs: number
  /** Up to which due time (ms) to look for the next job; null: not at all. Default: no bound. */
  readonly nextDueUntil?: Instant | null
  readonly lanes: ReadonlyArray<{
    readonly lane: Lane
    readonly limit: number
    /** Maximum number of jobs of one subject in this claim. */
    readonly perSubject: number
    /** Subjects at their limit, which are excluded. */
    readonly except: ReadonlyArray<string>
    /**
     * The only subjects whose jobs are claimed; then `except` is empty, and there are no bounds. Default: all subjects.
     */
    readonly only?: ReadonlyArray<string>
    /** Lower bound of due times (ms); an adapter may ignore it. Default: none. */
    readonly dueFrom?: Instant
    /** Subjects with a lower bound (ms) of their own. */
    readonly behind?: ReadonlyArray<{ readonly subject: string; readonly dueFrom: Instant }>
  }>
}

/** Result of {@link Storage.claimJobs}. */
export interface ClaimedJobs {
  readonly jobs: ReadonlyArray<Job>
  /**
   * The next due time (ms) in these lanes, not after `now` if due jobs are left: of subjects at their limit, or locked
   * by another transaction. Null if none was found until `nextDueUntil`, or if the claim reached the limit of a lane.
   */
  readonly nextDueAt: Instant | null
  /**
   * By lane, the time (ms) below which the claim left no due job from `dueFrom` on, except of the subjects `except` and
   * `behind`. Absent from adapters that ignore bounds.
   */
  readonly clearedTo?: ReadonlyMap<Lane, Instant>
}

/**
 * Request for the next slot of a slot queue (GCRA): at most `burst` at once, then `messages` in each `per` ms
 * (docs/reference/sends.md#slot-reservation).
 */
export interface Reservation {
  /** Key of the slot queue. */
  readonly key: string
  readonly messages: number
  readonly per: number
  readonly burst: number
  /** In virtual time (ms) of the slot queue, which may stand still but never runs faster than the clock. */
  readonly now: Instant
  /**
   * Lag of virtual time behind the clock, in ms. The adapter uses it to keep the row until its last slot has passed.
   */
  readonly behind: number
}

/**
 * Upper bound of job counts in {@link QueueDepth}. A count equal to it means this many or more; it bounds the cost of
 * counting.
 */
export const maxCounted = 20_000

/**
 * Request for {@link Storage.postponeJobs}: moves the waiting jobs of one subject to the times in their payloads, which
 * are in virtual time (docs/reference/queue.md#postponed-jobs).
 */
export interface PostponeJobs {
  readonly lane: Lane
  readonly subject: string
  /** Payload field with the job's time in virtual time (ms). Jobs without it are not changed. */
  readonly field: string
  /** Lag of virtual time behind the clock, in ms. */
  readonly behind: number
  /** Lower bound of the new due times, in ms. */
  readonly notBefore: Instant
  /** Only jobs whose present due time is before this time (ms). */
  readonly dueBefore: Instant
  /** Maximum number of jobs, in due order. */
  readonly limit: number
}

/** Number of jobs of a lane by state, each at most {@link maxCounted}. */
export interface QueueDepth {
  readonly lane: Lane
  /** Claimable now. */
  readonly due: number
  /** Leased to a process. */
  readonly leased: number
  /** Unleased with a future `runAt`, such as a retry. */
  readonly waiting: number
  /** Due time (ms) of the oldest due job; null if none is due. */
  readonly oldestDueAt: Instant | null
}

/**
 * Maximum number of rows of each kind that {@link Storage.workByApplication} reads, so that it does not block SQLite.
 */
export const maxScanned = 2_000

/** Counts of work. */
export interface Work {
  /** Messages that wait in the queue. */
  readonly queued: number
  /** Messages that a process hands over now. */
  readonly sending: number
  /** Webhook deliveries that wait or run. Those of disabled endpoints have no job. */
  readonly deliveries: number
  readonly parked: number
  /** Failed messages among the newest {@link maxScanned} messages of all applications. */
  readonly failed: number
  /** Endpoints that were disabled by an administrator or by failures. */
  readonly disabledEndpoints: number
  /** Creation time (ms) of the oldest job in `queued` and `sending`; null without one. */
  readonly oldestQueuedAt: Instant | null
}

/** The work of one application; null: of none, such as replies of agents. */
export interface ApplicationWork extends Work {
  readonly applicationId: string | null
}

/** A leased job and the epoch of its claim. */
export interface Lease {
  readonly jobId: string
  readonly epoch: number
}

/** The attempt of a leased job. */
export interface BegunAttempt extends Lease {
  /** The lease's owner. */
  readonly owner: string
  /** Its number, 1-based; a lower number takes it back. */
  readonly attempt: number
}

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
 * queues. `storageContract` of `@parley/testkit` checks an adapter (docs/reference/storage.md).
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
export interface Storage {
  /** Writes all changes or none. Durable when it succeeds with `Committed`. */
  readonly commit: (changes: Changes) => Effect.Effect<CommitOutcome, CommitError>
  /** Runs several lookups in one call. Each sees the database as of a time after the call. */
  readonly read: <Q extends Lookups>(queries: Q) => Effect.Effect<ReadResult<Q>, ReadError>
  /**
   * {@link read} and {@link takeToken} in one call. Both run: a refused token does not skip the read, nor an empty read
   * the token.
   */
  readonly readAndTakeToken: <Q extends Lookups>(
    queries: Q,
    tokenRequest: RateTokenRequest
  ) => Effect.Effect<{ readonly found: ReadResult<Q>; readonly rateToken: RateToken }, ReadError>
  /** Reads one page in descending order of id. */
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
   * Jobs of a lane in the order of claims: by due time, then id. `workspaceId`: null for all. `after`: position of the
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
  /** Refunds a token to the window that opened at `openedAt`. No effect after that window ended. */
  readonly refundToken: (bucket: string, openedAt: Instant) => Effect.Effect<void, ReadError>
  /**
   * Reserves the next slot of a slot queue and returns its virtual time (ms), not before `now`. Always grants a slot.
   * Slots are in the order of the calls, and over any period never exceed burst and rate, over all hosts. A power
   * failure may forget the last reservations.
   */
  readonly reserveSlot: (reservation: Reservation) => Effect.Effect<Instant, ReadError>
  /**
   * Leases due jobs in due order, raises their epoch and, in the lanes of `countsAtClaim`, counts an attempt. A
   * power failure may undo it.
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
   * Counts work by application, of the first {@link maxScanned} jobs of each lane. `applications`: those with the most
   * waiting work, at most `top`. `rest`: the sum of all others and their number; null without others.
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
   * have not ended, and rows of `providerMessages` that have a message. Runs and bot sessions age from their end.
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
