import { aConversation, anAgent, anApplication, anEndpoint, aTeam, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { updateConversation } from "../../../src/flows/agentReplies/updateConversation.js"
import { ConversationStatus } from "../../../src/model/Conversation.js"
import { hour } from "../../../src/model/Instant.js"
import type { Assignees } from "../../../src/resources/agents/assignees.js"
import { decodeConversationPatch } from "../../../src/resources/conversations/ConversationInput.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const grace = anAgent({ id: "01900000-0000-7000-8000-0000000000a1" })
const desk = aTeam({ id: "01900000-0000-7000-8000-0000000000f1" })
const elsewhere = "01900000-0000-7000-8000-00000000beef"
const conversation = aConversation({ id: "01900000-0000-7000-8000-0000000000c1", lastInboundAt: someTime, version: 7 })
const subscribers = {
  endpoints: [anEndpoint({ events: ["*"] })],
  applications: [anApplication({ scopes: ["webhooks.receive"] })]
}
const update = (
  body: { readonly [field: string]: unknown },
  present = conversation,
  assignees: Assignees = { agents: [grace], teams: [desk] }
) =>
  updateConversation(
    { conversation: present, serviceWindowHours: 24, assignees, session: undefined, botJobs: [], subscribers },
    decodeConversationPatch(body),
    someTime + hour,
    makeTestIds()
  )
const events = (decision: Parameters<typeof inserted>[0]) =>
  inserted(decision, "events").map(({ data, type }) => [type, JSON.parse(data)])

describe("a conversation's status", () => {
  it("changes from any status to any other", () => {
    for (const from of ConversationStatus.literals) {
      for (const to of ConversationStatus.literals) {
        const decided = update({ status: to }, { ...conversation, status: from })
        if (from === to) expect(refused(decided).code).toBe("invalid_transition")
        else expect(agreed(decided).result.conversation).toMatchObject({ status: to, version: 8 })
      }
    }
  })
  it("emits an event with the previous status to applications of the connection", () => {
    const decision = agreed(update({ status: "closed" }))
    const [[type, data]] = events(decision) as [[string, any]]
    expect(type).toBe("conversation.status_changed")
    expect(data).toMatchObject({ previous_status: "open", conversation: { id: conversation.id, status: "closed" } })
    expect(data.conversation.service_window_expires_at).toBe(new Date(someTime + 24 * hour).toISOString())
    expect(inserted(decision, "events")).toMatchObject([
      { applicationId: null, connectionId: conversation.connectionId, hasExternalReference: false }
    ])
    expect(inserted(decision, "deliveries")).toHaveLength(1)
  })
  it("expects the version of the conversation", () => {
    expect(agreed(update({ status: "closed" })).changes?.expects).toContainEqual({
      table: "conversations",
      key: { id: conversation.id },
      where: { version: 7 }
    })
  })
})

describe("a conversation's assignment", () => {
  const taken = { ...conversation, assignedUserId: grace.id, assignedTeamId: desk.id }

  it("emits an event with the previous assignees", () => {
    const decision = agreed(update({ assigned_user_id: grace.id }, { ...conversation, assignedTeamId: desk.id }))
    expect(events(decision)).toMatchObject([
      [
        "conversation.assigned",
        {
          conversation: { assigned_user_id: grace.id, assigned_team_id: desk.id },
          previous_user_id: null,
          previous_team_id: desk.id
        }
      ]
    ])
  })
  it("ends with null", () => {
    const decision = agreed(update({ assigned_user_id: null, assigned_team_id: "" }, taken))
    expect(decision.result.conversation).toMatchObject({ assignedUserId: null, assignedTeamId: null })
    expect(events(decision)).toMatchObject([
      ["conversation.assigned", { previous_user_id: grace.id, previous_team_id: desk.id }]
    ])
  })
  it("writes nothing if the assignees stay the same", () => {
    expect(agreed(update({ assigned_user_id: grace.id, assigned_team_id: desk.id }, taken)).changes).toBeNull()
    expect(agreed(update({})).changes).toBeNull()
  })
  it("needs active agents and teams of its workspace", () => {
    const message = {
      assigned_user_id: ["must be the id of an active agent of this workspace"],
      assigned_team_id: ["must be the id of a team of this workspace"]
    }
    const body = { assigned_user_id: grace.id, assigned_team_id: desk.id }
    const strangers: ReadonlyArray<Assignees> = [
      { agents: [], teams: [] },
      { agents: [{ ...grace, workspaceId: elsewhere }], teams: [{ ...desk, workspaceId: elsewhere }] },
      { agents: [{ ...grace, status: "inactive" }], teams: [] }
    ]
    for (const assignees of strangers) expect(refused(update(body, conversation, assignees)).details).toEqual(message)
  })
  it("expects the agent and the team", () => {
    expect(agreed(update({ assigned_user_id: grace.id, assigned_team_id: desk.id })).changes?.expects).toEqual(
      expect.arrayContaining([
        { table: "agents", key: { id: grace.id }, where: { status: "active" } },
        { table: "teams", key: { id: desk.id }, where: {} }
      ])
    )
  })
  it("together with a status emits both events", () => {
    const decision = agreed(update({ status: "pending", assigned_user_id: grace.id }))
    expect(events(decision).map(([type]) => type)).toEqual(["conversation.status_changed", "conversation.assigned"])
    expect(decision.changes?.sets).toEqual([
      { table: "conversations", key: { id: conversation.id }, values: { status: "pending", assignedUserId: grace.id } }
    ])
  })
})

describe("a change of a conversation", () => {
  it("is refused after another change of what its caller expects", () => {
    const taken = { ...conversation, assignedUserId: desk.id, status: "pending" as const }
    const take = { assigned_user_id: grace.id, expect: { assigned_user_id: null, status: "open" } }
    expect(agreed(update(take)).result.conversation.assignedUserId).toBe(grace.id)
    expect(refused(update(take, taken))).toMatchObject({
      code: "invalid_transition",
      details: {
        "expect.assigned_user_id": ["has another value now"],
        "expect.status": ["has another value now"]
      }
    })
    const closed = { ...conversation, status: "closed" as const }
    expect(refused(update({ status: "closed", expect: { status: "open" } }, closed)).details).toEqual({
      "expect.status": ["has another value now"]
    })
    expect(agreed(update({ expect: { assigned_team_id: "" } })).changes).toBeNull()
  })
  it("is refused if it expects a field that does not exist", () => {
    expect(refused(update({ status: "closed", expect: { asigned_user_id: null } })).details).toEqual({
      "expect.asigned_user_id": ["is not a field of expect"]
    })
  })
  it("reports all problems at once", () => {
    const body = { status: "asleep", assigned_user_id: "x", assigned_team_id: elsewhere, contact_id: elsewhere }
    expect(refused(update(body, conversation, { agents: [], teams: [] })).details).toEqual({
      status: ["must be one of open, pending, resolved, closed"],
      assigned_user_id: ["must be a UUID"],
      assigned_team_id: ["must be the id of a team of this workspace"],
      contact_id: ["cannot be changed"]
    })
  })
})
