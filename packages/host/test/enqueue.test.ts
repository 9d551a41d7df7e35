import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it, vi } from "@effect/vitest"
import { isParleyError } from "@parley/client"
import { freshPostgres, sqlite } from "@parley/testkit/databases"
import { Effect, type Scope } from "effect"
import Pg from "pg"
import { bundleProgram } from "../../../.ci/bundleProgram.js"
import { createParley, type Parley, type WebhookEventOf } from "../src/index.js"
import { CallersDatabase, callersDriver } from "./callersDatabase.js"
import { email, makeShop, quiet, withParley } from "./shop.js"

const freshSqlite = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "parley-enqueue-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  ),
  (folder) => `sqlite:${join(folder, "parley.db")}`
)
const databases: ReadonlyArray<readonly [name: string, url: Effect.Effect<string, never, Scope.Scope>]> = [
  ["sqlite", freshSqlite],
  ["postgres", freshPostgres]
]
const blobs = { folder: tmpdir() }

const failure = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (error: unknown) => error
  )
  if (!isParleyError(error)) throw error
  return error
}

let bundled: Promise<string> | undefined
/** The file of `enqueueThenDie.ts`, bundled once. */
const dyingCaller = (): Promise<string> => {
  bundled ??= (async () => {
    const file = join(await mkdtemp(join(tmpdir(), "parley-enqueue-")), "enqueueThenDie.mjs")
    await bundleProgram(fileURLToPath(new URL("enqueueThenDie.ts", import.meta.url)), file)
    return file
  })()
  return bundled
}
afterAll(async () => bundled && rm(dirname(await bundled), { recursive: true }))

