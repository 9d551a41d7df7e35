import { expect, layer } from "@effect/vitest"
import { changes, expect as expects, set } from "@parley/core"
import { Effect } from "effect"
import { administer, administerInVain, adminToken, Hosts, hosts, newCaller, post, reported } from "../hosts.js"

const unknownId = "01900000-0000-7000-8000-00000000dead"
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const invalid = (details: { readonly [field: string]: string }) => [
  422,
  "validation_failed",
  Object.fromEntries(Object.entries(details).map(([field, message]) => [field, [message]]))
]
const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

/** A workspace with two customers who wrote by email (the second one last), an agent and a team. */
const newDesk = Effect.gen(function* () {
  const caller = yield* newCaller({ email: true })
  const workspace_id = caller.workspaceId
  const [connection] = yield* administer(200, "GET", `/connections?workspace_id=${workspace_id}`)
  const write = (from: string, body = "Hello") =>
    administer(201, "POST", `/connections/${connection.id}/simulate-inbound`, { from, body })
  const ada = yield* write("ada@example.org")
  const bob = yield* write("bob@example.org")
  const agent = yield* administer(201, "POST", "/agents", { workspace_id, name: "Grace" })
  const team = yield* administer(201, "POST", "/teams", { workspace_id, name: "Desk", agent_ids: [agent.id] })
  return { caller, workspace_id, connection, write, ada, bob, agent, team }
})
const replyTo = (id: string, json: object, key?: string) =>
  Effect.flatMap(Hosts, ({ other }) =>
    other("POST", `/admin/v1/conversations/${id}/messages`, {
      token: "admin-token",
      json,
      ...(key === undefined ? {} : { headers: { "idempotency-key": key } })
    })
  )

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`agent work in the admin API on ${name}`, (it) => {
    it.effect("lets one of several agents take a conversation that all expect to be free", () =>
      Effect.gen(function* () {
        const { ada, agent, workspace_id } = yield* newDesk
        const others = yield* Effect.forEach(["Alan", "Edsger", "Barbara"], (name) =>
          administer(201, "POST", "/agents", { workspace_id, name })
        )
        const path = `/conversations/${ada.conversation_id}`
        const take = ({ id }: { readonly id: string }, place: number) =>
          Effect.map(
            Effect.flatMap(Hosts, ({ one, other }) =>
              (place % 2 === 0 ? one : other)("PATCH", `/admin/v1${path}`, {
                token: "admin-token",
                json: { assigned_user_id: id, expect: { assigned_user_id: null } }
              })
            ),
            (answer) => ({ id, status: answer.status, refusal: reported(answer) })
          )
        const answers = yield* Effect.forEach([agent, ...others], take, { concurrency: "unbounded" })
        const winners = answers.filter(({ status }) => status === 200)
        expect(winners).toHaveLength(1)
        expect((yield* administer(200, "GET", path)).assigned_user_id).toBe(winners[0]?.id)
        for (const { refusal } of answers.filter(({ status }) => status !== 200)) {
          const details = { "expect.assigned_user_id": ["has another value now"] }
          expect(refusal).toEqual([409, "invalid_transition", details])
        }
      })
    )
    it.effect("keeps tags that were added to a contact meanwhile", () =>
      Effect.gen(function* () {
        const { bob } = yield* newDesk
        const path = `/contacts/${bob.contact_id}`
        yield* administer(200, "PATCH", path, { tags: ["vip"], expect: { tags: [] } })
        expect(yield* administerInVain("PATCH", path, { tags: ["new"], expect: { tags: [] } })).toEqual([
          409,
          "invalid_transition",
          { "expect.tags": ["has another value now"] }
        ])
        expect((yield* administer(200, "GET", path)).tags).toEqual(["vip"])
      })
    )
    it.effect("lists conversations by last activity, with every filter", () =>
      Effect.gen(function* () {
        const { ada, agent, bob, connection, team, workspace_id, write } = yield* newDesk
        yield* write("ada@example.org", "Still there?")
        const list = (query: string) => administer(200, "GET", `/conversations?${query}`)
        const both = [ada.conversation_id, bob.conversation_id]
        expect(idsOf(yield* list(`workspace_id=${workspace_id}`))).toEqual(both)
        expect(idsOf(yield* list(`connection_id=${connection.id}&workspace_id=${unknownId}`))).toEqual([])
        expect(idsOf(yield* list(`contact_id=${bob.contact_id}`))).toEqual([bob.conversation_id])
        const activeSince = (time: string) => list(`workspace_id=${workspace_id}&since=${time}`)
        expect(idsOf(yield* activeSince(bob.received_at))).toEqual(both)
        expect(idsOf(yield* activeSince("2999-01-01"))).toEqual([])
        const messagesSince = (time: string) =>
          administer(200, "GET", `/messages?workspace_id=${workspace_id}&since=${time}`)
        expect(yield* messagesSince(ada.received_at)).toHaveLength(3)
        expect(yield* messagesSince("2999-01-01")).toEqual([])
        const path = `/conversations/${bob.conversation_id}`
        const patch = { status: "pending", assigned_user_id: agent.id, assigned_team_id: team.id }
        const changed = yield* administer(200, "PATCH", path, patch)
        expect(changed).toEqual({
          id: bob.conversation_id,
          workspace_id,
          contact_id: bob.contact_id,
          connection_id: connection.id,
          channel: "email",
          handle: "bob@example.org",
          contact_name: (yield* administer(200, "GET", `/contacts/${bob.contact_id}`)).name,
          last_message: yield* administer(200, "GET", `/messages/${bob.id}`),
          ...patch,
          last_activity_at: bob.received_at,
          service_window_expires_at: null,
          created_at: time
        })
        expect(yield* administer(200, "GET", path)).toEqual(changed)
        for (const query of [
          `connection_id=${connection.id}&status=pending`,
          `workspace_id=${workspace_id}&status=pending`,
          `assigned_user_id=${agent.id}`,
          `assigned_team_id=${team.id}&status=pending&workspace_id=${workspace_id}`
        ]) {
          expect([query, yield* list(query)]).toEqual([query, [changed]])
        }
        expect(yield* list(`assigned_user_id=${agent.id}&status=open`)).toEqual([])
        const unassigned = (query: string) => Effect.map(list(`${query}&unassigned=true`), idsOf)
        expect(yield* unassigned(`workspace_id=${workspace_id}`)).toEqual([ada.conversation_id])
        expect(yield* unassigned(`assigned_team_id=${team.id}`)).toEqual([])
        yield* administer(200, "PATCH", path, { assigned_user_id: null })
        expect(yield* unassigned(`assigned_team_id=${team.id}`)).toEqual([bob.conversation_id])
        expect(yield* administerInVain("GET", `/conversations?assigned_user_id=${agent.id}&unassigned=true`)).toEqual(
          invalid({ unassigned: "cannot be true together with assigned_user_id" })
        )
        expect(yield* administerInVain("GET", "/conversations?status=asleep")).toEqual(
          invalid({
            workspace_id:
              "is required, unless contact_id, connection_id, assigned_user_id or assigned_team_id is given",
            status: "must be one of open, pending, resolved, closed"
          })
        )
        const { one } = yield* Hosts
        const first = yield* one("GET", `/admin/v1/conversations?workspace_id=${workspace_id}&limit=1`, {
          token: "admin-token"
        })
        const { data, links } = first.json as any
        const second = yield* one("GET", new URL(links.next).pathname + new URL(links.next).search, {
          token: "admin-token"
        })
        expect([...idsOf(data), ...idsOf((second.json as any).data)]).toEqual(both)
        const cursor = new URL(links.next).searchParams.get("cursor")
        expect(
          yield* administerInVain("GET", `/conversations?connection_id=${connection.id}&cursor=${cursor}`)
        ).toEqual(invalid({ cursor: "must be used with the filters that it was made with" }))
      })
    )

    it.effect("signals nothing to customers of a channel that shows none", () =>
      Effect.gen(function* () {
        const { ada } = yield* newDesk
        expect(yield* administerInVain("POST", `/conversations/${ada.conversation_id}/typing`)).toEqual(
          invalid({ channel: "showing that the business types is not possible on this channel" })
        )
        expect(yield* administerInVain("POST", `/conversations/${ada.conversation_id}/read`)).toEqual(
          invalid({ channel: "marking messages as read is not possible on this channel" })
        )
        expect(yield* administerInVain("POST", `/conversations/${unknownId}/read`)).toEqual([404, "not_found", {}])
      })
    )

    it.effect("changes conversations, and notifies subscribed applications", () =>
      Effect.gen(function* () {
        const { ada, agent, workspace_id } = yield* newDesk
        const path = `/conversations/${ada.conversation_id}`
        yield* administer(200, "PATCH", path, { status: "closed" })
        expect(yield* administerInVain("PATCH", path, { status: "closed" })).toEqual([409, "invalid_transition", {}])
        yield* administer(200, "PATCH", path, { assigned_user_id: agent.id })
        yield* administer(200, "PATCH", path, { assigned_user_id: null })
        expect(
          yield* administerInVain("PATCH", path, {
            assigned_user_id: unknownId,
            assigned_team_id: agent.id,
            contact_id: unknownId
          })
        ).toEqual(
          invalid({
            assigned_user_id: "must be the id of an active agent of this workspace",
            assigned_team_id: "must be the id of a team of this workspace",
            contact_id: "cannot be changed"
          })
        )
        const { storage } = yield* Hosts
        const events = yield* storage.list({
          from: "events",
          where: { workspaceId: workspace_id, type: ["conversation.status_changed", "conversation.assigned"] },
          after: null,
          limit: 10
        })
        const known = yield* administer(200, "GET", path)
        const { workspace_id: _, handle: __, contact_name: ___, last_message: ____, ...shown } = known
        const had = { previous_user_id: null, previous_team_id: null }
        expect(events.map(({ data }) => JSON.parse(data)).reverse()).toEqual([
          { conversation: shown, previous_status: "open" },
          { conversation: { ...shown, assigned_user_id: agent.id }, ...had },
          { conversation: shown, ...had, previous_user_id: agent.id }
        ])
      })
    )

    it.effect("lists the last message of each conversation", () =>
      Effect.gen(function* () {
        const { ada, bob, workspace_id, write } = yield* newDesk
        const lastMessages = Effect.map(administer(200, "GET", `/conversations?workspace_id=${workspace_id}`), (list) =>
          Object.fromEntries(list.map((one: any) => [one.id, [one.last_message.body, one.last_message.direction]]))
        )
        yield* write("ada@example.org", "Still there?")
        expect(yield* lastMessages).toEqual({
          [ada.conversation_id]: ["Still there?", "inbound"],
          [bob.conversation_id]: [bob.body, "inbound"]
        })
        expect((yield* replyTo(ada.conversation_id, { body: "Yes." })).status).toBe(202)
        expect(yield* lastMessages).toMatchObject({ [ada.conversation_id]: ["Yes.", "outbound"] })
      })
    )
    it.effect("sends an agent's reply once per key", () =>
      Effect.gen(function* () {
        const { ada, agent, caller, workspace_id } = yield* newDesk
        const json = { body: "It leaves today.", subject: "Your order", agent_id: agent.id }
        const sent = yield* replyTo(ada.conversation_id, json, "today")
        expect([sent.status, (sent.json as any).data]).toEqual([
          202,
          {
            id: expect.any(String),
            workspace_id,
            content: null,
            origin: "agent",
            application_id: null,
            agent_id: agent.id,
            workflow_run_id: null,
            bot_session_id: null,
            external_reference: null,
            conversation_id: ada.conversation_id,
            contact_id: ada.contact_id,
            connection_id: ada.connection_id,
            direction: "outbound",
            type: "text",
            status: "queued",
            body: json.body,
            subject: json.subject,
            template_name: null,
            template_language: null,
            variables: [],
            attachments: [],
            error: null,
            provider_message_id: null,
            created_at: time,
            sent_at: null,
            delivered_at: null,
            read_at: null
          }
        ])
        const again = yield* replyTo(ada.conversation_id, json, "today")
        expect([again.status, again.headers["idempotency-replayed"], again.json]).toEqual([202, "true", sent.json])
        expect(reported(yield* replyTo(ada.conversation_id, { body: "Or not." }, "today"))).toEqual([
          409,
          "idempotency_conflict",
          { reason: "different_request" }
        ])
        expect(reported(yield* replyTo(ada.conversation_id, { body: "Hi" }, ""))).toEqual([
          400,
          "bad_request",
          { "Idempotency-Key": ["must not be empty"] }
        ])
        expect((yield* replyTo(ada.conversation_id, { body: "Bye" })).status).toBe(202)
        expect(reported(yield* replyTo(ada.conversation_id, { agent_id: unknownId, subject: "a\nb" }))).toEqual(
          invalid({
            body: "is required",
            subject: "must be one line",
            agent_id: "must be the id of an active agent of this workspace"
          })
        )
        expect(reported(yield* replyTo(unknownId, { body: "Hi" }))).toEqual([404, "not_found", {}])
        // Applications with the connection on their allow-list can read it too.
        const { one } = yield* Hosts
        const read = yield* one("GET", `/api/v1/conversations/${ada.conversation_id}/messages`, { token: caller.key })
        expect((read.json as any).data.map(({ body }: { readonly body: string }) => body)).toEqual([
          "Bye",
          json.body,
          "Hello"
        ])
        yield* administer(200, "PATCH", `/workspaces/${workspace_id}`, { status: "suspended" })
        expect(reported(yield* replyTo(ada.conversation_id, { body: "Hi" }))).toEqual([423, "workspace_suspended", {}])
      })
    )

    it.effect("lists messages of a workspace, a contact or a conversation, newest first", () =>
      Effect.gen(function* () {
        const { ada, bob, caller, workspace_id, write } = yield* newDesk
        const { one } = yield* Hosts
        const send = { channel: "email", to: "ada@example.org", type: "text", message: { body: "Sent" } }
        const sent = yield* post(one, caller, "/messages", send, "sent")
        const { message_id } = (sent.json as any).data
        const last = yield* write("bob@example.org", "Last")
        const list = (query: string) => Effect.map(administer(200, "GET", `/messages?${query}`), idsOf)
        expect(yield* list(`workspace_id=${workspace_id}`)).toEqual([last.id, message_id, bob.id, ada.id])
        expect(yield* list(`contact_id=${ada.contact_id}`)).toEqual([message_id, ada.id])
        expect(yield* list(`conversation_id=${bob.conversation_id}`)).toEqual([last.id, bob.id])
        expect(yield* list(`conversation_id=${bob.conversation_id}&contact_id=${ada.contact_id}`)).toEqual([])
        expect(yield* list(`contact_id=${ada.contact_id}&workspace_id=${unknownId}`)).toEqual([])
        expect((yield* list("limit=4")).length).toBe(4)
        expect(yield* administer(200, "GET", `/messages/${message_id}`)).toMatchObject({
          application_id: caller.applicationId,
          workspace_id,
          agent_id: null,
          body: "Sent"
        })
        expect(yield* administerInVain("GET", "/messages?contact_id=1&limit=0")).toEqual(
          invalid({ contact_id: "must be a UUID", limit: "must be a whole number from 1 to 100" })
        )
      })
    )

    it.effect("lists failed messages, of all or of a contact", () =>
      Effect.gen(function* () {
        const { ada, bob, workspace_id } = yield* newDesk
        const { one, storage } = yield* Hosts
        const error = { code: "provider_error", message: "The provider rejected the message." } as const
        yield* storage.commit(
          changes(workspace_id, {
            expects: [expects("messages", { id: bob.id })],
            sets: [set("messages", { id: bob.id }, { status: "failed", error })]
          })
        )
        const list = (query: string) => administer(200, "GET", `/messages?${query}`)
        const failed = yield* list(`workspace_id=${workspace_id}&failed=true`)
        expect(failed).toMatchObject([{ id: bob.id, status: "failed", error }])
        expect((yield* list("failed=true&limit=1"))[0]).toMatchObject({ status: "failed" })
        expect(yield* list(`contact_id=${ada.contact_id}&failed=true`)).toEqual([])
        expect(yield* list(`contact_id=${bob.contact_id}&failed=true`)).toEqual(failed)
        expect(yield* list(`workspace_id=${workspace_id}&failed=true&since=2999-01-01`)).toEqual([])
        // Cursors of versions without this filter stay valid.
        const next = (query: string) =>
          Effect.map(one("GET", `/admin/v1/messages?limit=1${query}`, { token: adminToken }), ({ json }) =>
            new URL((json as any).links.next, "http://localhost").searchParams.get("cursor")
          )
        expect(yield* next("&failed=false")).toBe(yield* next(""))
        expect(yield* administerInVain("GET", "/messages?failed=1")).toEqual(
          invalid({ failed: "must be true or false" })
        )
      })
    )

    it.effect("lists leads of a contact, a pipeline or a stage", () =>
      Effect.gen(function* () {
        const { ada, bob, caller, workspace_id } = yield* newDesk
        const { one } = yield* Hosts
        const stages = [
          { key: "new", name: "New" },
          { key: "won", name: "Won" }
        ]
        const pipeline = yield* administer(201, "POST", "/pipelines", { workspace_id, name: "Sales", stages })
        const add = (contact_id: string, key: string) =>
          Effect.map(post(one, caller, "/leads", { contact_id }, key), ({ json }) => (json as any).data.id as string)
        const first = yield* add(ada.contact_id, "1")
        const second = yield* add(bob.contact_id, "2")
        yield* administer(200, "PATCH", `/leads/${first}`, { stage: "won" })
        const list = (query: string) => Effect.map(administer(200, "GET", `/leads?${query}`), idsOf)
        expect(yield* list(`workspace_id=${workspace_id}`)).toEqual([second, first])
        expect(yield* list(`contact_id=${ada.contact_id}`)).toEqual([first])
        expect(yield* list(`pipeline_id=${pipeline.id}`)).toEqual([second, first])
        expect(yield* list(`pipeline_id=${pipeline.id}&stage=new`)).toEqual([second])
        expect(yield* administerInVain("GET", "/leads?stage=new")).toEqual(
          invalid({ pipeline_id: "is required with stage" })
        )
      })
    )

    it.effect("manages tasks", () =>
      Effect.gen(function* () {
        const { ada, agent, team, workspace_id } = yield* newDesk
        const input = { workspace_id, title: "Call Ada", conversation_id: ada.conversation_id, due_at: "2026-05-04" }
        const made = yield* administer(201, "POST", "/tasks", input)
        expect(made).toEqual({
          ...input,
          id: made.id,
          contact_id: ada.contact_id,
          assigned_user_id: null,
          assigned_team_id: null,
          status: "open",
          due_at: "2026-05-04T00:00:00.000Z",
          created_at: time
        })
        const path = `/tasks/${made.id}`
        const changes = { assigned_user_id: agent.id, assigned_team_id: team.id, due_at: null }
        expect(yield* administer(200, "PATCH", path, changes)).toEqual({ ...made, ...changes })
        const other = yield* administer(201, "POST", "/tasks", { workspace_id, title: "Sweep" })
        expect(yield* administer(200, "PATCH", `/tasks/${other.id}`, { status: "done" })).toMatchObject({
          status: "done"
        })
        const list = (query: string) => Effect.map(administer(200, "GET", `/tasks?${query}`), idsOf)
        expect(yield* list(`workspace_id=${workspace_id}`)).toEqual([other.id, made.id])
        expect(yield* list(`workspace_id=${workspace_id}&status=open`)).toEqual([made.id])
        expect(yield* list(`contact_id=${ada.contact_id}`)).toEqual([made.id])
        expect(yield* list(`workspace_id=${workspace_id}&assigned_user_id=${agent.id}`)).toEqual([made.id])
        expect(yield* list(`contact_id=${ada.contact_id}&assigned_team_id=${team.id}&status=open`)).toEqual([made.id])
        for (const alone of [`assigned_user_id=${agent.id}`, `assigned_team_id=${team.id}`, "status=open"]) {
          expect(yield* administerInVain("GET", `/tasks?${alone}`)).toEqual(
            invalid({
              workspace_id: "is required with assigned_user_id, assigned_team_id and status, unless contact_id is given"
            })
          )
        }
        expect(yield* administerInVain("POST", "/tasks", { ...input, title: "", contact_id: unknownId })).toEqual(
          invalid({ title: "is required", contact_id: "must be the id of a contact of this workspace" })
        )
      })
    )

    it.effect("answers 404 for unknown and malformed ids", () =>
      Effect.gen(function* () {
        for (const id of [unknownId, "none"]) {
          for (const [method, path] of [
            ["GET", "conversations"],
            ["PATCH", "conversations"],
            ["GET", "messages"],
            ["GET", "tasks"],
            ["PATCH", "tasks"]
          ] as const) {
            const answer = yield* administerInVain(method, `/${path}/${id}`, method === "PATCH" ? {} : undefined)
            expect([method, path, answer]).toEqual([method, path, [404, "not_found", {}]])
          }
        }
      })
    )
  })
}
