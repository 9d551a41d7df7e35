import { Effect } from "effect"
import type { TableName, Tables } from "./Changes.js"
import type { ReadError } from "./StorageErrors.js"

/**
 * Selects all rows of a table with these column values, without a limit. Null matches null. Ids match in either case; a
 * value that the column cannot hold matches nothing. An index must serve the lookup, and few rows may match.
 */
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

export type AnyLookup = { readonly [T in TableName]: Lookup<T> }[TableName]

/** Named lookups. Null skips a lookup. */
export interface Lookups {
  readonly [name: string]: AnyLookup | null
}

/** Result of {@link RowReader.read}: the rows of each named lookup, in no particular order. Empty for a null lookup. */
export type ReadResult<Q> = {
  readonly [N in keyof Q]: NonNullable<Q[N]> extends Lookup<infer T> ? ReadonlyArray<Tables[T]> : never
}

/** Batched reads of rows: what rules and helpers need of the port `Storage`. */
export interface RowReader {
  /** Runs several lookups in one call. Each sees the database as of a time after the call. */
  readonly read: <Q extends Lookups>(queries: Q) => Effect.Effect<ReadResult<Q>, ReadError>
}

/** Reads one row by id; undefined if the row or the id is absent. */
export const readById = <T extends TableWithId>(
  storage: RowReader,
  from: T,
  id: string | null | undefined
): Effect.Effect<Tables[T] | undefined, ReadError> =>
  Effect.map(
    storage.read({ found: lookupById(from, id) as AnyLookup | null }),
    ({ found }) => found[0] as Tables[T] | undefined
  )

/** Reads rows of several tables by id, with one read. Returns them by id, without those that are absent. */
export const readByIds = <T extends TableWithId>(
  storage: RowReader,
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
