import { randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import { expect, it, vi } from "@effect/vitest"
import { freshPostgres } from "@parley/testkit/databases"
import { type SQL, sql } from "drizzle-orm"
import { drizzle } from "drizzle-orm/node-postgres"
import { Effect } from "effect"
import { CompiledQuery, Kysely, PostgresDialect } from "kysely"
import Pg from "pg"
import type { CallersTransaction, EnqueueRequest } from "../src/index.js"
import { makeShop, withParley } from "./shop.js"

type Enqueue = (transaction: CallersTransaction) => Promise<unknown>

/** The adapter of docs/embed.md#sending-in-your-own-transaction. */
const adapter = (tx: { execute: (query: SQL) => PromiseLike<unknown> }) => ({
  query: (text: string, values: Array<unknown>) => {
    const parts = text
      .split(/\$(\d+)/)
      .map((part, at) => (at % 2 === 0 ? sql.raw(part) : sql.param(values[Number(part) - 1])))
    return tx.execute(sql.join(parts))
  }
})

const inDrizzle = (pool: Pg.Pool, enqueue: Enqueue) =>
  drizzle(pool).transaction(async (tx) => {
    await enqueue(adapter(tx))
  })

const inKysely = (pool: Pg.Pool, enqueue: Enqueue) =>
  new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    .transaction()
    .execute((trx) => enqueue({ query: (text, values) => trx.executeQuery(CompiledQuery.raw(text, values)) }))

it.each([
  ["Drizzle on a pool", inDrizzle],
  ["Kysely", inKysely]
])("a request in a transaction of %s is sent if it is committed", (_, inTransaction) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(freshPostgres, (url) =>
        Effect.promise(() =>
          withParley(
            { storage: { url }, secretKey: randomBytes(32).toString("base64"), blobs: { folder: tmpdir() } },
            async (parley) => {
              const { applicationId: application } = await makeShop(parley)
              const pool = new Pg.Pool({ connectionString: url })
              const request: EnqueueRequest = {
                application,
                send: { channel: "email", to: "ada@example.com", type: "text", message: { subject: "1", body: "Sent" } }
              }
              const ids: Array<string> = []
              const enqueue: Enqueue = async (transaction) => ids.push((await parley.enqueue(transaction, request)).id)
              await expect(
                inTransaction(pool, async (transaction) => {
                  await enqueue(transaction)
                  throw new Error("rolled back")
                })
              ).rejects.toThrow("rolled back")
              await inTransaction(pool, enqueue)
              const [rolledBack = "", committed = ""] = ids
              await vi.waitFor(
                async () => expect((await parley.enqueued(application, committed)).status).toBe("accepted"),
                { timeout: 30_000 }
              )
              await expect(parley.enqueued(application, rolledBack)).rejects.toMatchObject({ code: "not_found" })
              await pool.end()
            }
          )
        )
      )
    )
  )
)
