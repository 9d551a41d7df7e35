import { rowsOf, type Store } from "./Store.js"

/** What stories leave, without ids and times: these have fixed lengths. */
const statements = [
  "SELECT status, direction, version, count(*) AS n, sum(length(body)) AS size FROM messages GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
  "SELECT state, status, count(*) AS n, sum(length(body)) AS size FROM idempotency GROUP BY 1, 2 ORDER BY 1, 2",
  "SELECT type, count(*) AS n, sum(length(data)) AS size FROM events GROUP BY 1 ORDER BY 1",
  "SELECT status, attempts, round, version, count(*) AS n FROM deliveries GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4",
  "SELECT number, status, count(*) AS n FROM attempts GROUP BY 1, 2 ORDER BY 1, 2",
  "SELECT count(*) AS n, count(message_id) AS known FROM provider_messages",
  "SELECT count(*) AS n, sum(CASE WHEN last_activity_at > created_at THEN 1 ELSE 0 END) AS active FROM contacts",
  "SELECT lane, count(*) AS n FROM jobs GROUP BY 1 ORDER BY 1"
]

/** The rows and statuses that stories left in a database, to compare those of two programs. */
export const storyResults = async (store: Store): Promise<string> => {
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

/** Fails if two programs that told equally many stories left different rows. */
export const compareStories = async (one: Store, other: Store): Promise<void> => {
  const [expected, found] = [await storyResults(one), await storyResults(other)]
  if (expected !== found)
    throw new Error(`The program by hand left other rows:\n${found}\nand the engine:\n${expected}`)
}
