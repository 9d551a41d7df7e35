import { Context, Data, Effect } from "effect"
import type { Contact, LifecycleStage } from "../contacts/Contact.js"
import type { Conversation, ConversationStatus } from "../conversations/Conversation.js"
import type { Instant } from "../Instant.js"
import type { Template } from "../templates/Template.js"
import type { Job, Lane } from "../worker/Job.js"
import type { Changes, Condition, TableName, Tables } from "./Changes.js"

/** The storage cannot be reached. Nothing was written; the call may be repeated once it is back. */
export class StorageUnavailable extends Data.TaggedError("StorageUnavailable")<{ readonly cause: unknown }> {
  override get message(): string {
    return `the storage cannot be reached: ${reasonOf(this.cause)}`
  }
}

/** The innermost message: drivers wrap what went wrong. */
const reasonOf = (cause: unknown): string =>
  !(cause instanceof Error) ? String(cause) : cause.cause instanceof Error ? reasonOf(cause.cause) : cause.message

/** The storage has more to do than it can queue, or a row stayed locked. Nothing was written; repeat it later. */
export class StorageBusy extends Data.TaggedError("StorageBusy")<{ readonly reason: string }> {
  override get message(): string {
    return `the storage is busy: ${this.reason}`
  }
}

/** The storage refuses this data whatever the moment. Nothing was written; repeating it is useless. */
export class ChangesRejected extends Data.TaggedError("ChangesRejected")<{ readonly cause: unknown }> {}

/** The connection was lost inside COMMIT and what became of it could not be learned. Committing again is harmless. */
export class CommitUncertain extends Data.TaggedError("CommitUncertain")<{ readonly cause: unknown }> {}

export type ReadError = StorageUnavailable | StorageBusy
export type CommitError = StorageUnavailable | StorageBusy | ChangesRejected | CommitUncertain

/** What a commit came to. `Conflict` and `Fenced` wrote nothing. */
export type CommitOutcome = Data.TaggedEnum<{
  /** Durably written. `bumped`: the values after each bump, in the order of `Changes.bumps`; empty for a row that is gone. */
  Committed: { readonly bumped: ReadonlyArray<{ readonly [column: string]: number }> }
  /** A claim was taken or an expectation did not hold: load and decide again. `lost` names the keys. */
  Conflict: { readonly lost: ReadonlyArray<string> }
  /** The lease of the job to settle is gone: somebody else has the job. */
  Fenced: Record<never, never>
}>
export const CommitOutcome = Data.taggedEnum<CommitOutcome>()

/** All rows of a table that have these values: at most a few, found by an index. */
export interface Lookup<T extends TableName> {
  readonly from: T
  readonly where: { readonly [K in keyof Tables[T]]?: Tables[T][K] }
}
export const lookup = <T extends TableName>(from: T, where: Lookup<T>["where"]): Lookup<T> => ({ from, where })

/** The tables whose rows have an `id`. */
export type TableWithId = {
  readonly [T in TableName]: Tables[T] extends { readonly id: string } ? T : never
}[TableName]

/** The row of this id; null where there is none to look up. */
export const lookupById = <T extends TableWithId>(from: T, id: string | null | undefined): Lookup<T> | null =>
  id == null ? null : lookup(from, { id } as unknown as Lookup<T>["where"])

/** Reads the row of this id alone: undefined where there is none, or no id. */
export const readById = <T extends TableWithId>(
  storage: Pick<Storage, "read">,
  from: T,
  id: string | null | undefined
): Effect.Effect<Tables[T] | undefined, ReadError> =>
  Effect.map(
    storage.read({ found: lookupById(from, id) as AnyLookup | null }),
    ({ found }) => found[0] as Tables[T] | undefined
  )

export type AnyLookup = { readonly [T in TableName]: Lookup<T> }[TableName]

/** Named lookups; null where there is nothing to look up. */
export interface Lookups {
  readonly [name: string]: AnyLookup | null
}

/** What {@link Storage.read} answers to named lookups: the rows of each, in no particular order; none for null. */
export type Found<Q> = {
  readonly [N in keyof Q]: NonNullable<Q[N]> extends Lookup<infer T> ? ReadonlyArray<Tables[T]> : never
}

/** A list by id, newest first. */
export interface Page<T extends TableName> {
  readonly from: T
  readonly where: Condition<T>
  /** Only rows after this one: with a lower id. */
  readonly after: string | null
  /** Only rows whose ids were made at this moment or later; absent where it is not used. */
  readonly since?: Instant
  readonly limit: number
}

