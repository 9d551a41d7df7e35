import type { Changes, TableName } from "@parley/core"
import { uniques } from "@parley/core"
import { anyListed, listedColumns } from "./contactLists.js"
import { getOrMake } from "./getOrMake.js"
import { type Column, columnsOf, type Row, type Table, tableOf, textOf } from "./Tables.js"

/** The rows of one table that the commits of a batch claim: the first commit that inserts a row wins. */
export interface ClaimedTable {
  readonly table: Table
  /** The columns that must be unique. */
  readonly unique: ReadonlyArray<Column>
  /** The first claim of each row, by the text of its unique values. */
  readonly first: Map<string, Row>
}

/** The rows of one table to lock or to check, and the columns to read of them. */
export interface LockedTable {
  readonly table: Table
  /** The key of each row, by its text. */
  readonly keys: Map<string, Row>
  readonly columns: Set<string>
  /** Whether the rows are only checked. */
  unlocked: boolean
}

/** The claims and locks that a batch of commits needs before `settleBatch.ts` can decide it. */
export interface BatchPlan {
  readonly claims: ReadonlyMap<TableName, ClaimedTable>
  readonly locks: ReadonlyMap<TableName, LockedTable>
  /** The tables that the batch writes: all their rows are locked exclusively. */
  readonly written: ReadonlySet<TableName>
}

const uniqueColumns = new Map<TableName, ReadonlyArray<Column>>()

/** The columns that must be unique for a claimed row of this table. */
export const uniqueOf = (table: Table): ReadonlyArray<Column> => {
  const named = (uniques as { readonly [T in TableName]?: ReadonlyArray<string> })[table.name]
  return named === undefined ? table.key : getOrMake(uniqueColumns, table.name, () => columnsOf(table, named))
}

/** The claims of a batch without duplicates, and every row to lock with the columns to read. */
export const planBatch = (batch: ReadonlyArray<Changes>): BatchPlan => {
  const claims = new Map<TableName, ClaimedTable>()
  const locks = new Map<TableName, LockedTable>()
  const written = new Set<TableName>()

  const lock = (name: TableName, key: Row, unlocked = false): LockedTable => {
    const locked = getOrMake(locks, name, (): LockedTable => {
      const table = tableOf(name)
      return { table, keys: new Map(), columns: new Set(table.key.map((column) => column.name)), unlocked }
    })
    getOrMake(locked.keys, textOf(locked.table.key, key), () => key)
    if (!unlocked) locked.unlocked = false
    return locked
  }

  /** Lists are updated from the contact's former values. */
  const lockListed = (key: Row) => {
    const { columns } = lock("contacts", key)
    for (const column of listedColumns) columns.add(column)
  }

  for (const changes of batch) {
    for (const claim of changes.claims) {
      const claimed = getOrMake(claims, claim.table, (): ClaimedTable => {
        const table = tableOf(claim.table)
        return { table, unique: uniqueOf(table), first: new Map() }
      })
      const row = claim.row as unknown as Row
      getOrMake(claimed.first, textOf(claimed.unique, row), () => row)
    }
    for (const expected of changes.expects) {
      const locked = lock(expected.table, expected.key as Row, expected.unlocked)
      for (const column of Object.keys(expected.where)) locked.columns.add(column)
    }
    for (const set of changes.sets) {
      written.add(set.table)
      if (tableOf(set.table).hasVersion) lock(set.table, set.key as Row).columns.add("version")
      if (set.table === "contacts" && anyListed(Object.keys(set.values))) lockListed(set.key as Row)
    }
    for (const { key, table } of changes.deletes) {
      written.add(table)
      if (table === "contacts") lockListed(key as Row)
    }
    for (const bump of changes.bumps) {
      written.add(bump.table)
      const locked = lock(bump.table, { id: bump.id })
      for (const column in bump.greatest) locked.columns.add(column)
      for (const column in bump.add) locked.columns.add(column)
      for (const column in bump.reset) locked.columns.add(column)
    }
    if (changes.settle !== null) {
      written.add("jobs")
      lock("jobs", { id: changes.settle.jobId }).columns.add("epoch")
    }
  }
  return { claims, locks, written }
}
