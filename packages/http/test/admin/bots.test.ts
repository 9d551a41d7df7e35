import { expect, layer } from "@effect/vitest"
import { changes, expect as expected, row } from "@parley/core"
import { aBotSession, someTime } from "@parley/testkit/rows"
import { Effect } from "effect"
import { administer, administerInVain, Hosts, hosts } from "../hosts.js"

const unknownId = "01900000-0000-7000-8000-00000000dead"
const steps = [
  { key: "name", type: "ask", text: "Your name?" },
  { key: "end", type: "finish", text: "Thank you, {{answers.name}}!" }
]
/** The steps as returned, with defaults. */
const shownSteps = [
  { ...steps[0], expect: { type: "text", max_length: 1_000 }, invalid: null, tries: 3, go_to: null },
  steps[1]
]
/** An id after this one, distinct from those of other tests. */
const later = (id: string, by: number) => `01f${by}${id.slice(4)}`
const newWorkspace = administer(201, "POST", "/workspaces", { name: "Bakery" })

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`bots of the admin API on ${name}`, (it) => {
    it.effect("are created, read, changed, listed and activated", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const start = { keywords: ["demo"], new_conversation_on: [] }
        const made = yield* administer(201, "POST", "/bots", { workspace_id, name: "Qualify", start, steps })
        expect(made).toEqual({
          id: made.id,
          workspace_id,
          name: "Qualify",
          status: "inactive",
          start,
          greeting: null,
          steps: shownSteps,
          time_out: "30m",
          time_out_text: null,
          created_at: expect.any(String)
        })
        const path = `/bots/${made.id}`
        expect(yield* administer(200, "GET", path)).toEqual(made)
        const changes = { status: "active", greeting: "Hi!", time_out: "2h" }
        const changed = { ...made, ...changes }
        expect(yield* administer(200, "PATCH", path, changes)).toEqual(changed)
        // A returned body is a valid PATCH.
        expect(yield* administer(200, "PATCH", path, changed)).toEqual(changed)
        expect(yield* administer(200, "PATCH", path, { greeting: null, status: "inactive" })).toEqual({
          ...changed,
          greeting: null,
          status: "inactive"
        })
        expect(yield* administer(200, "GET", `/bots?workspace_id=${workspace_id}`)).toHaveLength(1)
        expect(yield* administer(200, "GET", `${path}/sessions?status=active`)).toEqual([])
        const audit = yield* administer(200, "GET", `/audit-log?workspace_id=${workspace_id}`)
        expect((audit as ReadonlyArray<{ readonly action: string }>).map(({ action }) => action)).toEqual(
          expect.arrayContaining(["bot.created", "bot.activated", "bot.deactivated"])
        )
      })
    )

    it.effect("refer to connections, agents and teams of their workspace", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const { id: elsewhere } = yield* newWorkspace
        const agent = yield* administer(201, "POST", "/agents", { workspace_id, name: "Grace" })
        const stranger = yield* administer(201, "POST", "/agents", { workspace_id: elsewhere, name: "Ada" })
        const handOff = (agent_id: unknown) => [{ key: "person", type: "hand_off", agent_id, team_id: null }]
        const wrong = { start: { new_conversation_on: [unknownId] }, steps: handOff(stranger.id) }
        const problems = {
          "start.new_conversation_on.0": ["must be the id of a connection of this workspace"],
          "steps.0.agent_id": ["must be the id of an active agent of this workspace"]
        }
        expect(yield* administerInVain("POST", "/bots", { workspace_id, name: "B", ...wrong })).toEqual([
          422,
          "validation_failed",
          problems
        ])
        const input = { workspace_id, name: "B", steps: handOff(agent.id) }
        const { id } = yield* administer(201, "POST", "/bots", input)
        expect(yield* administerInVain("PATCH", `/bots/${id}`, wrong)).toEqual([422, "validation_failed", problems])
        // The name can be changed although an agent is inactive; the bot cannot be activated.
        yield* administer(200, "PATCH", `/agents/${agent.id}`, { status: "inactive" })
        yield* administer(200, "PATCH", `/bots/${id}`, { name: "C" })
        expect(yield* administerInVain("PATCH", `/bots/${id}`, { status: "active" })).toEqual([
          422,
          "validation_failed",
          { "steps.0.agent_id": problems["steps.0.agent_id"] }
        ])
      })
    )

    it.effect("list their dialogues, newest first", () =>
      Effect.gen(function* () {
        const { id: workspaceId } = yield* newWorkspace
        const { id: botId } = yield* administer(201, "POST", "/bots", {
          workspace_id: workspaceId,
          name: "Qualify",
          steps
        })
        const { storage } = yield* Hosts
        const sessions = [
          aBotSession({ id: later(botId, 1), botId, workspaceId, answers: { name: "Ada", sure: true } }),
          aBotSession({
            id: later(botId, 2),
            botId,
            workspaceId,
            status: "completed",
            outcome: "finished",
            endedAt: someTime
          })
        ]
        yield* storage.commit(
          changes(workspaceId, {
            expects: [expected("bots", { id: botId })],
            inserts: sessions.map((session) => row("botSessions", session))
          })
        )
        const [first, last] = sessions
        const listed = yield* administer(200, "GET", `/bots/${botId}/sessions`)
        expect(listed).toMatchObject([
          { id: last?.id, status: "completed", outcome: "finished", ended_at: expect.any(String) },
          { id: first?.id, bot_id: botId, bot_name: "Qualify", answers: { name: "Ada", sure: true }, ended_at: null }
        ])
        expect(yield* administer(200, "GET", `/bots/${botId}/sessions?status=active`)).toEqual([listed[1]])
        expect(yield* administer(200, "GET", `/bot-sessions/${first?.id}`)).toEqual(listed[1])
        expect(yield* administerInVain("GET", `/bot-sessions/${unknownId}`)).toEqual([404, "not_found", {}])
        expect(yield* administerInVain("GET", `/bots/${unknownId}/sessions`)).toEqual([404, "not_found", {}])
      })
    )
  })
}