/** Which contacts of a workspace; null where a filter is not used. */
export interface ContactFilter {
  readonly workspaceId: string
  /** Plain characters, folded, that the search key has anywhere. */
  readonly search: string | null
  readonly lifecycleStage: LifecycleStage | null
  /** As the workspace spells it. */
  readonly tag: string | null
  /** Contacts with an identity on this channel. */
  readonly channel: string | null
  /** Strictly later. */
  readonly createdAfter: Instant | null
}

/** Which templates of a workspace; null where a filter is not used. */
export interface TemplateFilter {
  readonly workspaceId: string
  readonly language: string | null
  readonly status: Template["status"] | null
}

/** Which conversations; null where a filter is not used. */
export interface ConversationFilter {
  /** Of these connections only; null: of any, where a contact or who has them is named. */
  readonly connectionIds: ReadonlyArray<string> | null
  readonly contactId: string | null
  readonly status: ConversationStatus | null
  /** Absent where they are not used. */
  readonly workspaceId?: string
  readonly assignedUserId?: string
  readonly assignedTeamId?: string
}

/** One page of a list that is walked by number. */
export interface Slice<Row> {
  readonly rows: ReadonlyArray<Row>
  /** How many there are on all pages, exactly. */
  readonly total: number
}

/** A draw of one token from a bucket: a fixed window that opens with the first draw in it (decisions.md §4). */
export interface Draw {
  readonly bucket: string
  readonly limit: number
  readonly windowMs: number
  readonly now: Instant
}

/** What a draw came to, and the bucket after it. */
export interface Drawn {
  readonly granted: boolean
  readonly limit: number
  readonly remaining: number
  /** When the window opened; names it, so that a token is given back to its own window only. */
  readonly openedAt: Instant
  readonly resetAt: Instant
}

/** A wish for work: up to `limit` due jobs of each lane. */
export interface ClaimJobs {
  readonly now: Instant
  readonly owner: string
  readonly leaseMs: number
  /** Whether to tell when the next job is due, where none is now. Default: true. */
  readonly asksNext?: boolean
  readonly lanes: ReadonlyArray<{
    readonly lane: Lane
    readonly limit: number
    /** The most jobs of one subject that may be claimed now. */
    readonly perSubject: number
    /** Subjects that have all they may have. */
    readonly except: ReadonlyArray<string>
  }>
}

/** A wish for the next slot of a line that moves at a rate: at most `burst` at once, and `messages` in each `per` ms after that. */
export interface Reservation {
  /** Names the line. */
  readonly key: string
  readonly messages: number
  readonly per: number
  readonly burst: number
  /** By the line's own time, which may stand still at times but never runs faster than the clock. */
  readonly now: Instant
  /** How far the line's own time is behind the clock, in ms: by the clock it is told how long a line matters. */
  readonly behind: number
}

/** How far the jobs of a lane are counted: beyond, it is this many or more, so that a long queue costs no more. */
export const mostCounted = 20_000

/**
 * Jobs of one subject that wait for times of its own, by a clock that stands still now and then: by what is known of it now,
 * those that would come too early.
 */
export interface PostponeJobs {
  readonly lane: Lane
  readonly subject: string
  /** What in a job's payload names its time by the subject's own clock; jobs without it are left alone. */
  readonly field: string
  /** How far that clock is behind, in ms. */
  readonly behind: number
  /** None of them is due before. */
  readonly notBefore: Instant
  /** Only jobs that would be due before this moment: the others may learn of it later. */
  readonly dueBefore: Instant
  /** The most that are postponed, the first ones. */
  readonly limit: number
}

/** How much work a lane has; numbers of jobs, each at most {@link mostCounted}. */
export interface QueueDepth {
  readonly lane: Lane
  /** Could be claimed now. */
  readonly due: number
  /** Some process works on it. */
  readonly leased: number
  /** Its time is yet to come: a retry, a later step. */
  readonly waiting: number
  /** Since when the oldest of those that are due is; null where none is. */
  readonly oldestDueAt: Instant | null
}

/** A job and the claim under which it is held. */
export interface Lease {
  readonly jobId: string
  readonly epoch: number
}

/**
 * Where everything is kept: one write, a few reads, and the verbs of the queue and the rate buckets. Every time is given
 * as a parameter; the adapter has no clock.
 */
