import { query, type Store } from "./Store.js"

/**
 * Number of transactions of a database; a single statement counts as one. Null on SQLite, which does not count them.
 */
export const transactionsOf = async (store: Store): Promise<number | null> => {
  if (store.kind === "sqlite") return null
  // From another database, so that this query does not count.
  const elsewhere = new URL(store.url)
  const name = elsewhere.pathname.slice(1)
  elsewhere.pathname = "postgres"
  const [row] = await query(
    elsewhere.href,
    `SELECT (xact_commit + xact_rollback)::float8 AS transactions FROM pg_stat_database WHERE datname = '${name}'`
  )
  return row.transactions
}
