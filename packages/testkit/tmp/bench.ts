import { randomBytes, randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { changes, expect as expects, lookup, row, Storage } from "@parley/core"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import { Effect, Layer, Redacted } from "effect"
import Pg from "pg"
import * as Rows from "../src/rows.js"
import { startPostgres } from "../src/startPostgres.js"

const which = process.argv[2] ?? "pg"
const callers = Number(process.argv[3] ?? 64)
const seconds = Number(process.argv[4] ?? 5)
const shape = process.argv[5] ?? "commit"
let c = 0
const uuid = () => {
  const t = Date.now().toString(16).padStart(12, "0")
  const r = (c++).toString(16).padStart(8, "0")
  return `${t.slice(0, 8)}-${t.slice(8)}-7${r.slice(5)}-8${r.slice(2, 5)}-${randomBytes(6).toString("hex")}`
}
const people = Array.from({ length: 500 }, () => ({ contactId: uuid(), conversationId: uuid() }))
const ws = uuid()
const conn = uuid()
const app = uuid()
const mk = (n: number) => {
  const now = Date.now()
  const p = people[n % people.length]!
  const id = uuid()
  const delivery = uuid()
  return changes(ws, {
    claims: [
      row(
        "idempotency",
        Rows.anIdempotencyRecord({
          workspaceId: ws,
          applicationId: app,
          key: id,
          body: JSON.stringify({ data: { id, status: "queued" } })
        })
      )
    ],
    expects: [],
    inserts: [
      row("messages", Rows.aMessage({ id, workspaceId: ws, ...p, createdAt: now })),
      row(
        "events",
        Rows.anEvent({
          id: uuid(),
          workspaceId: ws,
          data: JSON.stringify({ message: { id, body: "Your order is ready", status: "queued", created_at: now } })
        })
      ),
      row("deliveries", Rows.aDelivery({ id: delivery, workspaceId: ws })),
      row("jobs", Rows.aJob({ id: uuid(), workspaceId: ws, leaseOwner: "me", leaseUntil: now + 1e6 })),
      row("jobs", Rows.aJob({ id: uuid(), workspaceId: ws, lane: "deliveries", reference: delivery }))
    ],
    bumps: [
      { table: "contacts", id: p.contactId, greatest: { lastActivityAt: now } },
      { table: "conversations", id: p.conversationId, greatest: { lastActivityAt: now } }
    ]
  })
}
const seed = changes(ws, {
  inserts: [
    row("applications", Rows.anApplication({ id: app, workspaceId: ws })),
    ...people.flatMap((p) => [
      row("contacts", Rows.aContact({ id: p.contactId, workspaceId: ws })),
      row(
        "conversations",
        Rows.aConversation({
          id: p.conversationId,
          contactId: p.contactId,
          handle: p.contactId,
          workspaceId: ws,
          connectionId: conn
        })
      )
    ])
  ]
})
import { readdirSync, readFileSync } from "node:fs"
const serverCpu = () => {
  const all = readdirSync("/proc").filter((d) => /^\d+$/.test(d)).flatMap((d) => {
    try {
      const t = readFileSync(`/proc/${d}/stat`, "utf8")
      const f = t.slice(t.lastIndexOf(")") + 2).split(" ")
      return [{ pid: Number(d), ppid: Number(f[1]), cpu: [11, 12, 13, 14].reduce((a, i) => a + Number(f[i]), 0) * 10_000 }]
    } catch {
      return []
    }
  })
  const mine = new Set([process.pid])
  for (let i = 0; i < 6; i++) for (const x of all) if (mine.has(x.ppid)) mine.add(x.pid)
  return all.filter((x) => mine.has(x.pid) && x.pid !== process.pid).reduce((a, x) => a + x.cpu, 0)
}
let srv0 = 0
const report = (name: string, count: number, ms: number, lat: number[], cpu0: NodeJS.CpuUsage) => {
  lat.sort((a, b) => a - b)
  const cpu = process.cpuUsage(cpu0)
  console.log(
    name,
    Math.round((count / ms) * 1000),
    "/s",
    "p50",
    lat[lat.length >> 1]?.toFixed(1),
    "p99",
    lat[Math.floor(lat.length * 0.99)]?.toFixed(1),
    "cpu µs/op",
    Math.round((cpu.user + cpu.system) / count), "server", Math.round((serverCpu() - srv0) / count)
  )
}
const drive = (name: string, op: (n: number) => Effect.Effect<unknown, unknown>) =>
  Effect.gen(function* () {
    for (const [label, secs] of [
      ["warm", 1.5],
      [name, seconds]
    ] as const) {
      let count = 0
      const lat: number[] = []
      srv0 = serverCpu()
      const cpu0 = process.cpuUsage()
      const t0 = performance.now()
      const until = t0 + secs * 1000
      const loop: Effect.Effect<void, unknown> = Effect.suspend(() => {
        const s = performance.now()
        if (s > until) return Effect.void
        return Effect.flatMap(op(count++), () => {
          lat.push(performance.now() - s)
          return loop
        })
      })
      yield* Effect.all(
        Array.from({ length: callers }, () => loop),
        { concurrency: "unbounded", discard: true }
      )
      report(label, count, performance.now() - t0, lat, cpu0)
    }
  })
const program = Effect.gen(function* () {
  const s = yield* Storage
  yield* s.commit(seed)
  if (shape === "commit") yield* drive(`${which} commit`, (n) => s.commit(mk(n)))
  else if (shape === "read")
    yield* drive(`${which} read`, (n) => {
      const p = people[n % people.length]!
      return s.read({
        a: lookup("applications", { id: app }),
        c: lookup("contacts", { id: p.contactId }),
        v: lookup("conversations", { connectionId: conn, handle: p.contactId })
      })
    })
  else if (shape === "token")
    yield* drive(`${which} token`, () => s.takeToken({ bucket: "b", limit: 1e9, windowMs: 60000, now: Date.now() }))
  else
    yield* drive(`${which} send`, (n) => {
      const p = people[n % people.length]!
      return s.read({ a: lookup("applications", { id: app }), k: lookup("apiKeys", { hash: "x" }) }).pipe(
        Effect.zipRight(s.takeToken({ bucket: "b", limit: 1e9, windowMs: 60000, now: Date.now() })),
        Effect.zipRight(
          s.read({
            i: lookup("idempotency", { applicationId: app, key: `k${n}` }),
            c: lookup("contacts", { id: p.contactId }),
            v: lookup("conversations", { connectionId: conn, handle: p.contactId }),
            e: lookup("endpoints", { workspaceId: ws })
          })
        ),
        Effect.zipRight(s.commit(mk(n)))
      )
    })
})
const plain = async (url: string) => {
  const pool = new Pg.Pool({ connectionString: url, max: 16 })
  const cols: any = {}
  const ins = async (cl: Pg.PoolClient, table: string, r: any, more = "") => {
    cols[table] ??= Object.keys(r)
    const names = cols[table].map((k: string) => k.replace(/[A-Z]/g, (l) => `_${l.toLowerCase()}`)).join(",")
    const t = table.replace(/[A-Z]/g, (l) => `_${l.toLowerCase()}`)
    return cl.query({
      name: `i${table}`,
      text: `insert into ${t}(${names}) values (${cols[table].map((_: any, i: number) => `$${i + 1}`).join(",")}) ${more}`,
      values: cols[table].map((k: string) => (r[k] !== null && typeof r[k] === "object" ? JSON.stringify(r[k]) : r[k]))
    })
  }
  const one = async (n: number) => {
    const ch = mk(n)
    const cl = await pool.connect()
    try {
      await cl.query("BEGIN")
      for (const x of ch.claims) await ins(cl, x.table, x.row, "on conflict do nothing returning 1")
      for (const x of ch.inserts) await ins(cl, x.table, x.row)
      for (const b of ch.bumps)
        await cl.query({
          name: `b${b.table}`,
          text: `update ${b.table} set last_activity_at = greatest(last_activity_at, $2) where id=$1`,
          values: [b.id, b.greatest!.lastActivityAt]
        })
      await cl.query("COMMIT")
    } finally {
      cl.release()
    }
  }
  await Effect.runPromise(drive("plain pg", (n) => Effect.promise(() => one(n))))
  await pool.end()
}
if (which === "sqlite") {
  const dir = mkdtempSync("/tmp/parley-bench-")
  await Effect.runPromise(Effect.provide(program, Sqlite.layer({ file: `${dir}/x.db` })))
  rmSync(dir, { recursive: true })
} else {
  const server = await startPostgres({ fsync: true })
  const url = server.url
  if (which === "pg") await Effect.runPromise(Effect.provide(program, Postgres.layer({ url: Redacted.make(url) })))
  else {
    await Effect.runPromise(
      Effect.provide(
        Effect.flatMap(Storage, (s) => s.commit(seed)),
        Postgres.layer({ url: Redacted.make(url) })
      )
    )
    await plain(url)
  }
  await server.stop()
}
