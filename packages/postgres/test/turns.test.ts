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
const waits = (lock: string) =>
  `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%pipelines%${lock}%' AND pid <> pg_backend_pid()`

const maxRounds = 10

it.scopedLive(
  "changes a row while commits of two hosts that look at the row overlap",
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      const open = Effect.map(Layer.build(Layer.fresh(layer({ url: Redacted.make(url) }))), Context.get(Storage))
      const [one, other, administrator] = [yield* open, yield* open, yield* open]
      for (const statement of gates) yield* adminQuery(url, statement)
      const ids = Rows.makeTestIds(91)
      const [id, workspaceId] = [ids.next(1), ids.next(1)]
      yield* one.commit(changes(workspaceId, { inserts: [row("pipelines", Rows.aPipeline({ id, workspaceId }))] }))

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
          changes(workspaceId, { expects: [expects("pipelines", { id })], inserts: [row("leads", lead)] })
        )
      }
      const openGate = (n: number) => adminQuery(url, `INSERT INTO gates VALUES ('${n}') ON CONFLICT DO NOTHING`)

      const leads = [yield* enter(0)]
      yield* until(isAtGate(0))
      const change = yield* commit(
        administrator,
        changes(workspaceId, {
          expects: [expects("pipelines", { id }, { version: 1 })],
          sets: [set("pipelines", { id }, { name: "Renamed" })]
        })
      )
      yield* Effect.fork(Effect.map(Fiber.await(change), () => (changed = true)))
      let rounds = 0
      for (; rounds < maxRounds && !changed; rounds++) {
        yield* until(waits("NO KEY UPDATE"))
        // The next lead holds the row before the last one lets go of it, unless it has to wait for the change.
        leads.push(yield* enter(rounds + 1))
        yield* until(isAtGate(rounds + 1), waits("SHARE"))
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
