import { type Changes, CommitOutcome, type TableName } from "@parley/core"
import { columnsOf, type Table, tableOf, textOf, uniqueOf } from "@parley/sql"
import type { MemoryDatabase } from "./MemoryDatabase.js"
import { type Row, storableRow, UnacceptableValue } from "./storableRow.js"

const committed = CommitOutcome.Committed({ bumped: [] })
const fenced = CommitOutcome.Fenced()

/**
 * Carries out a commit at once (docs/reference/commits.md). Throws a `TypeError` and writes nothing if the database
 * would never accept it, or if it changes a row that it does not expect.
 */
export const commit = (database: MemoryDatabase, changes: Changes): CommitOutcome => {
  const { settle } = changes
  if (settle !== null && database.table("jobs").get(settle.jobId)?.epoch !== settle.epoch) return fenced
  const lost = [...lostClaims(database, changes), ...lostExpects(database, changes)]
  return lost.length > 0 ? CommitOutcome.Conflict({ lost }) : write(database, changes)
}

const lostClaims = (database: MemoryDatabase, { claims }: Changes): ReadonlyArray<string> => {
  if (claims.length === 0) return none
  const lost: Array<string> = []
  const own = new Set<string>()
  for (const claim of claims) {
    const table = tableOf(claim.table)
    const row = claim.row as unknown as Row
    const name = `${table.name}:${textOf(uniqueOf(table), row)}`
    if (own.has(name) || database.table(claim.table).isTaken(row)) lost.push(name)
    own.add(name)
  }
  return lost
}

const none: ReadonlyArray<never> = []

const lostExpects = (database: MemoryDatabase, { expects }: Changes): ReadonlyArray<string> => {
  let lost: Array<string> | null = null
  for (const expected of expects) {
    const table = tableOf(expected.table)
    const key = textOf(table.key, expected.key as Row)
    const row = database.table(expected.table).get(key)
    if (row !== undefined && matches(table, row, expected.where as Row)) continue
    lost ??= []
    lost.push(`${table.name}:${key}`)
  }
  return lost ?? none
}

/**
 * Whether a row has these values; a list means one of them. Apart from the `matches` of `@parley/sql`, because this
 * adapter is the independent oracle of its tests.
 */
export const matches = (table: Table, row: Row, where: Row): boolean => {
  for (const name in where) {
    const [column] = columnsOf(table, [name])
    if (column?.kind === "json") throw new TypeError(`${table.name}.${name} cannot be a condition`)
    const wanted = where[name] ?? null
    const found = row[name]
    if (Array.isArray(wanted) ? !wanted.includes(found) : wanted !== found) return false
  }
  return true
}

const write = (database: MemoryDatabase, changes: Changes): CommitOutcome => {
  /** The rows before the commit, in the order of the writes. */
  const undo: Array<() => void> = []
  const store = (name: TableName, row: Row) => {
    const table = database.table(name)
    const key = table.keyOf(row)
    const before = table.get(key)
    undo.push(() => (before === undefined ? table.delete(key) : table.put(before)))
    table.put(row)
  }
  const remove = (name: TableName, key: string) => {
    const table = database.table(name)
    const before = table.get(key)
    if (before === undefined) return
    undo.push(() => table.put(before))
    table.delete(key)
  }
  try {
    const bumped = apply(database, changes, store, remove)
    if (undo.length > 0) database.flush()
    return bumped.length === 0 ? committed : CommitOutcome.Committed({ bumped })
  } catch (error) {
    for (const revert of undo.reverse()) revert()
    throw error
  }
}

const apply = (
  database: MemoryDatabase,
  { bumps, claims, deletes, ensures, expects, inserts, sets, settle }: Changes,
  store: (name: TableName, row: Row) => void,
  remove: (name: TableName, key: string) => void
): ReadonlyArray<{ readonly [column: string]: number }> => {
  const expected = (name: TableName, key: Row): string => {
    const table = tableOf(name)
    const text = textOf(table.key, key)
    const isSame = (one: { readonly table: TableName; readonly key: object }) =>
      one.table === name && textOf(table.key, one.key as Row) === text
    const isClaimed = (claim: Changes["claims"][number]) =>
      claim.table === name && textOf(table.key, claim.row as unknown as Row) === text
    if (!expects.some(isSame) && !claims.some(isClaimed)) {
      throw new TypeError(`A row of ${name} is changed without being expected`)
    }
    return text
  }
  const existing = (name: TableName, key: string): Row => {
    const row = database.table(name).get(key)
    if (row === undefined) throw new TypeError(`A row of ${name} is changed after it was deleted`)
    return row
  }

  for (const claim of claims) store(claim.table, storableRow(tableOf(claim.table), claim.row as unknown as Row))
  for (const set of sets) {
    const table = tableOf(set.table)
    const before = existing(set.table, expected(set.table, set.key as Row))
    const after: { [column: string]: unknown } = { ...before, ...set.values }
    if (table.hasVersion) after.version = (after.version as number) + 1
    const row = storableRow(table, after)
    if (isMoved(table, before, row) && database.table(set.table).isTakenByOther(row)) {
      throw new UnacceptableValue(`the unique values of a row of ${table.name} are taken`)
    }
    store(set.table, row)
  }
  const bumped = bumps.map((bump) => {
    const before = database.table(bump.table).get(bump.id)
    if (before === undefined) return {}
    const after: { [column: string]: unknown } = { ...before }
    const values: { [column: string]: number } = {}
    const put = (column: string, value: number) => {
      after[column] = value
      values[column] = value
    }
    for (const column in bump.greatest) {
      put(column, Math.max(after[column] as number, bump.greatest[column] as number))
    }
    for (const column in bump.add) put(column, (after[column] as number) + (bump.add[column] as number))
    for (const column in bump.reset) put(column, bump.reset[column] as number)
    store(bump.table, storableRow(tableOf(bump.table), after))
    return values
  })
  for (const removal of deletes) {
    const key = expected(removal.table, removal.key as Row)
    existing(removal.table, key)
    remove(removal.table, key)
  }
  if (settle !== null) {
    const job = existing("jobs", settle.jobId)
    if (settle.again === null) remove("jobs", settle.jobId)
    else {
      // Raise the epoch, so that a second settlement with the same lease is fenced.
      const end = { failure: null, ...settle.again, leaseUntil: 0, leaseOwner: null, epoch: settle.epoch + 1 }
      store("jobs", storableRow(tableOf("jobs"), { ...job, ...end }))
    }
  }
  for (const insert of inserts) {
    const row = storableRow(tableOf(insert.table), insert.row as unknown as Row)
    if (database.table(insert.table).isTaken(row)) {
      throw new UnacceptableValue(`a row of ${insert.table} exists already`)
    }
    store(insert.table, row)
  }
  for (const ensure of ensures) {
    const row = storableRow(tableOf(ensure.table), ensure.row as unknown as Row)
    if (!database.table(ensure.table).isTaken(row)) store(ensure.table, row)
  }
  return bumped
}

/** Whether the unique values of a row changed. */
const isMoved = (table: Table, before: Row, after: Row): boolean => {
  const unique = uniqueOf(table)
  return unique !== table.key && unique.some(({ name }) => before[name] !== after[name])
}