describe.each(databases)("a request in a transaction of the caller on %s", (name, freshUrl) => {
  const secretKey = randomBytes(32).toString("base64")

  /** An engine with a shop, and a connection of the caller to its database, which has a table `orders`. */
  const withShop = (
    test: (given: {
      readonly parley: Parley
      readonly database: CallersDatabase
      readonly application: string
      readonly workspace: string
      readonly url: string
    }) => Promise<void>,
    worker = true
  ) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(freshUrl, (url) =>
          Effect.promise(() =>
            withParley({ storage: { url }, secretKey, blobs, worker }, async (parley) => {
              const { applicationId, workspaceId } = await makeShop(parley)
              const database = await CallersDatabase.open(url)
              await database.run("CREATE TABLE orders (id integer)")
              try {
                await test({ parley, database, application: applicationId, workspace: workspaceId, url })
              } finally {
                await database.close()
              }
            })
          )
        )
      )
    )

  const over = async (parley: Parley, application: string, id: string) =>
    vi.waitFor(
      async () => {
        const outcome = await parley.enqueued(application, id)
        if (outcome.status === "waiting") throw new Error("it waits")
        return outcome
      },
      { timeout: 60_000, interval: 10 }
    )
  const messages = async ({ admin }: Parley, workspace: string) =>
    (
      await admin.request<{ data: ReadonlyArray<{ id: string; body: string }> }>(
        "GET",
        `/messages?workspace_id=${workspace}`
      )
    ).data

  it("is sent once its transaction is committed, with the caller's rows", () =>
    withShop(async ({ application, database, parley, workspace }) => {
      await database.run("BEGIN")
      await database.run("INSERT INTO orders (id) VALUES (1)")
      const { id } = await parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
      expect(await failure(parley.enqueued(application, id))).toMatchObject({ code: "not_found" })
      await database.run("COMMIT")
      const outcome = await over(parley, application, id)
      expect(outcome).toMatchObject({
        status: "accepted",
        response: { status: "queued", message_id: expect.any(String) }
      })
      const found = await messages(parley, workspace)
      expect(found).toHaveLength(1)
      await vi.waitFor(
        async () =>
          expect((await parley.as(application).messages.get(found[0]?.id as string)).data.status).not.toBe("queued"),
        { timeout: 60_000 }
      )
    }))

  it("leaves nothing behind if its transaction is rolled back", () =>
    withShop(async ({ application, database, parley, workspace }) => {
      await database.run("BEGIN")
      const { id } = await parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
      await database.run("ROLLBACK")
      const later = await parley.enqueue(database.transaction, { application, send: email("eve@acme.example") })
      await over(parley, application, later.id)
      expect(await failure(parley.enqueued(application, id))).toMatchObject({ code: "not_found" })
      expect(await messages(parley, workspace)).toHaveLength(1)
    }))

  it("is written before the next statement of its transaction, also without an await", () =>
    withShop(async ({ application, database, parley, workspace }) => {
      const send = (to: string) => parley.enqueue(database.transaction, { application, send: email(to) })
      if (name === "postgres") await send("first@acme.example")
      await database.run("BEGIN")
      const pending = send("ada@acme.example")
      await database.run("ROLLBACK")
      const { id } = await pending
      const last = await send("eve@acme.example")
      await over(parley, application, last.id)
      expect(await failure(parley.enqueued(application, id))).toMatchObject({ code: "not_found" })
      expect(await messages(parley, workspace)).toHaveLength(name === "postgres" ? 2 : 1)
    }))

  it.runIf(name === "sqlite" && callersDriver === "better-sqlite3")(
    "is part of a function of database.transaction",
    () =>
      withShop(async ({ application, database, parley }) => {
        const handle = database.transaction as unknown as { transaction: (run: () => void) => () => void }
        const send = () => parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
        const calls: Array<ReturnType<typeof send>> = []
        const refused = handle.transaction(() => {
          calls.push(send())
          throw new Error("the order is refused")
        })
        expect(refused).toThrow("the order is refused")
        handle.transaction(() => void calls.push(send()))()
        const [rolledBack, committed] = await Promise.all(calls)
        expect(await over(parley, application, committed?.id ?? "")).toMatchObject({ status: "accepted" })
        expect(await failure(parley.enqueued(application, rolledBack?.id ?? ""))).toMatchObject({ code: "not_found" })
      })
  )

  it("is found by an id of its application in upper case", () =>
    withShop(async ({ application, database, parley }) => {
      const upper = application.toUpperCase()
      const { id } = await parley.enqueue(database.transaction, {
        application: upper,
        send: email("ada@acme.example")
      })
      expect(await over(parley, application, id)).toMatchObject({ status: "accepted" })
      expect(await parley.enqueued(upper, id)).toMatchObject({ status: "accepted" })
    }))

  describe.runIf(name === "postgres")("whose application is read first", () => {
    it.each([
      ["is rolled back", ["ROLLBACK"]],
      ["is committed", ["COMMIT"]],
      ["is followed by another", ["ROLLBACK", "BEGIN"]],
      ["is rolled back to a savepoint", ["ROLLBACK TO before", "COMMIT"]]
    ])("is refused if its transaction %s meanwhile", (_, statements) =>
      withShop(async ({ application, database, parley }) => {
        await database.run("BEGIN")
        await database.run("SAVEPOINT before")
        const pending = parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
        const refused = expect(pending).rejects.toThrow("Await parley.enqueue before you commit or roll back")
        await Promise.all(statements.map((statement) => database.run(statement)))
        await refused
        await database.run("ROLLBACK")
        expect(await database.run("SELECT id FROM jobs WHERE lane = 'enqueued'")).toEqual([])
      })
    )

    it("is accepted beside another one of its transaction", () =>
      withShop(async ({ application, database, parley, workspace }) => {
        await database.run("BEGIN")
        const both = await Promise.all(
          ["ada@acme.example", "eve@acme.example"].map((to) =>
            parley.enqueue(database.transaction, { application, send: email(to) })
          )
        )
        await database.run("COMMIT")
        for (const { id } of both) expect(await over(parley, application, id)).toMatchObject({ status: "accepted" })
        expect(await messages(parley, workspace)).toHaveLength(2)
      }))
  })

  it.runIf(name === "postgres")("sends workers a hint, but none from its transaction", () =>
    withShop(async ({ application, database, parley, url }) => {
      const listener = new Pg.Client(url)
      await listener.connect()
      const hints: Array<{ readonly processId: number; readonly payload?: string | undefined }> = []
      listener.on("notification", (hint) => hints.push(hint))
      await listener.query("LISTEN parley_work")
      await database.run("BEGIN")
      await parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
      const [caller] = await database.run("SELECT pg_backend_pid() AS pid")
      await database.run("COMMIT")
      await vi.waitFor(() => expect(hints.some(({ payload }) => payload?.includes("enqueued"))).toBe(true), {
        timeout: 60_000
      })
      expect(hints.filter(({ processId }) => processId === caller?.pid)).toEqual([])
      await listener.end()
    }, false)
  )

  it.runIf(name === "sqlite")("needs a handle of Parley's file", () =>
    withShop(async ({ application, parley }) => {
      const other = await CallersDatabase.open("sqlite::memory:")
      await expect(parley.enqueue(other.transaction, { application, send: email("ada@acme.example") })).rejects.toThrow(
        "the handle cannot read Parley's tables"
      )
      await other.close()
    })
  )

  it("is one message with another request of its key, also through the interface", () =>
    withShop(async ({ application, database, parley, workspace }) => {
      const request = { application, idempotencyKey: "order-1", send: email("ada@acme.example") }
      const [one, two] = [
        await parley.enqueue(database.transaction, request),
        await parley.enqueue(database.transaction, request)
      ]
      const outcomes = [await over(parley, application, one.id), await over(parley, application, two.id)]
      expect(outcomes[1]).toEqual(outcomes[0])
      const direct = await parley.as(application).messages.send(request.send, { idempotencyKey: "order-1" })
      expect(direct.replayed).toBe(true)
      const other = await parley.enqueue(database.transaction, { ...request, send: email("eve@acme.example") })
      expect(await over(parley, application, other.id)).toMatchObject({
        status: "refused",
        error: { code: "idempotency_conflict" }
      })
      expect(await messages(parley, workspace)).toHaveLength(1)
    }))

  it("that has an outcome ends without another, if the process that decided it had lost its job", () =>
    withShop(async ({ application, database, parley, workspace }) => {
      await database.run("BEGIN")
      const { id } = await parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
      await database.run(`CREATE TABLE taken_over AS SELECT * FROM jobs WHERE id = '${id}'`)
      await database.run("COMMIT")
      const outcome = await over(parley, application, id)
      const columns = "id, workspace_id, lane, subject, reference, payload, run_at, lease_until, attempts, created_at"
      await database.run(
        `INSERT INTO jobs (${columns}, epoch) SELECT ${columns}, epoch + 1 FROM taken_over WHERE id = '${id}'`
      )
      await vi.waitFor(async () => expect(await database.run(`SELECT id FROM jobs WHERE id = '${id}'`)).toEqual([]), {
        timeout: 20_000
      })
      expect(await parley.enqueued(application, id)).toEqual(outcome)
      expect(await messages(parley, workspace)).toHaveLength(1)
    }))

  it("is refused by the rules of the interface, with an event and an outcome that stay", () =>
    withShop(async ({ application, database, parley, workspace }) => {
      const failed: Array<WebhookEventOf<"enqueued.failed">> = []
      await parley.on("failed", "enqueued.failed", (event) => failed.push(event), { application })
      const send = { ...email("ada@acme.example"), connection_id: "01900000-0000-7000-8000-000000000000" }
      const { id } = await parley.enqueue(database.transaction, { application, idempotencyKey: "order-1", send })
      const outcome = await over(parley, application, id)
      expect(outcome).toMatchObject({
        status: "refused",
        error: { code: expect.any(String), message: expect.any(String) }
      })
      await vi.waitFor(() => expect(failed).toHaveLength(1), { timeout: 60_000 })
      expect(failed[0]?.data).toEqual({
        enqueued: { id, kind: "send", idempotency_key: "order-1", error: outcome.status === "refused" && outcome.error }
      })
      await parley.admin.request("PATCH", `/applications/${application}`, { status: "suspended" })
      const suspended = await parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
      expect(await over(parley, application, suspended.id)).toMatchObject({
        status: "refused",
        error: { code: "account_suspended" }
      })
      expect(await messages(parley, workspace)).toEqual([])
    }))

  const badKey = JSON.stringify({ kind: "send", key: "a\ud83d", body: email("ada@acme.example") })
  // Postgres refuses a row whose payload is not JSON.
  it.each(name === "sqlite" ? [badKey, "{"] : [badKey])(
    "is refused if another program wrote the payload %s",
    (payload) =>
      withShop(async ({ application, database, parley }) => {
        const failed: Array<WebhookEventOf<"enqueued.failed">> = []
        await parley.on("failed", "enqueued.failed", (event) => failed.push(event), { application })
        await database.run("BEGIN")
        const { id } = await parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
        await database.run(`UPDATE jobs SET payload = '${payload}' WHERE id = '${id}'`)
        await database.run("COMMIT")
        expect(await over(parley, application, id)).toMatchObject({ status: "refused", error: { code: "bad_request" } })
        await vi.waitFor(() => expect(failed).toHaveLength(1), { timeout: 60_000 })
        expect(failed[0]?.data).toMatchObject({ enqueued: { id, kind: null, idempotency_key: null } })
      })
  )

  it("is decided if another program wrote the id of its application in upper case", () =>
    withShop(async ({ application, database, parley, workspace }) => {
      await database.run("BEGIN")
      const { id } = await parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
      await database.run(`UPDATE jobs SET subject = upper(subject) WHERE id = '${id}'`)
      await database.run("COMMIT")
      expect(await over(parley, application, id)).toMatchObject({ status: "accepted" })
      expect(await messages(parley, workspace)).toHaveLength(1)
    }))

  it("fails with the reason if another program wrote no id of an application, and can be dropped", () =>
    withShop(async ({ application, database, parley, workspace }) => {
      await database.run("BEGIN")
      const { id } = await parley.enqueue(database.transaction, { application, send: email("ada@acme.example") })
      await database.run(`UPDATE jobs SET subject = 'shop' WHERE id = '${id}'`)
      await database.run("COMMIT")
      const job = async () =>
        (await parley.admin.request<{ data: { failure: { error: string } | null } }>("GET", `/jobs/${id}`)).data
      await vi.waitFor(
        async () =>
          expect((await job()).failure?.error).toContain("the subject of the row is not the id of an application"),
        { timeout: 60_000, interval: 50 }
      )
      // As after 20 failures.
      await database.run(
        `UPDATE jobs SET lane = 'parked', run_at = 0, lease_until = 0, epoch = epoch + 1 WHERE id = '${id}'`
      )
      await vi.waitFor(async () => expect(await failure(job())).toMatchObject({ code: "not_found" }), {
        timeout: 60_000,
        interval: 50
      })
      expect(await messages(parley, workspace)).toEqual([])
    }))

  it("may be a business event", () =>
    withShop(async ({ application, database, parley }) => {
      const event = { event: "order.paid", identity: { channel: "email" as const, external_id: "ada@acme.example" } }
      const { id } = await parley.enqueue(database.transaction, { application, event })
      expect(await over(parley, application, id)).toMatchObject({
        status: "refused",
        error: { code: "forbidden", details: { required_scope: "events.send" } }
      })
      const scopes = ["messages.send", "events.send", "contacts.write"]
      await parley.admin.request("PATCH", `/applications/${application}`, { scopes })
      await parley.as(application).contacts.create({ email: "ada@acme.example" })
      const again = await parley.enqueue(database.transaction, { application, event })
      expect(await over(parley, application, again.id)).toMatchObject({
        status: "accepted",
        response: { workflows_matched: 0 }
      })
    }))

  it("is refused at once if it has the wrong shape", () =>
    withShop(async ({ application, database, parley }) => {
      const { transaction } = database
      const send = email("ada@acme.example")
      expect(
        await failure(parley.enqueue(transaction, { application, send: { ...send, type: "fax" } as never }))
      ).toMatchObject({ code: "validation_failed", details: { type: [expect.any(String)] } })
      for (const unknown of ["01900000-0000-7000-8000-000000000000", "shop"]) {
        expect(await failure(parley.enqueue(transaction, { application: unknown, send }))).toMatchObject({
          code: "not_found"
        })
      }
      expect(
        await failure(parley.enqueue(transaction, { application, send, idempotencyKey: "k".repeat(256) }))
      ).toMatchObject({ code: "bad_request" })
      for (const idempotencyKey of ["a\ud83d", "a\u0000"]) {
        expect(await failure(parley.enqueue(transaction, { application, send, idempotencyKey }))).toMatchObject({
          code: "bad_request",
          details: { "Idempotency-Key": [expect.stringContaining("valid Unicode text")] }
        })
      }
      const refuses = (given: unknown, problem: string, to: unknown = transaction) =>
        expect(parley.enqueue(to as never, given as never)).rejects.toThrow(problem)
      await refuses(undefined, "the request must be an object")
      for (const body of [{}, { send, event: { name: "paid" } }, { send: "hello" }]) {
        await refuses({ application, ...body }, "give either `send`")
      }
      await refuses(
        { application, send, idempotency_key: "1" },
        "idempotency_key is not an option: write idempotencyKey"
      )
      await refuses({ send }, "`application` must be the id of an application")
      // The transactions of Drizzle and Prisma.
      for (const foreign of [null, {}, { query: {} }, { $queryRawUnsafe: () => {} }]) {
        await refuses({ application, send }, "the transaction must have a function", foreign)
      }
      await refuses({ application, send }, "the transaction is a pool", new Pg.Pool())
      expect(await database.run("SELECT id FROM jobs WHERE lane = 'enqueued'")).toEqual([])
      expect(await failure(parley.enqueued(application, "unknown"))).toMatchObject({ code: "not_found" })
    }))

  it.each(["commit", "open"])(
    "survives a kill -9 of the caller: %s",
    (when) =>
      withShop(async ({ application, database, parley, url, workspace }) => {
        // One process at a time on SQLite.
        await parley.close()
        const child = spawn(process.execPath, [await dyingCaller(), url, secretKey, application, when], {
          stdio: ["ignore", "inherit", "inherit"]
        })
        expect((await once(child, "exit"))[1]).toBe("SIGKILL")
        const after = await createParley({ ...quiet, storage: { url }, secretKey, blobs })
        try {
          const last = await after.enqueue(database.transaction, { application, send: email("eve@acme.example") })
          await over(after, application, last.id)
          const expected = when === "commit" ? 1 : 0
          await vi.waitFor(async () => expect(await messages(after, workspace)).toHaveLength(expected + 1), {
            timeout: 60_000
          })
          expect(await database.run("SELECT id FROM orders")).toEqual(Array(expected).fill({ id: 1 }))
        } finally {
          await after.close()
        }
      }),
    60_000
  )

  it.runIf(name === "postgres")(
    "is found if its transaction commits long after others",
    () =>
      withShop(async ({ application, database, parley, url }) => {
        await database.run("BEGIN")
        const late = await parley.enqueue(database.transaction, { application, send: email("late@acme.example") })
        const other = await CallersDatabase.open(url)
        const deadline = Date.now() + 5_000
        while (Date.now() < deadline) {
          const { id } = await parley.enqueue(other.transaction, { application, send: email("ada@acme.example") })
          await over(parley, application, id)
        }
        await database.run("COMMIT")
        expect(await over(parley, application, late.id)).toMatchObject({ status: "accepted" })
        await other.close()
      }),
    60_000
  )

  it.runIf(name === "postgres")(
    "is the documented row for programs in other languages",
    () =>
      withShop(async ({ application, database, parley, workspace }) => {
        const page = await readFile(new URL("../../../docs/reference/enqueue.md", import.meta.url), "utf8")
        const statement = /```sql\n(.*?)```/s.exec(page)?.[1] ?? ""
        const insert = async (payload: object) =>
          (await database.run(statement, [workspace, application, JSON.stringify(payload)]))[0]?.id as string
        const id = await insert({ kind: "send", key: "order-1", body: email("ada@acme.example") })
        expect(await over(parley, application, id)).toMatchObject({ status: "accepted" })
        for (const payload of [
          { kind: "fax", key: "a", body: {} },
          { kind: "send", key: "", body: {} },
          [],
          { kind: "send" }
        ]) {
          const bad = await insert(payload)
          expect(await over(parley, application, bad)).toMatchObject({
            status: "refused",
            error: { code: "bad_request" }
          })
        }
      }),
    60_000
  )
})

