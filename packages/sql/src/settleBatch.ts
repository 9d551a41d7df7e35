import { type Changes, CommitOutcome, type TableName } from "@parley/core"
import { anyListed, type ContactChange } from "./contactLists.js"
import { getOrMake, push } from "./getOrMake.js"
import { type BatchPlan, uniqueOf } from "./planBatch.js"
import { columnsOf, type Row, type Table, tableOf, textOf } from "./Tables.js"

/** The database's rows after the claims of a batch were inserted and its rows were locked. */
export interface World {
  /** By table, the unique texts of the claims that were inserted; the other claims are lost. */
  readonly claimed: ReadonlyMap<TableName, ReadonlySet<string>>
  /** By table and key text, the locked rows. */
  readonly rows: ReadonlyMap<TableName, ReadonlyMap<string, Row>>
  /** By table, the key texts of rows that another transaction has locked. */
  readonly skipped: ReadonlyMap<TableName, ReadonlySet<string>>
}

/** Rows of one table that get new values in the same columns. */
export interface Update {
  readonly table: Table
  readonly columns: ReadonlyArray<string>
  readonly rows: Array<Row>
}

/** The remaining writes of a batch, in the order in which they are executed. */
export interface Writes {
  /** Keys of rows to delete, including inserted claims whose commits lost. */
  readonly deletes: Map<TableName, Array<Row>>
  readonly inserts: Map<TableName, Array<Row>>
  readonly ensures: Map<TableName, Array<Row>>
  /** Final values, by table and columns. */
  readonly updates: Map<string, Update>
  /** Stored contacts whose lists may change. */
  readonly relisted: Array<ContactChange>
}

/** An outcome. `Deferred`: the commit needs a row that another transaction has locked, and was skipped. */
export type Settled = CommitOutcome | { readonly _tag: "Deferred" }

export interface SettledBatch {
  readonly outcomes: ReadonlyArray<Settled>
  readonly writes: Writes
}

const deferred: Settled = { _tag: "Deferred" }
const fenced = CommitOutcome.Fenced()

/** A row that the batch locked or claimed. */
interface State {
  readonly table: Table
  /** The row as stored; null: it does not exist. */
  readonly stored: Row | null
  /** The row after the commits so far; null: deleted, or not claimed by a commit yet. */
  values: Row | null
  /** The row from which `values` was copied. */
  base: Row | null
  changed: Set<string> | null
}

/** A row that exists after the commits so far. */
type Present = State & { values: Row }

const nameOf = (table: Table, text: string) => `${table.name}:${text}`

/**
 * Decides a batch in memory, commit by commit: each sees the effects of the committed ones before it. Returns the
 * outcomes and the final values to write. The result equals that of executing the commits one by one.
 */
