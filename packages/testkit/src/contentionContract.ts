import { type Bump, changes, expect as expects, lookup, type RunKey, row, set } from "@parley/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

/** Concurrent commits of one host or two have the same result as sequential ones. */
export const contentionContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("contention", database, options, (test) => {
    test("lets one of two hosts win each new handle and each idempotency key", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const race = (host: typeof one, n: number) => {
          const contactId = ids.next(1)
          return host.commit(
            changes(workspaceId, {
              claims: [
                row("addresses", Rows.anAddress({ workspaceId, handle: `+${n}`, contactId })),
                row("idempotency", Rows.anIdempotencyRecord({ workspaceId, applicationId: workspaceId, key: `${n}` }))
              ],
              inserts: [row("contacts", Rows.aContact({ id: contactId, workspaceId }))]
            })
          )
        }
        for (let round = 0; round < 10; round++) {
          const numbers = Array.from({ length: 20 }, (_, n) => round * 20 + n)
          const outcomes = yield* Effect.all(
            [...numbers.map((n) => race(one, n)), ...[...numbers].reverse().map((n) => race(other, n))],
            { concurrency: "unbounded" }
          )
          expect(outcomes.filter(({ _tag }) => _tag === "Committed")).toHaveLength(20)
          for (const n of numbers) {
            const { addresses } = yield* one.read({
              addresses: lookup("addresses", { workspaceId, space: "phone", handle: `+${n}` })
            })
            const { contacts } = yield* one.read({
              contacts: lookup("contacts", { id: addresses[0]?.contactId ?? "" })
            })
            expect(contacts).toHaveLength(1)
          }
        }
        const all = yield* one.list({ from: "contacts", where: { workspaceId }, after: null, limit: 1_000 })
        expect(all).toHaveLength(200)
      }))

    test("starts one run for a run key, even if a run of another workflow has that key", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const [workflowId, applicationId, elsewhere] = [ids.next(1), ids.next(1), ids.next(1)]
        const start = (host: typeof one, given: Partial<RunKey> = {}) => {
          const run = Rows.aRun({ id: ids.next(1), workspaceId, workflowId, applicationId })
          const key = Rows.aRunKey({ workspaceId, workflowId, applicationId, runId: run.id, ...given })
          return host.commit(
            changes(workspaceId, { claims: [row("runKeys", key)], inserts: [row("workflowRuns", run)] })
          )
        }
        const outcomes = yield* Effect.all(
          Array.from({ length: 40 }, (_, n) => start(n % 2 === 0 ? one : other)),
          { concurrency: "unbounded" }
        )
        expect(outcomes.filter(({ _tag }) => _tag === "Committed")).toHaveLength(1)
        const others = [{ key: "order-2" }, { workflowId: elsewhere }, { applicationId: elsewhere }]
        for (const given of others) expect((yield* start(other, given))._tag).toBe("Committed")
        const runs = yield* one.list({ from: "workflowRuns", where: { workspaceId }, after: null, limit: 9 })
        expect(runs).toHaveLength(4)
        const { keys } = yield* one.read({ keys: lookup("runKeys", { workflowId, applicationId, key: "order-1" }) })
        expect(keys).toMatchObject([{ runId: runs.at(-1)?.id }])
      }))

    test("sums deltas exactly, and never deadlocks on rows locked from both sides", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const endpoints = Array.from({ length: 12 }, () => ids.next(1))
        const contacts = Array.from({ length: 12 }, () => ids.next(1))
        yield* one.commit(
          changes(workspaceId, {
            inserts: [
              ...endpoints.map((id) => row("endpoints", Rows.anEndpoint({ id, workspaceId }))),
              ...contacts.map((id) => row("contacts", Rows.aContact({ id, workspaceId, lastActivityAt: 0 })))
            ]
          })
        )
        const touch = (host: typeof one, n: number, backwards: boolean) => {
          const at = <A>(list: ReadonlyArray<A>, nth: number) => list[nth % list.length] as A
          const bumps: Array<Bump> = [0, 1, 2].flatMap(
            (step): Array<Bump> => [
              { table: "endpoints", id: at(endpoints, n + step), add: { consecutiveFailures: 1 } },
              { table: "contacts", id: at(contacts, n * 5 + step), greatest: { lastActivityAt: n } }
            ]
          )
          return host.commit(changes(workspaceId, { bumps: backwards ? bumps.reverse() : bumps }))
        }
        const numbers = Array.from({ length: 400 }, (_, n) => n)
        const outcomes = yield* Effect.all(
          [...numbers.map((n) => touch(one, n, false)), ...numbers.map((n) => touch(other, n, true))],
          { concurrency: "unbounded" }
        )
        expect(outcomes.every(({ _tag }) => _tag === "Committed")).toBe(true)
        const rows = yield* one.list({ from: "endpoints", where: { workspaceId }, after: null, limit: 100 })
        expect(rows.reduce((sum, { consecutiveFailures }) => sum + consecutiveFailures, 0)).toBe(800 * 3)
        expect(rows.every(({ version }) => version === 1)).toBe(true)
      }))

    test("keeps the bumps of a row beside sets of its other columns", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, id] = [ids.next(1), ids.next(1)]
        const made = Rows.aConversation({ id, workspaceId, connectionId: id, lastActivityAt: 0 })
        yield* one.commit(changes(workspaceId, { inserts: [row("conversations", made)] }))
        const bump = (n: number): Bump => ({
          ...{ table: "conversations", id, add: { fed: 1 }, greatest: { lastActivityAt: n } }
        })
        const commits = Array.from({ length: 200 }, (_, n) =>
          (n % 3 === 0 ? other : one).commit(
            changes(
              workspaceId,
              { bumps: [bump(n)] },
              n % 4 === 0
                ? {
                    expects: [expects("conversations", { id })],
                    sets: [set("conversations", { id }, { assignedUserId: `${n}` })]
                  }
                : {}
            )
          )
        )
        const outcomes = yield* Effect.all(commits, { concurrency: "unbounded" })
        expect(outcomes.every(({ _tag }) => _tag === "Committed")).toBe(true)
        const { found } = yield* other.read({ found: lookup("conversations", { id }) })
        expect(found).toMatchObject([{ fed: 200, lastActivityAt: 199, version: 51 }])
      }))

    test("commits one guarded change for each version", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, id] = [ids.next(1), ids.next(1)]
        yield* one.commit(
          changes(workspaceId, {
            inserts: [row("conversations", Rows.aConversation({ id, workspaceId, connectionId: id }))]
          })
        )
        const raise = (host: typeof one): Effect.Effect<number, unknown> =>
          Effect.gen(function* () {
            const { conversations } = yield* host.read({ conversations: lookup("conversations", { id }) })
            const version = conversations[0]?.version ?? 0
            const outcome = yield* host.commit(
              changes(workspaceId, {
                expects: [expects("conversations", { id }, { version })],
                sets: [set("conversations", { id }, { assignedUserId: `${version}` })]
              })
            )
            return outcome._tag === "Committed" ? 1 : yield* raise(host)
          })
        const rounds = [one, other, one, other, one, other].map((host) => Effect.repeatN(raise(host), 4))
        yield* Effect.all(rounds, { concurrency: "unbounded" })
        const { conversations } = yield* one.read({ conversations: lookup("conversations", { id }) })
        expect(conversations.map(({ assignedUserId, version }) => ({ assignedUserId, version }))).toEqual([
          { assignedUserId: "30", version: 31 }
        ])
      }))
  })
