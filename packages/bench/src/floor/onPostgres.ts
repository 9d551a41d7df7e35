import Pg from "pg"
import type { InTransaction, Query } from "./Query.js"

/**
 * Interactive transactions on a pool of 16 connections, with statements prepared once per connection, or every time.
 */
export const onPostgres = (url: string, prepares: "once" | "every time" = "once"): InTransaction => {
  const pool = new Pg.Pool({ connectionString: url, max: 16 })
  const texts = new Map<string, string>()
  const textOf = ({ name, text }: Query): string => {
    let numbered = texts.get(name)
    if (numbered === undefined) {
      let n = 0
      numbered = text.replace(/\?/g, () => `$${++n}`)
      texts.set(name, numbered)
    }
    return numbered
  }
  return async (statements) => {
    const client = await pool.connect()
    try {
      await client.query("BEGIN")
      let step = statements.next()
      while (!step.done) {
        const { name, values } = step.value
        const query = { text: textOf(step.value), values: [...values] }
        const { rows } = await client.query(prepares === "once" ? { name, ...query } : query)
        step = statements.next(rows)
      }
      await client.query("COMMIT")
      return step.value
    } catch (error) {
      await client.query("ROLLBACK")
      throw error
    } finally {
      client.release()
    }
  }
}