export interface Storage {
  /** Writes all of it or nothing, durably before it answers. */
  readonly commit: (changes: Changes) => Effect.Effect<CommitOutcome, CommitError>
  /** Several lookups in one go, each as of a moment after the call. */
  readonly read: <Q extends Lookups>(queries: Q) => Effect.Effect<Found<Q>, ReadError>
  /** {@link read} and {@link takeToken} in one go, whatever either comes to. */
  readonly readAndTakeToken: <Q extends Lookups>(
    queries: Q,
    draw: Draw
  ) => Effect.Effect<{ readonly found: Found<Q>; readonly drawn: Drawn }, ReadError>
  /** One page of a list. */
  readonly list: <T extends TableName>(page: Page<T>) => Effect.Effect<ReadonlyArray<Tables[T]>, ReadError>
  /** The same with some of the columns alone, where the others may be large. */
  readonly listColumns: <T extends TableName, C extends keyof Tables[T] & string>(
    page: Page<T>,
    columns: ReadonlyArray<C>
  ) => Effect.Effect<ReadonlyArray<Pick<Tables[T], C>>, ReadError>
  /** Contacts by name key, then id. */
  readonly listContacts: (
    filter: ContactFilter,
    page: { readonly offset: number; readonly limit: number }
  ) => Effect.Effect<Slice<Contact>, ReadError>
  /** Templates by name, in the order of their code points, then id. */
  readonly listTemplates: (
    filter: TemplateFilter,
    page: { readonly offset: number; readonly limit: number }
  ) => Effect.Effect<Slice<Template>, ReadError>
  /** Conversations by last activity, then id, newest first: those after a place, null for the first. */
  readonly listConversations: (
    filter: ConversationFilter,
    after: Pick<Conversation, "lastActivityAt" | "id"> | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Conversation>, ReadError>
  /** Draws a token, exactly over any number of hosts: never more than the limit in one window. */
  readonly takeToken: (draw: Draw) => Effect.Effect<Drawn, ReadError>
  /** Gives a token back to the window it came from; does nothing once that window is over. */
  readonly giveBackToken: (bucket: string, openedAt: Instant) => Effect.Effect<void, ReadError>
  /**
   * Reserves the next slot of a line: by its own time, not before `now`. It is always granted, and slots are handed out in
   * the order of the calls; exact over any number of hosts: never more than `burst` and the rate allow over any time. A power
   * cut may forget what was reserved in its last moments.
   */
  readonly reserveSlot: (reservation: Reservation) => Effect.Effect<Instant, ReadError>
  /**
   * Leases due jobs: raises their epoch and counts the attempt. Where none are due, `nextDueAt` is when the next one of these
   * lanes will be, null if there is none or if it was not asked.
   */
  readonly claimJobs: (
    wish: ClaimJobs
  ) => Effect.Effect<{ readonly jobs: ReadonlyArray<Job>; readonly nextDueAt: Instant | null }, ReadError>
  /** Prolongs leases; answers those that are lost. */
  readonly renewLeases: (leases: ReadonlyArray<Lease>, until: Instant) => Effect.Effect<ReadonlyArray<Lease>, ReadError>
  /** Gives jobs back that were not begun: their attempt is uncounted, and anybody may claim them at once. */
  readonly releaseLeases: (leases: ReadonlyArray<Lease>, now: Instant) => Effect.Effect<void, ReadError>
  /** Postpones jobs that nobody works on, and never makes one due earlier. A power cut may undo it. */
  readonly postponeJobs: (postponed: PostponeJobs) => Effect.Effect<void, ReadError>
  /** Counts the jobs of every lane, also of those without any; no lease ends later than `leaseMs` from now. */
  readonly queueDepths: (now: Instant, leaseMs: number) => Effect.Effect<ReadonlyArray<QueueDepth>, ReadError>
  /**
   * Deletes up to `limit` rows of history older than `before`; answers how many went. Runs and dialogues of bots count from
   * their end, and stay until then; of what providers call their messages, only what no message is known of goes.
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
      | "attempts"
      | "requestLog"
      | "notifications"
      | "unknownEvents"
      | "providerMessages"
      | "workflowRuns"
      | "botSessions",
    before: Instant,
    limit: number
  ) => Effect.Effect<number, ReadError>
  /** Answers when the storage is reachable and its schema is the one this code was written for; else says what is not. */
  readonly check: Effect.Effect<{ readonly clock: Instant }, StorageUnavailable>
}

export const Storage = Context.GenericTag<Storage>("@parley/core/Storage")
