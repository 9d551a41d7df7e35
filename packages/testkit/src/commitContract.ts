import {
  type Bump,
  ChangesRejected,
  CommitOutcome,
  type Condition,
  changes,
  check,
  expect as expects,
  lookup,
  remove,
  row,
  type Settle,
  set
} from "@parley/core"
import { Cause, Effect, Exit, Fiber } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

const committed = CommitOutcome.Committed({ bumped: [] })

/** A commit writes all or nothing, and reports its outcome. */
export const commitContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("commits", database, options, (test) => {
    test("writes nothing of a commit that loses, for each reason", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, contactId, jobId] = [ids.next(1), ids.next(1), ids.next(1)]
        const taken = row("addresses", Rows.anAddress({ workspaceId, handle: "+1", contactId }))
        yield* one.commit(
          changes(workspaceId, {
            claims: [taken],
            inserts: [
              row("contacts", Rows.aContact({ id: contactId, workspaceId })),
              row("jobs", Rows.aJob({ id: jobId, workspaceId, epoch: 5 }))
            ]
          })
        )
        const attempt = (parts: Parameters<typeof changes>[1]) =>
          changes(
            workspaceId,
            {
              claims: [row("idempotency", Rows.anIdempotencyRecord({ workspaceId, applicationId: workspaceId }))],
              expects: [expects("contacts", { id: contactId })],
              sets: [set("contacts", { id: contactId }, { firstName: "Eve" })],
              bumps: [{ table: "contacts", id: contactId, greatest: { lastActivityAt: Rows.someTime + 9 } }],
              inserts: [row("messages", Rows.aMessage({ id: ids.next(1), workspaceId, conversationId: workspaceId }))],
              ensures: [row("tags", Rows.aTag({ workspaceId }))]
            },
            parts ?? {}
          )
        const settle: Settle = { jobId, epoch: 4, again: null }
        const outcomes = yield* Effect.all([
          one.commit(attempt({ claims: [taken] })),
          one.commit(attempt({ expects: [expects("contacts", { id: contactId }, { version: [2, 3] })] })),
          one.commit(attempt({ expects: [expects("contacts", { id: workspaceId })] })),
          one.commit(attempt({ settle })),
          one.commit(attempt({ settle, claims: [taken] }))
        ])
        expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Conflict", "Conflict", "Conflict", "Fenced", "Fenced"])
        const found = yield* one.read({
          records: lookup("idempotency", { applicationId: workspaceId, key: "order-1" }),
          contacts: lookup("contacts", { id: contactId }),
          messages: lookup("messages", { conversationId: workspaceId }),
          tags: lookup("tags", { workspaceId, folded: "vip" }),
          jobs: lookup("jobs", { id: jobId })
        })
        expect(found).toEqual({
          records: [],
          contacts: [Rows.aContact({ id: contactId, workspaceId })],
          messages: [],
          tags: [],
          jobs: [Rows.aJob({ id: jobId, workspaceId, epoch: 5 })]
        })
      }))

    test("compares the row of an unlocked expect", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, id] = [ids.next(1), ids.next(1)]
        yield* one.commit(
          changes(workspaceId, {
            inserts: [row("endpoints", Rows.anEndpoint({ id, workspaceId, consecutiveFailures: 3 }))]
          })
        )
        const checking = (failures: number, of = id) =>
          one.commit(
            changes(workspaceId, {
              expects: [check("endpoints", { id: of }, { consecutiveFailures: failures })],
              ensures: [row("tags", Rows.aTag({ workspaceId }))]
            })
          )
        const outcomes = yield* Effect.all([checking(2), checking(3, workspaceId), checking(3)])
        expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Conflict", "Conflict", "Committed"])
      }))

    test("names the reason of a lost commit", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const outcome = yield* one.commit(
          changes(workspaceId, { expects: [expects("contacts", { id: workspaceId }, { version: 1 })] })
        )
        expect(outcome).toEqual(CommitOutcome.Conflict({ lost: [`contacts:${workspaceId}`] }))
      }))

    test("compares null, booleans and lists of values in an expect", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, id, contactId, agentId] = [ids.next(1), ids.next(1), ids.next(1), ids.next(1)]
        yield* one.commit(
          changes(workspaceId, {
            inserts: [
              row(
                "conversations",
                Rows.aConversation({ id, workspaceId, connectionId: id, botSessionId: agentId, assignedUserId: null })
              ),
              row("contacts", Rows.aContact({ id: contactId, workspaceId, optedOut: true }))
            ]
          })
        )
        const conversation = (where: Condition<"conversations">) => expects("conversations", { id }, where)
        const contact = (where: Condition<"contacts">) => expects("contacts", { id: contactId }, where)
        const matching = [
          conversation({ assignedUserId: null }),
          conversation({ assignedUserId: ["me", null] }),
          conversation({ botSessionId: agentId, status: "open" }),
          conversation({ botSessionId: [null, agentId] }),
          contact({ optedOut: true, company: null })
        ]
        const failed = [
          conversation({ botSessionId: null }),
          conversation({ botSessionId: [null] }),
          conversation({ botSessionId: [null, id] }),
          conversation({ botSessionId: id }),
          conversation({ assignedUserId: "me" }),
          conversation({ assignedUserId: ["me", "you"] }),
          conversation({ assignedUserId: [] }),
          conversation({ assignedUserId: null, status: "closed" }),
          conversation({ status: "OPEN" as "open" }),
          contact({ optedOut: false }),
          contact({ company: "" })
        ]
        for (const [expectation, outcome] of [
          ...matching.map((each) => [each, "Committed"] as const),
          ...failed.map((each) => [each, "Conflict"] as const)
        ]) {
          const { _tag } = yield* one.commit(changes(workspaceId, { expects: [expectation] }))
          expect([expectation, _tag]).toEqual([expectation, outcome])
        }
      }))

    test("sets columns to null, and replaces lists and objects", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, id] = [ids.next(1), ids.next(1)]
        const contact = Rows.aContact({
          ...{ id, workspaceId, company: "Acme", city: "Paris", tags: ["VIP", "new"], optedOut: true, optedOutAt: 7 },
          customFields: { plan: "gold", seats: 3 }
        })
        yield* one.commit(changes(workspaceId, { inserts: [row("contacts", contact)] }))
        const values = {
          ...{ company: null, tags: [], identities: [], optedOut: false, optedOutAt: null, lastName: "" },
          customFields: { seats: 4 }
        }
        yield* one.commit(
          changes(workspaceId, {
            expects: [expects("contacts", { id }, { version: 1 })],
            sets: [set("contacts", { id }, values)]
          })
        )
        const { found } = yield* other.read({ found: lookup("contacts", { id }) })
        expect(found).toEqual([{ ...contact, ...values, version: 2 }])
      }))

    test("bumps every column of a bump, in every table that has bumps", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const [contact, conversation, connection, endpoint] = [
          Rows.aContact({ id: ids.next(1), workspaceId, lastActivityAt: 5 }),
          Rows.aConversation({ id: ids.next(1), workspaceId, connectionId: workspaceId, lastActivityAt: 5, fed: 2 }),
          Rows.aConnection({ id: ids.next(1), workspaceId, heldUntil: 70, heldMs: 30 }),
          Rows.anEndpoint({ id: ids.next(1), workspaceId, consecutiveFailures: 4 })
        ]
        yield* one.commit(
          changes(workspaceId, {
            inserts: [
              row("contacts", contact),
              row("conversations", conversation),
              row("connections", connection),
              row("endpoints", endpoint)
            ]
          })
        )
        const late = Rows.someTime + 1
        const bumps: ReadonlyArray<Bump> = [
          { table: "contacts", id: contact.id, greatest: { lastActivityAt: late } },
          {
            ...{ table: "conversations", id: conversation.id, add: { fed: 3 } },
            greatest: { lastActivityAt: late, lastInboundAt: late, readUpTo: -1 }
          },
          { table: "connections", id: connection.id, greatest: { heldUntil: 60 }, add: { heldMs: -20 } },
          { table: "endpoints", id: endpoint.id, reset: { consecutiveFailures: 1 } }
        ]
        const outcome = yield* one.commit(changes(workspaceId, { bumps }))
        const bumped = [
          { lastActivityAt: late },
          { lastActivityAt: late, lastInboundAt: late, readUpTo: 0, fed: 5 },
          { heldUntil: 70, heldMs: 10 },
          { consecutiveFailures: 1 }
        ]
        expect(outcome).toEqual(CommitOutcome.Committed({ bumped }))
        const found = yield* other.read({
          contacts: lookup("contacts", { id: contact.id }),
          conversations: lookup("conversations", { id: conversation.id }),
          connections: lookup("connections", { id: connection.id }),
          endpoints: lookup("endpoints", { id: endpoint.id })
        })
        expect(found).toEqual({
          contacts: [{ ...contact, ...bumped[0] }],
          conversations: [{ ...conversation, ...bumped[1] }],
          connections: [{ ...connection, ...bumped[2] }],
          endpoints: [{ ...endpoint, ...bumped[3] }]
        })
      }))

    test("claims by the unique columns, not by the id", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, connectionId] = [ids.next(1), ids.next(1)]
        const claim = () =>
          changes(workspaceId, {
            claims: [row("conversations", Rows.aConversation({ id: ids.next(1), workspaceId, connectionId }))]
          })
        expect(yield* one.commit(claim())).toEqual(committed)
        expect((yield* one.commit(claim()))._tag).toBe("Conflict")
      }))

    test("bumps without a new version and sets with one", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, id, gone] = [ids.next(1), ids.next(1), ids.next(1)]
        yield* one.commit(
          changes(workspaceId, {
            inserts: [row("endpoints", Rows.anEndpoint({ id, workspaceId, consecutiveFailures: 3 }))]
          })
        )
        const bump = (by: object, of = id) => ({ table: "endpoints" as const, id: of, ...by })
        const outcome = yield* one.commit(
          changes(workspaceId, {
            expects: [expects("endpoints", { id }, { version: 1, status: ["active", "disabled"] })],
            sets: [set("endpoints", { id }, { events: ["message.sent"], description: "new" })],
            bumps: [
              bump({ add: { consecutiveFailures: 2 } }),
              bump({ greatest: { consecutiveFailures: 4 } }),
              bump({ add: { consecutiveFailures: 1 } }, gone),
              bump({ reset: { consecutiveFailures: 1 } })
            ]
          })
        )
        expect(outcome).toEqual(
          CommitOutcome.Committed({
            bumped: [{ consecutiveFailures: 5 }, { consecutiveFailures: 5 }, {}, { consecutiveFailures: 1 }]
          })
        )
        const { found } = yield* one.read({ found: lookup("endpoints", { id }) })
        expect(found).toEqual([
          Rows.anEndpoint({
            id,
            workspaceId,
            version: 2,
            events: ["message.sent"],
            description: "new",
            consecutiveFailures: 1
          })
        ])
      }))

    test("removes expected rows, and leaves existing ensured rows unchanged", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const address = { workspaceId, space: "phone" as const, handle: "+1" }
        yield* one.commit(
          changes(workspaceId, {
            claims: [row("addresses", Rows.anAddress(address))],
            ensures: [row("tags", Rows.aTag({ workspaceId, folded: "vip", name: "VIP" }))]
          })
        )
        yield* one.commit(
          changes(workspaceId, {
            expects: [expects("addresses", address, { contactId: Rows.someContactId })],
            deletes: [remove("addresses", address)],
            ensures: [
              row("tags", Rows.aTag({ workspaceId, folded: "vip", name: "vip" })),
              row("tags", Rows.aTag({ workspaceId, folded: "new", name: "New" }))
            ]
          })
        )
        const found = yield* one.read({
          addresses: lookup("addresses", address),
          vip: lookup("tags", { workspaceId, folded: "vip" }),
          fresh: lookup("tags", { workspaceId, folded: "new" })
        })
        expect(found.addresses).toEqual([])
        expect([...found.vip, ...found.fresh].map(({ name }) => name)).toEqual(["VIP", "New"])
        expect(
          yield* one.commit(changes(workspaceId, { claims: [row("addresses", Rows.anAddress(address))] }))
        ).toEqual(committed)
      }))

    test("rejects only the one invalid commit of two hundred", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const twin = ids.next(1)
        yield* one.commit(
          changes(workspaceId, { inserts: [row("messages", Rows.aMessage({ id: twin, workspaceId }))] })
        )
        const commits = Array.from({ length: 200 }, (_, n) => {
          const body = n === 77 ? (null as unknown as string) : `message ${n}`
          const id = n === 150 ? twin : ids.next(1)
          return changes(workspaceId, {
            claims: [
              row("idempotency", Rows.anIdempotencyRecord({ workspaceId, applicationId: workspaceId, key: `${n}` }))
            ],
            inserts: [row("messages", Rows.aMessage({ id, workspaceId, conversationId: workspaceId, body }))]
          })
        })
        const exits = yield* Effect.forEach(commits, (commit) => Effect.exit(one.commit(commit)), {
          concurrency: "unbounded"
        })
        const failed = exits.flatMap((exit, n) => (Exit.isFailure(exit) ? [n] : []))
        expect(failed).toEqual([77, 150])
        const causes = exits.flatMap((exit) => (Exit.isFailure(exit) ? [Cause.squash(exit.cause)] : []))
        expect(causes.every((cause) => cause instanceof ChangesRejected)).toBe(true)
        const found = yield* one.read({
          messages: lookup("messages", { conversationId: workspaceId }),
          claim: lookup("idempotency", { applicationId: workspaceId, key: "77" })
        })
        expect(found.messages).toHaveLength(198)
        expect(found.claim).toEqual([])
      }))

    test("rejects a claim that is no JSON, and commits the others of its batch", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const connectionId = ids.next(1)
        const values: ReadonlyArray<ReadonlyArray<unknown>> = [[1n], []]
        const commits = values.map((parked, n) => {
          const known = { connectionId, workspaceId, messageId: null, createdAt: 1, version: 1 }
          const claimed = { ...known, providerMessageId: `${n}`, parked: parked as ReadonlyArray<never> }
          return changes(workspaceId, { claims: [row("providerMessages", claimed)] })
        })
        const exits = yield* Effect.forEach(commits, (commit) => Effect.exit(one.commit(commit)), {
          concurrency: "unbounded"
        })
        expect(exits.map(Exit.isSuccess)).toEqual([false, true])
      }))

    test("writes all or nothing of a commit whose caller is interrupted", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const commits = Array.from({ length: 300 }, () => ids.next(1))
        const fibers = yield* Effect.forEach(commits, (id) =>
          Effect.fork(
            one.commit(
              changes(workspaceId, {
                inserts: [
                  row("messages", Rows.aMessage({ id, workspaceId, conversationId: workspaceId })),
                  row("events", Rows.anEvent({ id, workspaceId }))
                ]
              })
            )
          )
        )
        const kept = fibers.filter((_, n) => n % 3 === 0)
        yield* Effect.forEach(
          fibers.filter((_, n) => n % 3 !== 0),
          (fiber, n) =>
            n % 2 === 0 ? Fiber.interrupt(fiber) : Effect.zipRight(Effect.yieldNow(), Fiber.interrupt(fiber)),
          { concurrency: "unbounded" }
        )
        expect(yield* Effect.forEach(kept, Fiber.join)).toEqual(kept.map(() => committed))
        for (const id of commits) {
          const found = yield* one.read({ messages: lookup("messages", { id }), events: lookup("events", { id }) })
          expect(found.messages.length).toBe(found.events.length)
        }
      }))
  })