export const settleBatch = (batch: ReadonlyArray<Changes>, plan: BatchPlan, world: World): SettledBatch => {
  const states = new Map<TableName, Map<string, State>>()
  /**
   * For claims on unique columns other than the key: the row that holds the unique values that the database inserted.
   */
  const holders = new Map<TableName, Map<string, State | null>>()
  const writes: Writes = {
    deletes: new Map(),
    inserts: new Map(),
    ensures: new Map(),
    updates: new Map(),
    relisted: []
  }

  const statesOf = (name: TableName): Map<string, State> => getOrMake(states, name, () => new Map())
  for (const [name, rows] of world.rows) {
    const table = tableOf(name)
    const byKey = statesOf(name)
    for (const [text, row] of rows) byKey.set(text, { table, stored: row, values: row, base: row, changed: null })
  }
  for (const [name, { table, unique, first }] of plan.claims) {
    const inserted = world.claimed.get(name)
    const byKey = statesOf(name)
    const byUnique = new Map<string, State | null>()
    for (const [text, row] of first) {
      if (!inserted?.has(text)) continue
      byUnique.set(text, null)
      // The row is inserted already, and belongs to no commit until one succeeds.
      byKey.set(textOf(table.key, row), { table, stored: row, values: null, base: null, changed: null })
    }
    if (unique !== table.key) holders.set(name, byUnique)
  }
  const stateOf = (name: TableName, text: string): State | undefined => states.get(name)?.get(text)

  const presentOf = (name: TableName, text: string): Present | undefined => {
    const state = stateOf(name, text)
    return state?.values == null ? undefined : (state as Present)
  }

  const isSkipped = (changes: Changes): boolean => {
    const skips = (name: TableName, key: Row) => world.skipped.get(name)?.has(textOf(tableOf(name).key, key)) === true
    return (
      changes.expects.some((expected) => skips(expected.table, expected.key as Row)) ||
      changes.bumps.some((bump) => skips(bump.table, { id: bump.id })) ||
      (changes.settle !== null && skips("jobs", { id: changes.settle.jobId }))
    )
  }

  /** Whether a claim can take its row. `unique` is the text of the unique values. */
  const isFree = (name: TableName, unique: string): boolean => {
    const byUnique = holders.get(name)
    if (byUnique === undefined) return stateOf(name, unique)?.values === null
    const holder = byUnique.get(unique)
    return holder === null || holder?.values === null
  }

  const take = (name: TableName, row: Row) => {
    const table = tableOf(name)
    const state = getOrMake(
      statesOf(name),
      textOf(table.key, row),
      (): State => ({ table, stored: null, values: null, base: null, changed: null })
    )
    state.values = row
    state.base = row
    state.changed = null
    holders.get(name)?.set(textOf(uniqueOf(table), row), state)
  }

  const existing = (name: TableName, key: Row): Present => {
    const state = presentOf(name, textOf(tableOf(name).key, key))
    if (state === undefined) throw new TypeError(`A row of ${name} is changed without being expected`)
    return state
  }

  const bumped = (changes: Changes): ReadonlyArray<{ readonly [column: string]: number }> =>
    changes.bumps.map((bump) => {
      const state = presentOf(bump.table, bump.id)
      if (state === undefined) return {}
      const after: { [column: string]: number } = {}
      const numberIn = (column: string) => state.values[column] as number
      const bumpTo = (column: string, value: number) => {
        if (numberIn(column) !== value) put(state, column, value)
        after[column] = value
      }
      for (const column in bump.greatest) bumpTo(column, Math.max(numberIn(column), bump.greatest[column] as number))
      for (const column in bump.add) bumpTo(column, numberIn(column) + (bump.add[column] as number))
      for (const column in bump.reset) bumpTo(column, bump.reset[column] as number)
      return after
    })

  const apply = (changes: Changes): CommitOutcome => {
    for (const claim of changes.claims) take(claim.table, claim.row as unknown as Row)
    for (const set of changes.sets) {
      const state = existing(set.table, set.key as Row)
      putAll(state, set.values)
      if (state.table.hasVersion) put(state, "version", (state.values.version as number) + 1)
    }
    const after = bumped(changes)
    for (const removal of changes.deletes) {
      const state: State = existing(removal.table, removal.key as Row)
      state.values = null
    }
    for (const insert of changes.inserts) push(writes.inserts, insert.table, insert.row as unknown as Row)
    for (const ensure of changes.ensures) push(writes.ensures, ensure.table, ensure.row as unknown as Row)
    if (changes.settle !== null) {
      const { again, epoch, jobId } = changes.settle
      const state: State = existing("jobs", { id: jobId })
      if (again === null) state.values = null
      else {
        const { failure = null, lane, payload, runAt, subject } = again
        // Raise the epoch, so that a second settlement with the same lease is fenced.
        putAll(state, { runAt, lane, payload, failure, leaseUntil: 0, leaseOwner: null, epoch: epoch + 1 })
        if (subject !== undefined) put(state, "subject", subject)
      }
    }
    return CommitOutcome.Committed({ bumped: after })
  }

  const settle = (changes: Changes): Settled => {
    if (isSkipped(changes)) return deferred
    if (changes.settle !== null && presentOf("jobs", changes.settle.jobId)?.values.epoch !== changes.settle.epoch) {
      return fenced
    }
    const lost: Array<string> = []
    const own = new Set<string>()
    for (const claim of changes.claims) {
      const table = tableOf(claim.table)
      const unique = textOf(uniqueOf(table), claim.row as unknown as Row)
      const name = nameOf(table, unique)
      if (own.has(name) || !isFree(claim.table, unique)) lost.push(name)
      own.add(name)
    }
    for (const expected of changes.expects) {
      const table = tableOf(expected.table)
      const text = textOf(table.key, expected.key as Row)
      const values = presentOf(expected.table, text)?.values
      if (values === undefined || !matches(table, values, expected.where as Row)) lost.push(nameOf(table, text))
    }
    return lost.length > 0 ? CommitOutcome.Conflict({ lost }) : apply(changes)
  }

  const outcomes = batch.map(settle)

  for (const byKey of states.values()) for (const state of byKey.values()) write(state, writes)
  return { outcomes, writes }
}

/** Sets a column. The values are copied before the first write. */
const put = (state: State, column: string, value: unknown) => {
  if (state.changed === null) {
    state.changed = new Set()
    state.values = { ...state.values }
  }
  ;(state.values as Row)[column] = value
  state.changed.add(column)
}

const putAll = (state: State, values: Row) => {
  for (const column in values) put(state, column, values[column])
}

const write = ({ table, stored, values, base, changed }: State, writes: Writes) => {
  if (table.name === "contacts" && stored !== null && (values === null || (changed !== null && anyListed(changed)))) {
    writes.relisted.push({ before: stored, after: values })
  }
  if (base === stored && values !== null) {
    if (changed === null) return
    const columns = [...changed].sort()
    const id = [table.name, ...columns].join()
    getOrMake(writes.updates, id, () => ({ table, columns, rows: [] })).rows.push(values)
    return
  }
  if (stored !== null) push(writes.deletes, table.name, stored)
  if (values !== null) push(writes.inserts, table.name, values)
}

/** Not that of `@parley/memory`, which is the independent oracle of the tests of this one. */
const matches = (table: Table, values: Row, where: Row): boolean => {
  for (const { kind, name } of columnsOf(table, Object.keys(where))) {
    if (kind === "json") throw new TypeError(`${table.name}.${name} cannot be a condition`)
    const wanted = where[name]
    const found = values[name] ?? null
    if (Array.isArray(wanted) ? !wanted.includes(found) : (wanted ?? null) !== found) return false
  }
  return true
}
