import { randomBytes } from "node:crypto"
import { tmpdir } from "node:os"
import { describe, expect, it, vi } from "@effect/vitest"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { Effect } from "effect"
import Pg from "pg"
import { createParley, migrate, type ParleyOptions, recountContacts } from "../src/index.js"
import { email, makeShop, quiet } from "./shop.js"

const secretKey = randomBytes(32).toString("base64")
const common: Omit<ParleyOptions, "storage"> = { ...quiet, secretKey, blobs: { folder: tmpdir() } }

/** Runs a test with the pool of an application that has tables of its own, named like those of Parley. */
const withPool = (test: (pool: Pg.Pool, url: string) => Promise<void>) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(freshPostgres, (url) =>
        Effect.promise(async () => {
          await Effect.runPromise(
            adminQuery(
              url,
              "CREATE TABLE messages (id int); CREATE TABLE contacts (id int); CREATE TABLE jobs (id int)"
            )
          )
          const pool = new Pg.Pool({ connectionString: url, max: 16 })
          // Errors of idle connections. `pool.end` does not wait for their end, so the drop of the database may be one.
          pool.on("error", () => {})
          try {
            await test(pool, url)
          } finally {
            if (!pool.ending) await pool.end()
          }
        })
      )
    )
  )

/** Long enough for a busy machine. */
const waiting = { timeout: 20_000 }

describe("a pool of the application", () => {
  it("carries two engines in schemas of their own, beside the application's tables", () =>
    withPool(async (pool) => {
      const engines = await Promise.all(
        ["parley_eu", "parley_us"].map((schema) =>
          createParley({ ...common, storage: { pool, schema, maxConnections: 3 } })
        )
      )
      for (const [n, parley] of engines.entries()) {
        const { applicationId, workspaceId } = await makeShop(parley)
        // In one transaction with rows of the application, once for each engine.
        const client = await pool.connect()
        await client.query("BEGIN")
        await client.query("INSERT INTO messages VALUES ($1)", [n])
        const { id } = await parley.enqueue(client, { application: applicationId, send: email("ada@acme.example") })
        await client.query("COMMIT")
        client.release()
        await vi.waitFor(async () =>
          expect(await parley.enqueued(applicationId, id)).toMatchObject({ status: "accepted" })
        )
        const path = `/messages?workspace_id=${workspaceId}`
        const { data } = await parley.admin.request<{ data: ReadonlyArray<unknown> }>("GET", path)
        expect(data).toHaveLength(1)
      }
      for (const [n, parley] of engines.entries()) {
        const { data } = await parley.admin.workspaces.list()
        expect([n, data]).toEqual([n, [expect.objectContaining({ name: "Acme" })]])
      }
      const { rows } = await pool.query("SELECT count(*)::int AS theirs FROM messages")
      expect(rows).toEqual([{ theirs: 2 }])

      for (const parley of engines) await parley.close()
      expect(pool.ending).toBe(false)
      expect(pool.totalCount).toBe(pool.idleCount)
      await pool.query("SELECT 1")
    }))

  it("is migrated and recounted by a separate step", () =>
    withPool(async (pool) => {
      const storage = { pool, schema: "parley" }
      await expect(createParley({ ...common, storage: { ...storage, migrate: false } })).rejects.toThrow(
        /^The database cannot be used \(storage\.pool: schema parley\): there is no schema "parley"\. The migrations create it/
      )
      await migrate(storage)
      expect(await recountContacts(storage)).toEqual({ wrongCounts: 0 })
      const parley = await createParley({ ...common, storage: { ...storage, migrate: false } })
      expect(await parley.readiness()).toEqual({ ready: true })
      await parley.close()
      await expect(migrate({ ...storage, schema: "Parley" })).rejects.toThrow(
        /storage\.schema must be the name of a schema/
      )
    }))

  it("was ended", () =>
    withPool(async (pool) => {
      await pool.end()
      await expect(createParley({ ...common, storage: { pool, schema: "parley" } })).rejects.toThrow(
        /storage\.pool: schema parley\): the pool was ended\. Give Parley an open pool/
      )
    }))

  it("is ended while Parley runs: each call says so, and what was accepted stays", () =>
    withPool(async (pool, url) => {
      const logged: Array<string> = []
      const parley = await createParley({
        ...common,
        logger: (entry) => logged.push(JSON.stringify(entry)),
        worker: false,
        storage: { pool, schema: "parley" }
      })
      const { applicationId: application } = await makeShop(parley)
      const client = await pool.connect()
      const { id } = await parley.enqueue(client, { application, send: email("ada@acme.example") })
      client.release()
      void pool.end()
      // It works with the connections that it has, until they end.
      expect((await parley.as(application).contacts.create({ email: "ada@acme.example" })).data.id).toBeDefined()
      await Effect.runPromise(
        adminQuery(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
      )
      // The first calls may still meet connections whose end has not arrived.
      await vi.waitFor(async () => {
        await expect(
          parley.as(application, { maxRetries: 0 }).messages.send(email("eve@acme.example"))
        ).rejects.toMatchObject({ code: "service_unavailable", status: 503 })
        expect(logged.join("\n")).toContain("the pool was ended. Give Parley an open pool")
      }, waiting)
      expect(await parley.readiness()).toEqual({ ready: false, reason: "the database cannot be reached" })
      await parley.close()
      const next = await createParley({ ...common, storage: { url, schema: "parley" } })
      await vi.waitFor(
        async () => expect(await next.enqueued(application, id)).toMatchObject({ status: "accepted" }),
        waiting
      )
      await next.close()
    }))

  it("is ended before Parley is closed, and ends with it", () =>
    withPool(async (pool) => {
      const parley = await createParley({ ...common, storage: { pool, schema: "parley" } })
      // It resolves once Parley has given its connections back.
      const ended = pool.end()
      await parley.close()
      await ended
    }))
})

describe("a schema by URL", () => {
  it("is another engine's than the one of the database's own path", () =>
    withPool(async (_, url) => {
      const database = new URL(url)
      await Effect.runPromise(adminQuery(url, "DROP TABLE messages, contacts, jobs"))
      const engines = [
        await createParley({ ...common, storage: { url: database.href } }),
        await createParley({ ...common, storage: { url: database.href, schema: "parley" } })
      ]
      await makeShop(engines[0] as (typeof engines)[0])
      expect((await engines[0]?.admin.workspaces.list())?.data).toHaveLength(1)
      expect((await engines[1]?.admin.workspaces.list())?.data).toHaveLength(0)
      for (const parley of engines) await parley.close()
    }))
})
