import { describe, expect, it } from "@effect/vitest"
import { changes, expect as expects, type Job, lookup, remove, row, Storage, set } from "@parley/core"
import { makeTestIds } from "@parley/memory"
import { Context, Effect, Layer } from "effect"
import { type Database, testTimeoutMs } from "./contractHosts.js"
import * as Rows from "./rows.js"

/**
 * What was answered is there when the database is opened again. Not for databases in memory, which end with their
 * layer. The hosts end in order here: an adapter tests by itself that a commit outlives a process that is killed.
 */
export const durabilityContract = (database: Database): void => {
  describe("durability", () => {
    /** Runs a body on a host that opens the database, and ends the host. */
    const withHost = <A, E, R>(
      open: Layer.Layer<Storage, unknown>,
      body: (storage: Storage) => Effect.Effect<A, E, R>
    ) =>
      Effect.scoped(Effect.flatMap(Layer.build(Layer.fresh(open)), (services) => body(Context.get(services, Storage))))
    it.scopedLive(
      "keeps every part of a commit, attempts and purges for the next host",
      () =>
        Effect.gen(function* () {
          const ids = makeTestIds(77)
          const [workspaceId, contactId, jobId, endpointId] = [ids.next(1), ids.next(1), ids.next(1), ids.next(1)]
          const contact = Rows.aContact({ id: contactId, workspaceId })
          const address = Rows.anAddress({ workspaceId })
          const record = (key: string, expiresAt: number) =>
            Rows.anIdempotencyRecord({ workspaceId, applicationId: workspaceId, key, expiresAt })
          const [kept, purged] = [record("kept", 9), record("purged", 5)]
          const ended = Rows.aJob({ id: ids.next(1), workspaceId, lane: "calls", runAt: 0 })
          const open = yield* database
          const sent = yield* withHost(open, (storage) =>
            Effect.gen(function* () {
              yield* storage.commit(
                changes(workspaceId, {
                  claims: [row("addresses", address), row("idempotency", kept), row("idempotency", purged)],
                  inserts: [
                    row("contacts", contact),
                    row("endpoints", Rows.anEndpoint({ id: endpointId, workspaceId })),
                    row("jobs", Rows.aJob({ id: jobId, workspaceId, lane: "sends", runAt: 0 })),
                    row("jobs", ended)
                  ],
                  ensures: [row("tags", Rows.aTag({ workspaceId }))]
                })
              )
              const { jobs } = yield* storage.claimJobs({
                now: 0,
                owner: "first",
                leaseMs: 1_000,
                lanes: (["sends", "calls"] as const).map((lane) => ({ lane, limit: 9, perSubject: 9, except: [] }))
              })
              const [send, call] = [jobs.find(({ id }) => id === jobId), jobs.find(({ id }) => id === ended.id)]
              const { epoch = 0 } = send ?? {}
              expect(yield* storage.beginAttempt({ jobId, epoch, owner: "first", attempt: 1 })).toBe(true)
              yield* storage.purge("idempotency", 6, 10)
              yield* storage.commit(
                changes(workspaceId, {
                  expects: [
                    expects("contacts", { id: contactId }, { version: 1 }),
                    expects("addresses", { workspaceId, space: address.space, handle: address.handle })
                  ],
                  sets: [set("contacts", { id: contactId }, { company: "Acme", phone: null })],
                  deletes: [remove("addresses", { workspaceId, space: address.space, handle: address.handle })],
                  bumps: [{ table: "endpoints", id: endpointId, add: { consecutiveFailures: 2 } }],
                  settle: { jobId: ended.id, epoch: call?.epoch ?? 0, again: null }
                })
              )
              return send as Job
            })
          )
          yield* withHost(open, (storage) =>
            Effect.gen(function* () {
              const found = yield* storage.read({
                contacts: lookup("contacts", { id: contactId }),
                addresses: lookup("addresses", { workspaceId, space: address.space, handle: address.handle }),
                kept: lookup("idempotency", { applicationId: workspaceId, key: "kept" }),
                purged: lookup("idempotency", { applicationId: workspaceId, key: "purged" }),
                endpoints: lookup("endpoints", { id: endpointId }),
                tags: lookup("tags", { workspaceId, folded: "vip" }),
                ended: lookup("jobs", { id: ended.id })
              })
              expect(found).toEqual({
                contacts: [{ ...contact, company: "Acme", phone: null, version: 2 }],
                addresses: [],
                kept: [kept],
                purged: [],
                endpoints: [Rows.anEndpoint({ id: endpointId, workspaceId, consecutiveFailures: 2 })],
                tags: [Rows.aTag({ workspaceId })],
                ended: []
              })
              const again = yield* storage.commit(changes(workspaceId, { claims: [row("idempotency", kept)] }))
              expect(again._tag).toBe("Conflict")
              // The next holder sees that the provider may have been called, and fences the former one.
              const { jobs } = yield* storage.claimJobs({
                now: 1_000,
                owner: "second",
                leaseMs: 1_000,
                lanes: [{ lane: "sends", limit: 9, perSubject: 9, except: [] }]
              })
              expect(jobs).toMatchObject([{ id: jobId, attempts: 1 }])
              const settle = { jobId, epoch: sent.epoch, again: null }
              expect((yield* storage.commit(changes(workspaceId, { settle })))._tag).toBe("Fenced")
            })
          )
        }),
      testTimeoutMs
    )
  })
}
