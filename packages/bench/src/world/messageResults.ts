import { rowsOf, type Store } from "./Store.js"

/**
 * What messages leave, without ids and times: these have fixed lengths. Versions of messages are left out, because
 * receipts that the engine applies out of order are one change.
 */
const statements = [
  "SELECT direction, status, count(*) AS n, sum(length(body)) AS size FROM messages GROUP BY 1, 2 ORDER BY 1, 2",
  "SELECT state, status, count(*) AS n, sum(length(body)) AS size FROM idempotency GROUP BY 1, 2 ORDER BY 1, 2",
  "SELECT type, count(*) AS n, sum(length(data)) AS size, sum(length(raw)) AS raw FROM events GROUP BY 1 ORDER BY 1",
  "SELECT status, attempts, round, version, count(*) AS n FROM deliveries GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4",
  "SELECT number, status, count(*) AS n FROM attempts GROUP BY 1, 2 ORDER BY 1, 2",
  "SELECT count(*) AS n, count(message_id) AS known FROM provider_messages",
  "SELECT count(*) AS n, sum(CASE WHEN last_activity_at > created_at THEN 1 ELSE 0 END) AS active FROM contacts",
  "SELECT facet, count(*) AS n FROM contact_facets GROUP BY 1 ORDER BY 1",
  "SELECT facet, sum(n) AS n FROM contact_counts GROUP BY 1 ORDER BY 1",
  "SELECT count(*) AS n, sum(length(search_key)) AS size FROM contact_search",
  "SELECT count(*) AS n FROM conversations WHERE last_inbound_at > 0",
  "SELECT lane, count(*) AS n FROM jobs GROUP BY 1 ORDER BY 1"
]

/** The rows and statuses that messages left in a database, to compare those of two programs. */
export const messageResults = async (store: Store): Promise<string> => {
  const found: Array<string> = []
  for (const statement of statements) {
    for (const row of await rowsOf(store, statement)) {
      found.push(
        Object.entries(row as object)
          .map(([name, value]) => `${name} ${value}`)
          .join(", ")
      )
    }
  }
  return found.join("\n")
}

/** Fails if two programs that handled equally many messages left different rows. */
export const compareResults = async (one: Store, other: Store): Promise<void> => {
  const [expected, found] = [await messageResults(one), await messageResults(other)]
  if (expected !== found)
    throw new Error(`The program by hand left other rows:\n${found}\nand the engine:\n${expected}`)
}
