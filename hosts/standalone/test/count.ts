import { join } from "node:path"
import Sqlite from "better-sqlite3"
import Pg from "pg"

/** The number of rows of a table, read past the host. */
export const count = async (
  folder: string,
  settings: { readonly [name: string]: string },
  table: string
): Promise<number> => {
  const statement = `SELECT count(*) AS n FROM ${table}`
  const url = settings.PARLEY_DATABASE_URL
  if (url === undefined) {
    const file = new Sqlite(join(folder, "parley.db"), { readonly: true })
    try {
      return (file.prepare(statement).get() as { n: number }).n
    } finally {
      file.close()
    }
  }
  const client = new Pg.Client({ connectionString: url })
  await client.connect()
  try {
    return Number((await client.query(statement)).rows[0].n)
  } finally {
    await client.end()
  }
}
