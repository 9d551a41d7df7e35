import { isDeepStrictEqual } from "node:util"
import { type AnyLookup, CommitOutcome, changes, type Definition, keys, lookup, neverDue, row } from "@parley/core"
import { Effect } from "effect"
import { expect } from "vitest"
import { type Database, onHosts } from "./contractHosts.js"
import * as Rows from "./rows.js"

/** Rows are read as they were written. */
export const readContract = (database: Database, options: { readonly hosts: 1 | 2 }): void =>
  onHosts("reads", database, options, (test) => {
    test("reads back a row of every table as it was committed", ({ one }, ids) =>
      Effect.gen(function* () {
        const id = () => ids.next(Rows.someTime)
        const workspaceId = id()
        const definition: Definition = {
          conditions: { all: [{ tag: { has: "VIP" } }, { not: { data: { key: "total", isMoreThan: 0.5 } } }] },
          actions: [{ type: "add_tag", tag: "naïve", name: null, if: null, onError: "continue" }]
        }
        const made = [
          row("workspaces", Rows.aWorkspace({ id: workspaceId, defaultLanguage: null })),
          row("applications", Rows.anApplication({ id: id(), workspaceId })),
          row("apiKeys", Rows.anApiKey({ id: id(), workspaceId, revokedAt: Rows.someTime })),
          row("auditLog", Rows.anAuditEntry({ id: id(), workspaceId, applicationId: null })),
          row(
            "idempotency",
            Rows.anIdempotencyRecord({ workspaceId, applicationId: id(), body: '{"a":"ü\\u0001 💐"}' })
          ),
          row("connections", Rows.aConnection({ id: id(), workspaceId, config: { a: [1, { b: null }], c: "'" } })),
          row("accounts", Rows.aHeldAccount({ workspaceId })),
          row("templates", Rows.aTemplate({ id: id(), workspaceId, category: null })),
          row(
            "contacts",
            Rows.aContact({
              id: id(),
              workspaceId,
              optedOut: true,
              lastName: 'O\'Neill "Ada" 💐 \\ \n',
              tags: ["VIP", "naïve"],
              customFields: { plan: "gold", seats: 3, ratio: 0.25, paid: true, left: null }
            })
          ),
          row("addresses", Rows.anAddress({ workspaceId })),
          row("tags", Rows.aTag({ workspaceId })),
          row("customFields", Rows.aCustomField({ workspaceId })),
          row(
            "conversations",
            Rows.aConversation({ id: id(), workspaceId, connectionId: id(), assignedUserId: id(), botSessionId: id() })
          ),
          row(
            "messages",
            Rows.aMessage({
              id: id(),
              workspaceId,
              workflowRunId: id(),
              botSessionId: id(),
              html: "<p>Ada &amp; 12</p>",
              variables: ["Ada", "12"],
              attachments: [
                { id: id(), type: "image", contentType: "image/png", fileName: null, size: 9_007_199_254_740_991 }
              ],
              error: { code: "provider_error", message: "It was refused." },
              sentAt: Rows.someTime
            })
          ),
          row(
            "providerMessages",
            Rows.aProviderMessage({
              connectionId: id(),
              workspaceId,
              parked: [{ status: "read", at: Rows.someTime, error: null }]
            })
          ),
          row("events", Rows.anEvent({ id: id(), workspaceId, hasExternalReference: false, data: '{"z":1,"a":2}' })),
          row(
            "endpoints",
            Rows.anEndpoint({ id: id(), workspaceId, events: ["message.sent"], ordered: "conversation" })
          ),
          row(
            "deliveries",
            Rows.aDelivery({
              id: id(),
              workspaceId,
              completedAt: Rows.someTime,
              orderKey: id(),
              orderState: "waiting"
            })
          ),
          row("attempts", Rows.anAttempt({ id: id(), workspaceId, status: null, error: "no answer", answer: null })),
          row("oauthClients", Rows.anOAuthClient({ id: id(), workspaceId })),
          row("accessTokens", Rows.anAccessToken({ hash: workspaceId, workspaceId, scopes: ["events.send"] })),
          row("agents", Rows.anAgent({ id: id(), workspaceId, email: null })),
          row("teams", Rows.aTeam({ id: id(), workspaceId, agentIds: [id()] })),
          row("pipelines", Rows.aPipeline({ id: id(), workspaceId })),
          row("leads", Rows.aLead({ id: id(), workspaceId, value: 12.5, currency: "EUR" })),
          row(
            "workflows",
            Rows.aWorkflow({ id: id(), workspaceId, definition, versionId: id(), versions: 3, edited: false })
          ),
          row("workflowVersions", Rows.aWorkflowVersion({ id: id(), workspaceId, number: 3, definition })),
          row(
            "workflowRuns",
            Rows.aRun({
              id: id(),
              workspaceId,
              data: { order: { total: 0.1, lines: ["é", null] } },
              pending: { startedAt: Rows.someTime, attempts: 2, messageId: id(), until: Rows.someTime * 2 },
              steps: [
                {
                  position: 0,
                  type: "add_tag",
                  name: null,
                  outcome: "done",
                  detail: 'tagged "naïve"',
                  startedAt: 1,
                  endedAt: 2,
                  attempts: 1
                }
              ],
              reason: "It was stopped.",
              endedAt: Rows.someTime
            })
          ),
          row("runKeys", Rows.aRunKey({ workflowId: id(), workspaceId, key: "order 1 / é" })),
          row("bots", Rows.aBot({ id: id(), workspaceId })),
          row(
            "botSessions",
            Rows.aBotSession({
              id: id(),
              workspaceId,
              applicationId: id(),
              workflowRunId: id(),
              outcome: "timed_out",
              step: "size",
              answers: { size: "M", seats: 3, paid: true },
              endedAt: Rows.someTime
            })
          ),
          row("businessEvents", Rows.aBusinessEvent({ id: id(), workspaceId, data: { lines: [{ sku: "é" }] } })),
          row("tasks", Rows.aTask({ id: id(), workspaceId, dueAt: 9 })),
          row("notifications", Rows.aNotification({ id: id(), workspaceId, applicationId: null })),
          row("requestLog", Rows.aLoggedRequest({ id: id(), workspaceId, errorCode: "not_found" })),
          row("feed", Rows.aFeedEntry({ conversationId: id(), sequence: 7, workspaceId, messageId: id() })),
          row("attachedFiles", Rows.anAttachedFile({ id: id(), workspaceId, messageId: id(), reference: null })),
          row("uploads", Rows.anUpload({ id: id(), workspaceId, fileName: null, size: 2 ** 33 })),
          row("unknownEvents", Rows.anUnknownEvent({ id: id(), workspaceId, raw: '{"a":"😀"}' })),
          row(
            "jobs",
            Rows.aJob({ id: id(), workspaceId, payload: { nested: { list: [1] } }, runAt: Rows.someTime * 2 })
          )
        ]
        expect(made.map(({ table }) => table).sort()).toEqual(Object.keys(keys).sort())
        // Each time differs from the others of its row, and is no whole second.
        const rows = made.map(({ row, table }) => {
          let ms = 0
          const values = Object.entries(row).map(([column, value]) => [
            column,
            value === Rows.someTime ? value + ++ms : value
          ])
          return { table, row: Object.fromEntries(values) } as (typeof made)[number]
        })
        const outcome = yield* one.commit(changes(workspaceId, { inserts: rows }))
        expect(outcome).toEqual(CommitOutcome.Committed({ bumped: [] }))
        for (const { row, table } of rows) {
          const key = Object.fromEntries(keys[table].map((column) => [column, row[column as keyof typeof row]]))
          const { found } = yield* one.read({ found: { from: table, where: key } as AnyLookup })
          expect({ [table]: found }).toEqual({ [table]: [row] })
        }
      }))

    test("reads back long texts, all white space and exact numbers", ({ one, other }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, applicationId] = [ids.next(1), ids.next(1)]
        /** A text of this many characters (code points), with an end of its own. */
        const text = (length: number, end: string) => {
          const part = " na\u00efve e\u0301 \ud83d\udc90\r\n\t"
          const [size, rest] = [[...part].length, `${end} `]
          const repeated = part.repeat(Math.floor((length - rest.length) / size))
          return repeated + rest.padStart(length - [...repeated].length, "x")
        }
        const numbers = { tenth: 0.1, sum: 0.1 + 0.2, small: 1e-7, large: Number.MAX_SAFE_INTEGER, below: -0.5 }
        const id = () => ids.next(1)
        const rows = [
          row(
            "messages",
            Rows.aMessage({
              id: id(),
              workspaceId,
              body: text(100_000, "b"),
              html: text(1_048_576, "h"),
              subject: "",
              version: 70_000
            })
          ),
          row(
            "idempotency",
            Rows.anIdempotencyRecord({ workspaceId, applicationId, body: text(262_144, "i"), key: "k".repeat(255) })
          ),
          row("events", Rows.anEvent({ id: id(), workspaceId, data: JSON.stringify({ text: text(262_144, "e") }) })),
          row("unknownEvents", Rows.anUnknownEvent({ id: id(), workspaceId, raw: text(65_536, "u") })),
          row("attempts", Rows.anAttempt({ id: id(), workspaceId, answer: text(65_536, "a") })),
          row("templates", Rows.aTemplate({ id: id(), workspaceId, body: text(65_536, "t") })),
          row("connections", Rows.aConnection({ id: id(), workspaceId, config: { text: text(65_536, "c"), numbers } })),
          row(
            "businessEvents",
            Rows.aBusinessEvent({ id: id(), workspaceId, data: { text: text(65_536, "d"), numbers } })
          ),
          row(
            "contacts",
            Rows.aContact({ id: id(), workspaceId, customFields: { note: text(65_536, "n"), ...numbers } })
          ),
          row("leads", Rows.aLead({ id: id(), workspaceId, value: 999_999_999_999.99, currency: "EUR" })),
          row("leads", Rows.aLead({ id: id(), workspaceId, value: 0.005, currency: "EUR" })),
          row(
            "jobs",
            Rows.aJob({
              ...{ id: id(), workspaceId, lane: "parked", runAt: neverDue, epoch: Rows.someTime + 1, attempts: 70_000 },
              payload: { text: text(262_144, "j"), numbers }
            })
          )
        ]
        yield* one.commit(changes(workspaceId, { inserts: rows }))
        for (const { row, table } of rows) {
          const key = Object.fromEntries(keys[table].map((column) => [column, row[column as keyof typeof row]]))
          const { found } = yield* other.read({ found: { from: table, where: key } as AnyLookup })
          // Compared apart: the difference of such texts would not be readable.
          for (const [column, value] of Object.entries(row)) {
            const stored = found[0]?.[column as never] as unknown
            expect([table, column, isDeepStrictEqual(stored, value)]).toEqual([table, column, true])
          }
        }
      }))

    test("finds rows by several values and by null, and nothing by impossible values", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, conversationId] = [ids.next(1), ids.next(1)]
        const sent = Rows.aMessage({ id: ids.next(1), workspaceId, conversationId, sentAt: 5 })
        const queued = Rows.aMessage({ id: ids.next(2), workspaceId, conversationId })
        yield* one.commit(changes(workspaceId, { inserts: [row("messages", sent), row("messages", queued)] }))
        const found = yield* one.read({
          both: lookup("messages", { conversationId }),
          sent: lookup("messages", { conversationId, sentAt: 5 }),
          queued: lookup("messages", { conversationId, sentAt: null }),
          upper: lookup("messages", { id: sent.id.toUpperCase() }),
          none: lookup("messages", { conversationId: sent.id }),
          malformed: lookup("messages", { id: "it's none" }),
          again: lookup("messages", { conversationId, sentAt: 5 })
        })
        const byId = <M extends { readonly id: string }>(rows: ReadonlyArray<M>) =>
          [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))
        expect({ ...found, both: byId(found.both) }).toEqual({
          both: [sent, queued],
          sent: [sent],
          queued: [queued],
          upper: [sent],
          none: [],
          malformed: [],
          again: [sent]
        })
      }))

    test("reads earlier commits from every host", ({ one, other }, ids) =>
      Effect.forEach(
        Array.from({ length: 50 }, () => ids.next(1)),
        (id) =>
          Effect.gen(function* () {
            yield* one.commit(changes(id, { inserts: [row("workspaces", Rows.aWorkspace({ id }))] }))
            const found = yield* Effect.all(
              [one.read({ own: lookup("workspaces", { id }) }), other.read({ own: lookup("workspaces", { id }) })],
              { concurrency: 2 }
            )
            expect(found.map(({ own }) => own.length)).toEqual([1, 1])
          }),
        { concurrency: 10, discard: true }
      ))

    test("lists the newest first, page by page, by equality, by one of several values and by null", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const made = Array.from({ length: 7 }, (_, n) =>
          Rows.anAuditEntry({
            id: ids.next(n),
            workspaceId,
            action: `action.${n % 3}`,
            applicationId: n === 4 ? null : Rows.someApplicationId
          })
        )
        yield* one.commit(changes(workspaceId, { inserts: made.map((entry) => row("auditLog", entry)) }))
        const newest = [...made].reverse()
        const first = yield* one.list({ from: "auditLog", where: { workspaceId }, after: null, limit: 3 })
        expect(first).toEqual(newest.slice(0, 3))
        const rest = yield* one.list({
          from: "auditLog",
          where: { workspaceId },
          after: first[2]?.id ?? null,
          limit: 100
        })
        expect(rest).toEqual(newest.slice(3))
        const where = { workspaceId, action: ["action.0", "action.1"], applicationId: Rows.someApplicationId }
        const some = yield* one.list({ from: "auditLog", where, after: null, limit: 100 })
        expect(some).toEqual(newest.filter((entry) => where.action.includes(entry.action) && entry.applicationId))
        const without = yield* one.list({
          from: "auditLog",
          where: { workspaceId, applicationId: null },
          after: null,
          limit: 9
        })
        expect(without).toEqual([made[4]])
      }))

    test("lists the rows made since a time, and those after an id that no row has", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, conversationId] = [ids.next(1), ids.next(1)]
        const all = [5_000, 5_010, 5_020, 5_025, 5_030].map((moment) =>
          Rows.aMessage({ id: ids.next(moment), workspaceId, conversationId })
        )
        const made = all.filter((_, n) => n !== 3)
        const gone = all[3]?.id ?? ""
        yield* one.commit(changes(workspaceId, { inserts: made.map((message) => row("messages", message)) }))
        const listed = (since: number | undefined, after: string | null, limit = 9) =>
          Effect.map(
            one.list({
              ...{ from: "messages", where: { conversationId }, after, limit },
              ...(since === undefined ? {} : { since })
            }),
            (rows) => rows.map(({ id }) => made.findIndex((message) => message.id === id))
          )
        expect(yield* listed(5_010, null)).toEqual([3, 2, 1])
        expect(yield* listed(5_011, null)).toEqual([3, 2])
        expect(yield* listed(5_010, null, 2)).toEqual([3, 2])
        expect(yield* listed(5_010, made[2]?.id ?? "")).toEqual([1])
        expect(yield* listed(5_031, null)).toEqual([])
        expect(yield* listed(undefined, gone)).toEqual([2, 1, 0])
        expect(yield* listed(5_010, gone)).toEqual([2, 1])
      }))

    test("lists a thousand rows, finds a thousand with one lookup, and each with a lookup of its own", ({ one }, ids) =>
      Effect.gen(function* () {
        const workspaceId = ids.next(1)
        const made = Array.from({ length: 1_000 }, (_, n) =>
          Rows.anAuditEntry({ id: ids.next(1), workspaceId, action: `${n}` })
        )
        const tags = made.map(({ action }) => Rows.aTag({ workspaceId, folded: action }))
        yield* one.commit(
          changes(workspaceId, {
            inserts: [...made.map((entry) => row("auditLog", entry)), ...tags.map((tag) => row("tags", tag))]
          })
        )
        const page = (limit: number) => one.list({ from: "auditLog", where: { workspaceId }, after: null, limit })
        expect(yield* page(1_000)).toEqual([...made].reverse())
        expect(yield* page(999)).toHaveLength(999)
        const { found } = yield* one.read({ found: lookup("tags", { workspaceId }) })
        expect(found.map(({ folded }) => folded).sort()).toEqual(tags.map(({ folded }) => folded).sort())
        const each = yield* one.read(
          Object.fromEntries(tags.map(({ folded }) => [folded, lookup("tags", { workspaceId, folded })]))
        )
        expect(tags.filter(({ folded }) => each[folded]?.[0]?.folded !== folded)).toEqual([])
      }))

    test("lists selected columns", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, other] = [ids.next(1), ids.next(1)]
        const runs = [workspaceId, other, workspaceId].map((workspaceId) =>
          Rows.aRun({ id: ids.next(1), workspaceId, data: { long: "x".repeat(10) } })
        )
        yield* one.commit(changes(workspaceId, { inserts: runs.map((run) => row("workflowRuns", run)) }))
        const page = { from: "workflowRuns", where: { workspaceId }, after: null, limit: 9 } as const
        expect(yield* one.listColumns(page, ["status", "id", "pending"])).toEqual(
          [runs[2], runs[0]].map((run) => ({ id: run?.id, status: run?.status, pending: run?.pending }))
        )
      }))

    test("lists rows that are null or have one of several values", ({ one }, ids) =>
      Effect.gen(function* () {
        const [workspaceId, conversationId, own, other] = [ids.next(1), ids.next(1), ids.next(1), ids.next(1)]
        const made = [null, own, other, own, null].map((applicationId) =>
          Rows.aMessage({ id: ids.next(1), workspaceId, conversationId, applicationId })
        )
        yield* one.commit(changes(workspaceId, { inserts: made.map((message) => row("messages", message)) }))
        const listed = (applicationId: ReadonlyArray<string | null>, after: string | null = null) =>
          Effect.map(
            one.list({ from: "messages", where: { conversationId, applicationId }, after, limit: 9 }),
            (rows) => rows.map((message) => made.indexOf(made.find(({ id }) => id === message.id) as never))
          )
        expect(yield* listed([null, own])).toEqual([4, 3, 1, 0])
        expect(yield* listed([null, own], made[3]?.id)).toEqual([1, 0])
        expect(yield* listed([null])).toEqual([4, 0])
        expect(yield* listed([null, own, other])).toEqual([4, 3, 2, 1, 0])
        expect(yield* listed([null, "no uuid"])).toEqual([4, 0])
        expect(yield* listed([])).toEqual([])
      }))

    test("reports its health and the database's clock", ({ one }) =>
      Effect.gen(function* () {
        const { clock } = yield* one.check
        expect(clock).toBeGreaterThan(Rows.someTime - 10 * 365 * 86_400_000)
        expect(Number.isInteger(clock)).toBe(true)
      }))
  })
