import type { Instant, Lane, TableName } from "@parley/core"
import { tables } from "@parley/sql"
import type { Queue } from "effect"
import { MemoryTable } from "./MemoryTable.js"

/** The rate window of a bucket. `used`: tokens taken from it. */
export interface Bucket {
  readonly openedAt: Instant
  readonly used: number
}

/** A slot queue. `nextUs`: time of the next message in µs of virtual time. `keptUntil`: in ms of the clock. */
export interface SlotQueue {
  readonly nextUs: number
  readonly keptUntil: Instant
}

/** The subscriptions of one process. */
export interface HintListeners {
  readonly lanes: Set<Queue.Enqueue<ReadonlySet<Lane>>>
  readonly feeds: Set<Queue.Enqueue<ReadonlySet<string>>>
}

/** The state of one database in memory, which engines of one process share, as if they were hosts. */
export interface MemoryDatabase {
  /** The database's clock in ms, which `Storage.check` reports. */
  readonly clock: () => Instant
  readonly table: (name: TableName) => MemoryTable
  readonly buckets: Map<string, Bucket>
  readonly slotQueues: Map<string, SlotQueue>
  /** The processes with a `Wakeup` on this database. */
  readonly processes: Set<HintListeners>
  /** To be called at each durable write: all relaxed writes before it become durable too. */
  readonly flush: () => void
  /** To be called at each relaxed write, with the operation that undoes it. */
  readonly relaxed: (undo: () => void) => void
  /** The number of relaxed writes since the last durable one. */
  readonly relaxedWrites: () => number
  /**
   * Undoes the relaxed writes since the last durable one, except the first `kept`; default 0. Relaxed are rate tokens,
   * reserved slots, postponed jobs and claims of repeatable lanes (docs/reference/storage.md#sqlite-durability). Both
   * databases write one log: a durable write makes everything before it durable, and a power failure cuts the end off.
   */
  readonly powerCut: (kept?: number) => void
  /**
   * A copy with the same rows, which shares them until one of both writes. It has no processes, and all of its writes
   * are durable.
   */
  readonly clone: (clock?: () => Instant) => MemoryDatabase
}

/** Creates an empty database. */
export const makeMemoryDatabase = (options: { readonly clock: () => Instant }): MemoryDatabase =>
  open(options.clock, new Map(tables.map((table) => [table.name, new MemoryTable(table)])), new Map(), new Map())

const open = (
  clock: () => Instant,
  byName: ReadonlyMap<TableName, MemoryTable>,
  buckets: Map<string, Bucket>,
  slotQueues: Map<string, SlotQueue>
): MemoryDatabase => {
  const undoLog: Array<() => void> = []
  return {
    clock,
    table: (name) => byName.get(name) as MemoryTable,
    buckets,
    slotQueues,
    processes: new Set(),
    flush: () => {
      undoLog.length = 0
    },
    relaxed: (undo) => {
      undoLog.push(undo)
    },
    relaxedWrites: () => undoLog.length,
    powerCut: (kept = 0) => {
      while (undoLog.length > kept) undoLog.pop()?.()
      undoLog.length = 0
    },
    clone: (other = clock) => {
      const copies = new Map<TableName, MemoryTable>()
      for (const [name, table] of byName) copies.set(name, table.copy())
      return open(other, copies, new Map(buckets), new Map(slotQueues))
    }
  }
}
