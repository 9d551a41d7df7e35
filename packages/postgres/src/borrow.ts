import type Pg from "pg"
import type { CallersPool } from "./CallersPool.js"

const ended = "the pool was ended. Give Parley an open pool, and end it only after parley.close()"
const inTransaction =
  "the pool gave a connection with an open transaction: release a client only after COMMIT or ROLLBACK"

/**
 * Takes a connection out of a caller's pool. What is set on it would reach the caller: close it by `release(true)` and
 * do not release it otherwise. Rejects after `timeoutMs`.
 */
export const borrow = async (pool: CallersPool, timeoutMs: number): Promise<Pg.PoolClient> => {
  if (pool.ending) throw new Error(ended)
  const connected = pool.connect() as Promise<Pg.PoolClient>
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, null)
  })
  const client = await Promise.race([connected, late]).finally(() => clearTimeout(timer))
  if (client === null) {
    // Unchanged, so that it can go back.
    connected.then((late) => late.release()).catch(() => {})
    throw new Error(`the pool had no free connection for ${timeoutMs} ms: all ${pool.options.max} are in use`)
  }
  const status = (client as { readonly getTransactionStatus?: () => string | null }).getTransactionStatus?.() ?? "I"
  if (status !== "I") {
    client.release(true)
    throw new Error(inTransaction)
  }
  const driver = client as unknown as { pipeline?: boolean; binary?: boolean }
  driver.binary = false
  // Drivers without it send the next statement after the reply to the previous one.
  if (driver.pipeline !== undefined) driver.pipeline = true
  return client
}