/** `node:sqlite`, which Node 22.13 and later have. */
const nodeSqlite = process.getBuiltinModule?.("node:sqlite") as
  | { readonly DatabaseSync: new (file: string) => { prepare: (text: string) => any; close: () => void } }
  | undefined

it("a handle of another copy of SQLite than Parley's is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-enqueue-"))
  const url = `sqlite:${join(folder, "parley.db")}`
  const driver = nodeSqlite === undefined ? "better-sqlite3" : "node:sqlite"
  await withParley({ storage: { url, driver } }, async (parley) => {
    const { applicationId: application } = await makeShop(parley)
    const own = nodeSqlite === undefined ? undefined : new nodeSqlite.DatabaseSync(join(folder, "parley.db"))
    const database = await CallersDatabase.open(url)
    const request = { application, send: email("ada@acme.example") }
    const refused = parley.enqueue(database.transaction, request)
    if (own === undefined || callersDriver === "node:sqlite") await refused
    else {
      await expect(refused).rejects.toThrow(
        "Parley has the file open by node:sqlite, and two copies of SQLite in one process can corrupt it: give a DatabaseSync"
      )
      const { id } = await parley.enqueue(own, request)
      await vi.waitFor(
        async () => expect(await parley.enqueued(application, id)).toMatchObject({ status: "accepted" }),
        { timeout: 60_000 }
      )
      own.close()
    }
    await database.close()
  })
  await rm(folder, { recursive: true, force: true })
})

it("a storage without a URL has no transactions for callers", () =>
  withParley({ storage: sqlite, secretKey: randomBytes(32).toString("base64"), blobs }, async (parley) => {
    const { applicationId: application } = await makeShop(parley)
    const transaction = { query: async () => {} }
    await expect(parley.enqueue(transaction, { application, send: email("ada@acme.example") })).rejects.toThrow(
      "give createParley the URL"
    )
  }))
