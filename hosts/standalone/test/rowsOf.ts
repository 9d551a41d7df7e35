import { join } from "node:path"
import Sqlite from "better-sqlite3"
import Pg from "pg"

/** What a statement on a host's database answers, past the host. */
export const rowsOf = async (
  folder: string,
  settings: { readonly [name: string]: string },
  statement: string
): Promise<ReadonlyArray<any>> => {
  const url = settings.PARLEY_DATABASE_URL
  if (url === undefined) {
    const file = new Sqlite(join(folder, "parley.db"))
    try {
      const prepared = file.prepare(statement)
      if (prepared.reader) return prepared.all()
      prepared.run()
      return []
    } finally {
      file.close()
    }
  }
  const client = new Pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
