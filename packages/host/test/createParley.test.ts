import { mkdtemp, readFile, rm, stat } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, vi } from "@effect/vitest"
import { freshPostgres, sqlite } from "@parley/testkit/databases"
import { Effect, Metric, type Scope } from "effect"
import { createParley, type LogEntry, migrate, type Parley, ParleyError, type ParleyOptions } from "../src/index.js"
import { email, makeShop, quiet, sending, withParley } from "./shop.js"

const secretKey = Buffer.alloc(32, 7).toString("base64")

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

const databases: ReadonlyArray<readonly [string, Effect.Effect<Partial<ParleyOptions>, never, Scope.Scope>]> = [
  ["sqlite", Effect.map(temporaryFolder, (folder) => ({ storage: { url: `sqlite:${join(folder, "parley.db")}` } }))],
  ["postgres", Effect.map(freshPostgres, (url) => ({ storage: { url }, secretKey }))]
]

/** Serves with the listener during the test. */
const withServer = async (listener: Parameters<typeof createServer>[1], test: (url: string) => Promise<void>) => {
  const server: Server = createServer(listener)
  await new Promise<void>((resume) => server.listen(0, "127.0.0.1", resume))
  try {
    await test(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

for (const [name, database] of databases) {
  describe(`createParley on ${name}`, () => {
    it.scopedLive("serves the same in process, by fetch and by its listener", () =>
      Effect.gen(function* () {
        const options = yield* database
        yield* Effect.promise(() =>
          withParley(options, async (parley) => {
            expect(await parley.readiness()).toEqual({ ready: true })
            const { apiKey } = await makeShop(parley)
            const { data } = await parley.client(apiKey).messages.send(email("a@acme.example"))
            const path = `/api/v1/messages/${data.message_id}`
            const init = { headers: { authorization: `Bearer ${apiKey}` } }
            const fetched = await (await parley.fetch(new Request(`http://acme.example${path}`, init))).json()
            await withServer(parley.listener, async (url) => {
              expect(await (await fetch(`${url}${path}`, init)).json()).toMatchObject({
                data: { id: data.message_id, body: "Hello" }
              })
            })
            expect(fetched).toMatchObject({ data: { id: data.message_id } })
          })
        )
      })
    )

    it.scopedLive("tells the time by the database's clock", () =>
      Effect.gen(function* () {
        const options = yield* database
        const real = Date.now
        yield* Effect.acquireRelease(
          Effect.sync(() => vi.spyOn(Date, "now").mockImplementation(() => real.call(Date) + 300_000)),
          (ahead) => Effect.sync(() => ahead.mockRestore())
        )
        yield* Effect.promise(() =>
          withParley({ ...options, logLevel: "none" }, async (parley) => {
            const { apiKey } = await makeShop(parley)
            const sentAt = async (id: string) =>
              Date.parse((await parley.client(apiKey).messages.get(id)).data.sent_at ?? "")
            const before = real.call(Date)
            const inProcess = await parley.client(apiKey).messages.send(email("in-process@acme.example"))
            await withServer(parley.listener, async (url) => {
              const request = sending(apiKey, "listener@acme.example", url)
              const { data } = (await (await fetch(request)).json()) as { data: { message_id: string } }
              for (const id of [inProcess.data.message_id, data.message_id]) {
                expect((await sentAt(id)) - before).toBeLessThan(240_000)
              }
            })
            expect(await parley.readiness()).toMatchObject({ ready: false, reason: expect.stringContaining("apart") })
          })
        )
      })
    )

    it.scopedLive("exposes its metrics", () =>
      Effect.gen(function* () {
        const options = yield* database
        yield* Effect.promise(() =>
          withParley(options, async (parley) => {
            const { apiKey } = await makeShop(parley)
            await parley.client(apiKey).messages.send(email("b@acme.example"))
            const text = await parley.metrics()
            expect(text).toMatch(
              /^parley_http_request_duration_seconds_count{group="api\/messages",status="2xx"} [1-9]/m
            )
            expect(text).toMatch(/^parley_queue_jobs{lane="retries",state="waiting"} 0$/m)
            // no metrics of the process, which belongs to the host
            expect(text).not.toMatch(/^(process|nodejs)_/m)
          })
        )
      })
    )

    it.scopedLive("finds its data after a restart", () =>
      Effect.gen(function* () {
        const options = yield* database
        let apiKey = ""
        let id = ""
        yield* Effect.promise(() =>
          withParley(options, async (parley) => {
            const shop = await makeShop(parley)
            await parley.admin.request("POST", `/applications/${shop.applicationId}/webhook-endpoints`, {
              url: "https://acme.example/hook",
              events: ["message.failed"]
            })
            apiKey = shop.apiKey
            id = (await parley.client(apiKey).messages.send(email("a@acme.example"))).data.message_id
          })
        )
        yield* Effect.promise(() =>
          withParley(options, async (parley) => {
            expect((await parley.client(apiKey).messages.get(id)).data.id).toBe(id)
          })
        )
        const other = { ...quiet, ...options, secretKey: Buffer.alloc(32, 8).toString("base64") }
        yield* Effect.promise(() => expect(createParley(other)).rejects.toThrow(/^secretKey is not the key/))
      })
    )

    it.scopedLive("rejects a database with pending migrations if it may not run them", () =>
      Effect.gen(function* () {
        const options = (yield* database) as { readonly storage: { readonly url: string } }
        const { url } = options.storage
        const here = { ...quiet, ...options, storage: { url, migrate: false } }
        yield* Effect.promise(async () => {
          await expect(createParley(here)).rejects.toThrow(/^The database cannot be used \(storage\.url: /)
          await migrate(url)
          await (await createParley(here)).close()
        })
      })
    )
  })
}

describe("createParley", () => {
  it("rejects invalid options with a message that names the option", async () => {
    await expect(createParley({ ...quiet, serviceName: "Acme!", worker: 1 as never })).rejects.toThrow(
      /^createParley: serviceName must be .*\nworker must be true or false$/
    )
    await expect(migrate("mysql://db")).rejects.toThrow(/url must be sqlite:<file> or postgres/)
  })

  it("names an unusable database without its password", async () => {
    const storage = { url: "postgres://user:hunter2@127.0.0.1:1/parley" }
    const error = await createParley({ ...quiet, storage, secretKey }).catch((error: Error) => error)
    expect(String(error)).toMatch(/The database cannot be used \(storage\.url: postgres:\/\/127\.0\.0\.1:1\/parley\)/)
    expect(String(error)).not.toContain("hunter2")
  })

  it("runs on the layer of a storage adapter", () =>
    withParley({ storage: sqlite, secretKey }, async (parley) => {
      const { apiKey } = await makeShop(parley)
      expect((await parley.fetch(sending(apiKey, "a@acme.example"))).status).toBe(202)
    }))

  it.scopedLive(
    "creates a key file beside a SQLite file, readable by the owner only, and releases the database on close",
    () =>
      Effect.gen(function* () {
        const file = join(yield* temporaryFolder, "deeper", "parley.db")
        const options = { ...quiet, storage: { url: `sqlite:${file}` } }
        yield* Effect.promise(async () => {
          const first = await createParley(options)
          const key = await readFile(`${file}.key`, "utf8")
          expect((await stat(`${file}.key`)).mode & 0o777).toBe(0o600)
          await expect(createParley(options)).rejects.toThrow(
            /is open in this process already, at .*createParley\.test\.ts:\d+:\d+\)?: use that engine/
          )
          await first.close()
          await (await createParley(options)).close()
          expect(await readFile(`${file}.key`, "utf8")).toBe(key)
        })
      })
  )

  it("administers in process without a token, and over HTTP only with one", async () => {
    const workspaces = (token: string) =>
      new Request("http://acme.example/admin/v1/workspaces", { headers: { authorization: `Bearer ${token}` } })
    await withParley({}, async ({ admin, fetch }) => {
      await admin.request("POST", "/workspaces", { name: "Acme" })
      expect(await admin.request("GET", "/workspaces?limit=1")).toMatchObject({ data: [{ name: "Acme" }] })
      const [workspace] = (await admin.workspaces.list()).data
      expect(workspace).toMatchObject({ name: "Acme", timezone: "UTC" })
      expect((await fetch(workspaces("let-me-in"))).status).toBe(404)
    })
    await withParley({ adminToken: "let-me-in" }, async ({ fetch }) => {
      expect((await fetch(workspaces("let-me-in"))).status).toBe(200)
      expect((await fetch(workspaces("guessed"))).status).toBe(401)
    })
  })

  it("passes on refusals of the administration", () =>
    withParley({}, async ({ admin }) => {
      const error = await admin.request("POST", "/workspaces", {}).catch((error: unknown) => error)
      const typed = await admin.workspaces.create({ name: "" }).catch((error: unknown) => error)
      expect(typed).toMatchObject({ name: "ParleyError", code: "validation_failed" })
      expect(error).toBeInstanceOf(ParleyError)
      expect(error).toMatchObject({ status: 422, code: "validation_failed", details: { name: ["is required"] } })
    }))

  it("checks entitlements and returns their refusals", async () => {
    const requests: Array<string> = []
    const entitlements: ParleyOptions["entitlements"] = async (application, operation) => {
      requests.push(`${application.name} ${operation}`)
      if (operation === "messages.send") return { code: "limit_reached", details: { plan: "free" } }
      return undefined
    }
    await withParley({ entitlements }, async (parley) => {
      const { apiKey } = await makeShop(parley)
      const client = parley.client(apiKey)
      await client.contacts.create({ email: "a@acme.example" })
      await expect(client.messages.send(email("a@acme.example"))).rejects.toMatchObject({
        status: 402,
        code: "limit_reached",
        details: { plan: "free" }
      })
    })
    expect(requests).toEqual(["Shop contacts.create", "Shop messages.send"])
  })

  it("sends nothing if the entitlements fail, and logs the error", async () => {
    const entries: Array<LogEntry> = []
    const options: Partial<ParleyOptions> = {
      entitlements: () => {
        throw new Error("the billing is down")
      },
      logger: (entry) => void entries.push(entry)
    }
    await withParley(options, async (parley) => {
      const { apiKey } = await makeShop(parley)
      expect((await parley.fetch(sending(apiKey, "a@acme.example"))).status).toBe(500)
    })
    expect(entries).toMatchObject([{ level: "error", error: expect.stringContaining("the billing is down") }])
    expect(entries[0]?.fields.request_id).toMatch(/^[0-9a-f-]{36}$/)
  })

  it("keeps running if the logger throws", () => {
    const logger = () => {
      throw new Error("the disk is full")
    }
    return withParley({ logger, logLevel: "trace" }, async (parley) => {
      const { apiKey } = await makeShop(parley)
      expect((await parley.fetch(sending(apiKey, "a@acme.example"))).status).toBe(202)
    })
  })

  it("serves under a path that the framework leaves in the URL, and adds it to links", async () => {
    const nextOf = async ({ fetch }: Parley, apiKey: string) => {
      const init = { headers: { authorization: `Bearer ${apiKey}` } }
      const answer = await fetch(new Request("https://acme.example/api/api/v1/contacts?per_page=1", init))
      return ((await answer.json()) as { readonly links: { readonly next: string } }).links.next
    }
    for (const [publicUrl, base] of [
      [undefined, "https://acme.example/api"],
      ["https://public.example/m", "https://public.example/m"]
    ]) {
      await withParley({ mountPath: "/api", publicUrl }, async (parley) => {
        const { apiKey } = await makeShop(parley)
        const { contacts } = parley.client(apiKey)
        for (const name of ["a", "b"]) await contacts.create({ email: `${name}@acme.example` })
        expect(await nextOf(parley, apiKey)).toMatch(new RegExp(`^${base}/api/v1/contacts\\?.*page=2`))
      })
    }
  })
})

describe("engines of one process", () => {
  it("count their own work only, and none of it in Effect's registry", async () => {
    const before = JSON.stringify(
      Metric.unsafeSnapshot().filter(({ metricKey }) => metricKey.name.startsWith("parley_"))
    )
    await withParley({ worker: true }, (idle) =>
      withParley({}, async (parley) => {
        const { apiKey, applicationId } = await makeShop(parley)
        const received = vi.fn()
        await parley.on("notes", "message.sent", received, { application: applicationId })
        await parley.client(apiKey).messages.send(email("b@acme.example"))
        await withServer(parley.listener, (url) => fetch(sending(apiKey, "c@acme.example", url)).then(() => undefined))
        await vi.waitFor(() => expect(received).toHaveBeenCalledTimes(2), { timeout: 60_000 })
        const counts = async (of: Parley, name: string) =>
          [...(await of.metrics()).matchAll(new RegExp(`^${name}(?:{[^}]*})? ([1-9]\\d*)$`, "gm"))].map(([, n]) =>
            Number(n)
          )
        for (const name of [
          "parley_http_request_duration_seconds_count",
          "parley_send_duration_seconds_count",
          "parley_commits_total",
          "parley_commit_batch_size_count"
        ]) {
          expect([name, await counts(parley, name)]).not.toEqual([name, []])
          if (!name.includes("commit")) expect([name, await counts(idle, name)]).toEqual([name, []])
        }
        expect(await counts(parley, "parley_send_duration_seconds_count")).toEqual([2])
        await vi.waitFor(async () =>
          expect(await counts(parley, "parley_webhook_attempt_duration_seconds_count")).toEqual([2])
        )
      })
    )
    const after = Metric.unsafeSnapshot().filter(({ metricKey }) => metricKey.name.startsWith("parley_"))
    expect(JSON.stringify(after)).toBe(before)
  })
})

describe("createParley without a worker", () => {
  it.scopedLive("leaves the queue to processes with a worker", () =>
    Effect.gen(function* () {
      const shared = { storage: { url: yield* freshPostgres }, secretKey }
      yield* Effect.promise(() =>
        // Only the first process may send to this machine, so that the error shows which one sent.
        withParley({ ...shared, worker: false, webhooks: { allow: ["127.0.0.0/8"], allowHttp: true } }, (front) =>
          withParley(shared, async () => {
            const { applicationId } = await makeShop(front)
            const made = async (path: string, body?: object) =>
              (await front.admin.request<{ data: { id: string } }>("POST", path, body)).data.id
            const hook = { url: "http://127.0.0.1:1/hook", events: ["*"] }
            const endpoint = await made(`/applications/${applicationId}/webhook-endpoints`, hook)
            const attempted = async (delivery: string) => {
              const path = `/webhook-deliveries/${delivery}`
              return (await front.admin.request<{ data: { attempts: ReadonlyArray<{ error: string }> } }>("GET", path))
                .data.attempts
            }
            // Several, because a worker here would not claim all of them.
            for (let count = 0; count < 10; count++) {
              const delivery = await made(`/webhook-endpoints/${endpoint}/test`)
              await vi.waitUntil(async () => (await attempted(delivery)).length > 0, { timeout: 60_000, interval: 10 })
              expect(await attempted(delivery)).toMatchObject([{ error: "address not allowed" }])
            }
          })
        )
      )
    })
  )
})
