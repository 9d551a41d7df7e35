import { expect, it } from "@effect/vitest"
import { migrate } from "@parley/postgres"
import type { Database, Session } from "@parley/sql"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import {
  everyContact,
  someApplicationId,
  someConnectionId,
  someContactId,
  someConversationId,
  someWorkflowId,
  someWorkspaceId
} from "@parley/testkit/rows"
import { Effect, Redacted } from "effect"
import { contactFacets, contactSearch } from "../../sql/src/contactLists.js"
import * as Lists from "../../sql/src/Lists.js"
import * as Statements from "../../sql/src/Statements.js"
import { tables } from "../../sql/src/Tables.js"
import { dialect } from "../src/dialect.js"
import { plannerSession } from "./plannerSession.js"

/** Scans of a plan with their conditions, such as `Index Scan using jobs_pkey on jobs t | (id = v.id)`. */
const scansOf = (plan: ReadonlyArray<string>) =>
  plan.flatMap((line, i) => {
    const scan = /((?:Seq|Index|Index Only|Bitmap Heap|Tid) Scan .*?)\s+\(cost/.exec(line)?.[1]
    const condition = /(?:Index|TID|Recheck) Cond: (.*)/.exec(plan[i + 1] ?? "")?.[1]
    return scan === undefined ? [] : [`${scan} | ${condition ?? "everything"}`]
  })

it.live(
  "looks rows up by index, also with a plan made while tables were empty",
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      yield* migrate({ url: Redacted.make(url) })
      yield* adminQuery(url, "ANALYZE")
      const session = plannerSession(url)
      const statements = Statements.make(dialect)
      const bulks = [
        ...tables.flatMap((table) => [
          statements.lock(table, [table.key[0]?.name ?? ""], "exclusive", "wait"),
          statements.lock(table, [table.key[0]?.name ?? ""], "shared", "skip"),
          statements.find(table, table.key, []),
          statements.remove(table),
          statements.update(table, [table.columns.at(-1)?.name ?? ""])
        ]),
        statements.remove(contactFacets),
        statements.remove(contactSearch),
        statements.count
      ]
      for (const bulk of bulks) {
        const rows = yield* adminQuery(session, `EXPLAIN (GENERIC_PLAN) ${bulk.textFor(0, 1)}`)
        const scans = scansOf(rows.map((row) => row["QUERY PLAN"]))
        expect(scans.length).toBeGreaterThan(0)
        expect(scans.filter((scan) => !/ \| .*(v\.|place|InitPlan)/.test(scan))).toEqual([])
      }
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "reads lists by index, also with a plan made while tables were empty",
  () =>
    Effect.gen(function* () {
      const url = yield* freshPostgres
      yield* migrate({ url: Redacted.make(url) })
      yield* adminQuery(url, "ANALYZE")
      const session = plannerSession(url)
      const texts: Array<string> = []
      const recording: Session = {
        run: (statements) =>
          Effect.sync(() => {
            texts.push(...statements.map(({ text }) => text))
            return statements.map(() => [{ id: null, total: 0 }])
          })
      }
      const database: Database = { withSession: (use) => use(recording) }
      const lists = yield* Lists.make(database, dialect, Statements.make(dialect))
      const everyone = everyContact(someWorkspaceId)
      const page = { offset: 0, limit: 25 }
      const connectionIds = [someConnectionId]
      const after = { lastActivityAt: 1, id: someConversationId }
      const requests: ReadonlyArray<readonly [Effect.Effect<unknown, unknown>, ReadonlyArray<string>]> = [
        [lists.listContacts(everyone, page), ["contact_counts_pkey", "contact_facets_pkey", "contacts_pkey"]],
        [
          lists.listContacts({ ...everyone, search: "ada" }, page),
          ["contact_search_workspace_id_search_key", "contacts_pkey"]
        ],
        [
          lists.listContacts({ ...everyone, search: "49 170 12", searchAlso: "4917012" }, page),
          ["contact_search_workspace_id_search_key", "contacts_pkey"]
        ],
        [
          lists.listContacts({ ...everyone, search: "ad", tag: "VIP" }, page),
          ["contact_facets_pkey", "contact_search_workspace_id_search_key", "contacts_pkey"]
        ],
        [
          lists.listContacts({ ...everyone, tag: "VIP", channel: "email" }, page),
          ["contact_counts_pkey", "contact_facets_pkey", "contacts_pkey"]
        ],
        [
          lists.listContacts({ ...everyone, createdAfter: 1 }, page),
          ["contacts_pkey", "contacts_workspace_id_created_at"]
        ],
        [
          lists.listJobs({ lane: "sends", workspaceId: someWorkspaceId }, { dueAt: 1, id: someContactId }, 25),
          ["jobs_lane_due_at"]
        ],
        [lists.listJobs({ lane: "subscriptions", workspaceId: null }, null, 1_000), ["jobs_lane_due_at"]],
        [
          lists.listConversations({ connectionIds, contactId: null, status: null }, after, 25),
          ["conversations_connection_id_status_last_activity_at_id", "conversations_pkey"]
        ],
        [
          lists.listConversations({ connectionIds, contactId: someContactId, status: "open" }, after, 25),
          ["conversations_contact_id", "conversations_pkey"]
        ],
        [
          lists.listConversations(
            {
              connectionIds: null,
              contactId: null,
              status: "open",
              workspaceId: someWorkspaceId,
              assignedUserId: someContactId
            },
            after,
            25
          ),
          ["conversations_assigned_user_id_last_activity_at_id", "conversations_pkey"]
        ],
        [
          lists.listConversations(
            { connectionIds: null, contactId: null, status: null, assignedTeamId: someContactId },
            after,
            25
          ),
          ["conversations_assigned_team_id_last_activity_at_id", "conversations_pkey"]
        ],
        [
          lists.list({
            from: "messages",
            where: { workspaceId: someWorkspaceId },
            after: someConversationId,
            limit: 25
          }),
          ["messages_workspace_id_id"]
        ],
        [
          lists.list({
            from: "messages",
            where: { conversationId: someConversationId, applicationId: [null, someApplicationId] },
            after: someConversationId,
            limit: 25
          }),
          ["messages_conversation_id_id"]
        ],
        [
          lists.list({ from: "messages", where: {}, notNull: "error", after: someConversationId, limit: 25 }),
          ["messages_id_failed"]
        ],
        [
          lists.list({
            from: "messages",
            where: { workspaceId: someWorkspaceId },
            notNull: "error",
            after: someConversationId,
            limit: 25
          }),
          ["messages_workspace_id_id_failed"]
        ],
        [
          lists.list({ from: "events", where: { subjectId: someContactId }, after: null, limit: 25 }),
          ["events_subject_id_id"]
        ],
        [
          lists.list({
            from: "deliveries",
            where: { endpointId: someContactId, status: "pending" },
            after: someConversationId,
            limit: 200
          }),
          ["deliveries_endpoint_id_id"]
        ],
        [
          lists.list({
            from: "deliveries",
            where: { endpointId: someContactId, orderKey: someConversationId, orderState: "waiting" },
            oldestFirstBy: "eventId",
            after: null,
            limit: 2
          }),
          ["deliveries_order"]
        ],
        [
          lists.list({
            from: "workflowRuns",
            where: { workflowId: someWorkflowId, status: "waiting" },
            after: someConversationId,
            limit: 25
          }),
          ["workflow_runs_workflow_id_id"]
        ],
        [
          lists.list({
            from: "workflowRuns",
            where: { workspaceId: someWorkspaceId, status: "waiting" },
            after: someConversationId,
            limit: 25
          }),
          ["workflow_runs_workspace_id_id"]
        ],
        [
          lists.list({
            from: "workflowRuns",
            where: { contactId: someContactId },
            after: someConversationId,
            limit: 25
          }),
          ["workflow_runs_contact_id_id"]
        ],
        [
          lists.list({ from: "workflowVersions", where: { workflowId: someWorkflowId }, after: null, limit: 25 }),
          ["workflow_versions_workflow_id_id"]
        ],
        [
          lists.list({ from: "bots", where: { workspaceId: someWorkspaceId }, after: null, limit: 25 }),
          ["bots_workspace_id_id"]
        ],
        [
          lists.list({ from: "botSessions", where: { botId: someContactId }, after: someConversationId, limit: 25 }),
          ["bot_sessions_bot_id_id"]
        ],
        [
          lists.list({ from: "botSessions", where: { conversationId: someConversationId }, after: null, limit: 25 }),
          ["bot_sessions_conversation_id_id"]
        ],
        [
          lists.list({ from: "botSessions", where: { contactId: someContactId }, after: null, limit: 25 }),
          ["bot_sessions_contact_id_id"]
        ]
      ]
      for (const [list, indexes] of requests) {
        yield* list
        const rows = yield* adminQuery(session, `EXPLAIN (GENERIC_PLAN) ${texts.pop()}`)
        const plan = rows.map((row) => `${row["QUERY PLAN"]}`)
        const used = plan.flatMap((line) => /(?:using|Bitmap Index Scan on) (\w+)/.exec(line)?.[1] ?? [])
        expect([...new Set(used)].sort()).toEqual(indexes)
        expect(plan.filter((line) => line.includes("Seq Scan"))).toEqual([])
      }
    }).pipe(Effect.scoped),
  120_000
)
