import { expect, layer } from "@effect/vitest"
import { changes, row } from "@parley/core"
import { aBotSession, aBusinessEvent, aMessage, aRun } from "@parley/testkit/rows"
import { Effect } from "effect"
import { administer, administerInVain, Hosts, hosts, newCaller } from "../hosts.js"

interface Entry {
  readonly id: string
  readonly at: string
  readonly type: string
  readonly subject_type: string
  readonly subject_id: string
  readonly channel: string | null
  readonly status: string | null
  readonly explanation: string
}

/** A UUIDv7 of this moment. */
const idAt = (moment: number) => {
  const time = moment.toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(Math.random()).slice(2, 14).padEnd(12, "0")}`
}

const history = (id: string, query = "") =>
  Effect.map(administer(200, "GET", `/contacts/${id}/history${query}`), (entries): ReadonlyArray<Entry> => entries)

/** Answers a call with its whole body, to read links. */
const page = (path: string) =>
  Effect.gen(function* () {
    const { one } = yield* Hosts
    const { json } = yield* one("GET", path, { token: "admin-token" })
    return json as { readonly data: ReadonlyArray<Entry>; readonly links: { readonly next: string | null } }
  })

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the history of a contact on ${name}`, (it) => {
    it.effect("tells changes, opt-outs and opt-ins with what they were before, newest first", () =>
      Effect.gen(function* () {
        const { workspaceId: workspace_id } = yield* newCaller()
        const { id } = yield* administer(201, "POST", "/contacts", { workspace_id, phone: "+491701234567" })
        yield* administer(200, "PATCH", `/contacts/${id}`, { marketing_opted_out: true })
        yield* administer(200, "PATCH", `/contacts/${id}`, { marketing_opted_out: false, company: "Acme" })
        yield* administer(200, "PATCH", `/contacts/${id}`, { phone: "+491709999999" })
        const entries = yield* history(id)
        expect(entries.map(({ explanation, type }) => [type, explanation])).toEqual([
          ["contact_changed", expect.stringContaining("phone was +491701234567, is +491709999999")],
          ["opt_in", "Opted in to marketing; company was none, is Acme"],
          ["opt_out", "Opted out of marketing"],
          ["contact_created", "Created"]
        ])
        expect(entries[0]?.explanation).toContain("+491709999999")
        expect(entries.every(({ subject_id, subject_type }) => subject_type === "contact" && subject_id === id)).toBe(
          true
        )
      })
    )

    it.effect("tells messages with their states, conversations, leads, events, runs and bots", () =>
      Effect.gen(function* () {
        const { storage } = yield* Hosts
        const { workspaceId: workspace_id } = yield* newCaller({ email: true })
        const [connection] = yield* administer(200, "GET", `/connections?workspace_id=${workspace_id}`)
        yield* administer(201, "POST", `/connections/${connection.id}/simulate-inbound`, {
          from: "ada@example.org",
          body: "Where is my order?"
        })
        const found = Effect.flatMap(
          administer(200, "GET", `/contacts?workspace_id=${workspace_id}&handle=ada@example.org`),
          (contacts) => Effect.succeed(contacts[0])
        )
        const { id: contactId } = yield* found
        const [conversation] = yield* administer(200, "GET", `/conversations?contact_id=${contactId}`)
        yield* administer(200, "PATCH", `/conversations/${conversation.id}`, { status: "resolved" })
        const base = Date.now() + 1_000
        const of = { workspaceId: workspace_id, contactId }
        const message = aMessage({
          id: idAt(base),
          ...of,
          conversationId: conversation.id,
          direction: "outbound",
          status: "read",
          body: `It leaves today.${"!".repeat(100)}`,
          applicationId: null,
          sentAt: Date.parse("2026-05-04T08:30:00.000Z"),
          createdAt: base
        })
        const event = aBusinessEvent({ id: idAt(base + 1), ...of, name: "order.shipped", createdAt: base + 1 })
        const run = aRun({
          id: idAt(base + 2),
          ...of,
          eventName: "order.shipped",
          status: "failed",
          reason: "It broke",
          createdAt: base + 2
        })
        const bot = aBotSession({
          id: idAt(base + 3),
          ...of,
          conversationId: conversation.id,
          botName: "Concierge",
          startedAt: base + 3
        })
        yield* storage.commit(
          changes(workspace_id, {
            inserts: [
              row("messages", message),
              row("businessEvents", event),
              row("workflowRuns", run),
              row("botSessions", bot)
            ]
          })
        )
        const { id: task } = yield* administer(201, "POST", "/tasks", {
          workspace_id,
          contact_id: contactId,
          title: "Call back"
        })
        const entries = yield* history(contactId)
        const byType = (type: string) => entries.find((entry) => entry.type === type)
        expect(byType("message_received")).toMatchObject({
          channel: "email",
          status: null,
          explanation: 'From ada@example.org: "Where is my order?"'
        })
        expect(byType("message_sent")).toEqual({
          id: message.id,
          at: new Date(base).toISOString(),
          type: "message_sent",
          subject_type: "message",
          subject_id: message.id,
          channel: "email",
          status: "read",
          explanation: `To ada@example.org, by an agent, sent 2026-05-04T08:30:00.000Z: "It leaves today.${"!".repeat(64)}…"`
        })
        expect(byType("conversation_opened")).toMatchObject({ subject_id: conversation.id, status: "resolved" })
        expect(byType("conversation_status_changed")?.explanation).toBe("From open to resolved")
        expect(byType("event_received")?.explanation).toContain("order.shipped from application")
        expect(byType("run_started")).toMatchObject({
          status: "failed",
          explanation: expect.stringContaining("It broke")
        })
        expect(byType("bot_started")?.explanation).toContain("Concierge")
        expect(byType("task_opened")).toMatchObject({ subject_id: task, explanation: '"Call back"' })
        expect(entries.map(({ id }) => id)).toEqual(
          entries
            .map(({ id }) => id)
            .sort()
            .reverse()
        )
      })
    )

    it.effect("is read in pages without gaps, and since a time", () =>
      Effect.gen(function* () {
        const { workspaceId: workspace_id } = yield* newCaller()
        const { id } = yield* administer(201, "POST", "/contacts", { workspace_id, email: "ada@example.org" })
        for (let n = 0; n < 5; n++) yield* administer(200, "PATCH", `/contacts/${id}`, { company: `Company ${n}` })
        for (let n = 0; n < 3; n++) {
          yield* administer(201, "POST", "/tasks", { workspace_id, contact_id: id, title: `Task ${n}` })
        }
        const whole = yield* history(id)
        expect(whole).toHaveLength(9)
        const read: Array<Entry> = []
        for (let path: string | null = `/admin/v1/contacts/${id}/history?limit=2`; path !== null; ) {
          const { data, links }: Effect.Effect.Success<ReturnType<typeof page>> = yield* page(path)
          read.push(...data)
          path = links.next === null ? null : links.next.slice(links.next.indexOf("/admin"))
        }
        expect(read).toEqual(whole)
        const third = whole[2] as Entry
        expect((yield* history(id, `?since=${third.at}`)).map((entry) => entry.id)).toEqual(
          whole.filter(({ at }) => at >= third.at).map((entry) => entry.id)
        )
        expect((yield* history(id, "?since=2999-01-01")).length).toBe(0)
      })
    )

    it.effect("tells a merge, and what happened with the contact that was merged", () =>
      Effect.gen(function* () {
        const { storage } = yield* Hosts
        const { workspaceId: workspace_id } = yield* newCaller()
        const { id } = yield* administer(201, "POST", "/contacts", { workspace_id, email: "ada@example.org" })
        const other = yield* administer(201, "POST", "/contacts", { workspace_id, phone: "+491701234567" })
        yield* administer(200, "PATCH", `/contacts/${other.id}`, { opted_out: true })
        yield* administer(200, "POST", `/contacts/${id}/merge`, { contact_id: other.id })
        // The job of the merge, which no worker runs here, moves the events.
        const events = yield* storage.list({ from: "events", where: { subjectId: other.id }, after: null, limit: 9 })
        yield* storage.commit(
          changes(workspace_id, {
            expects: events.map((event) => ({ table: "events", key: { id: event.id }, where: {} }) as never),
            sets: events.map(
              (event) => ({ table: "events", key: { id: event.id }, values: { subjectId: id } }) as never
            )
          })
        )
        const entries = yield* history(id)
        expect(entries.map(({ subject_id, type }) => [type, subject_id])).toEqual([
          ["contact_merged", id],
          ["opt_out", other.id],
          ["contact_created", other.id],
          ["contact_created", id]
        ])
        expect(entries[0]?.explanation).toBe(
          "Another contact was merged into this one; opted out of all messages; added phone +491701234567; phone was none, is +491701234567"
        )
        expect(yield* administerInVain("GET", `/contacts/${other.id}/history`)).toEqual([404, "not_found", {}])
      })
    )
  })
}
