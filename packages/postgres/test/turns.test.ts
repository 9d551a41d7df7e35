import { expect, it } from "@effect/vitest"
import { changes, expect as expects, row, Storage, set } from "@parley/core"
import { layer } from "@parley/postgres"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import * as Rows from "@parley/testkit/rows"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"

/** A lead that enters waits in its transaction, with its locks, until the gate that its title names is open. */
const gates = [
  "CREATE TABLE gates (n text PRIMARY KEY)",
  `CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(4711, NEW.title::int);
    WHILE NOT EXISTS (SELECT 1 FROM gates WHERE n = NEW.title) LOOP PERFORM pg_sleep(0.005); END LOOP;
    RETURN NEW;
  END $$`,
  "CREATE TRIGGER wait_at_gate BEFORE INSERT ON leads FOR EACH ROW EXECUTE FUNCTION wait_at_gate()"
]

const isAtGate = (n: number) => `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = 4711 AND objid = ${n}`
const waiting = (table: string, sessions: number) =>
  `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%${table}%' AND pid <> pg_backend_pid() HAVING count(*) >= ${sessions}`

const maxRounds = 10

/** Rows that commits look at, and a change of each. */
const looked = [
  {
    table: "pipelines",
    rowOf: (id: string, workspaceId: string) => row("pipelines", Rows.aPipeline({ id, workspaceId })),
    changeOf: (id: string) => set("pipelines", { id }, { name: "Renamed" })
  },
  {
    table: "contacts",
    rowOf: (id: string, workspaceId: string) => row("contacts", Rows.aContact({ id, workspaceId })),
    changeOf: (id: string) => set("contacts", { id }, { optedOut: true })
  },
  {
    table: "conversations",
    rowOf: (id: string, workspaceId: string) => row("conversations", Rows.aConversation({ id, workspaceId })),
    changeOf: (id: string) => set("conversations", { id }, { status: "closed" })
  },
  {
    table: "connections",
    rowOf: (id: string, workspaceId: string) => row("connections", Rows.aConnection({ id, workspaceId })),
    changeOf: (id: string) => set("connections", { id }, { name: "Renamed" })
  },
  {
    table: "endpoints",
    rowOf: (id: string, workspaceId: string) => row("endpoints", Rows.anEndpoint({ id, workspaceId })),
    changeOf: (id: string) => set("endpoints", { id }, { status: "disabled" })
  }
] as const

for (const { changeOf, rowOf, table } of looked) {
  it.scopedLive(
    `changes a row of ${table} while commits of two hosts that look at the row overlap`,
    () =>
      Effect.gen(function* () {
        const url = yield* freshPostgres
        const open = Effect.map(Layer.build(Layer.fresh(layer({ url: Redacted.make(url) }))), Context.get(Storage))
        const [one, other, administrator] = [yield* open, yield* open, yield* open]
        for (const statement of gates) yield* adminQuery(url, statement)
        const ids = Rows.makeTestIds(91)
        const [id, workspaceId] = [ids.next(1), ids.next(1)]
        const inserted = yield* one.commit(changes(workspaceId, { inserts: [rowOf(id, workspaceId)] }))
        expect(inserted._tag).toBe("Committed")

        let changed = false
        const until = (...conditions: ReadonlyArray<string>) =>
          Effect.iterate(false, {
            while: (holds) => !holds && !changed,
            body: () =>
              Effect.map(
                Effect.forEach(conditions, (condition) => adminQuery(url, condition)),
                (found) => found.some((rows) => rows.length > 0)
              )
          })
        const commit = (storage: Storage, written: Parameters<Storage["commit"]>[0]) =>
          Effect.fork(Effect.retry(storage.commit(written), { while: ({ _tag }) => _tag === "StorageBusy" }))
        const enter = (n: number) => {
          const lead = Rows.aLead({ id: ids.next(1), workspaceId, pipelineId: id, contactId: id, title: `${n}` })
          return commit(
            n % 2 === 0 ? one : other,
            changes(workspaceId, { expects: [expects(table, { id })], inserts: [row("leads", lead)] })
          )
        }
        const openGate = (n: number) => adminQuery(url, `INSERT INTO gates VALUES ('${n}') ON CONFLICT DO NOTHING`)

        const leads = [yield* enter(0)]
        yield* until(isAtGate(0))
        const change = yield* commit(
          administrator,
          changes(workspaceId, { expects: [expects(table, { id }, { version: 1 })], sets: [changeOf(id)] })
        )
        yield* Effect.fork(Effect.map(Fiber.await(change), () => (changed = true)))
        let rounds = 0
        for (; rounds < maxRounds && !changed; rounds++) {
          yield* until(waiting(table, 1))
          // The next lead holds the row before the last one lets go of it, unless it has to wait for the change.
          leads.push(yield* enter(rounds + 1))
          yield* until(isAtGate(rounds + 1), waiting(table, 2))
          yield* openGate(rounds)
          yield* until(`SELECT 1 WHERE NOT EXISTS (${isAtGate(rounds)})`)
        }
        const changedInTime = changed || rounds < maxRounds
        for (let n = 0; n <= maxRounds; n++) yield* openGate(n)
        expect(yield* Fiber.join(change)).toMatchObject({ _tag: "Committed" })
        expect((yield* Fiber.join(Fiber.all(leads))).map(({ _tag }) => _tag)).toEqual(leads.map(() => "Committed"))
        expect(changedInTime).toBe(true)
      }),
    120_000
  )
}
