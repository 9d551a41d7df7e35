import {
  aContact,
  aConversation,
  anAgent,
  aTask,
  aTeam,
  aWorkspace,
  makeTestIds,
  someTime,
  someWorkspaceId
} from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { type CreateTaskWorld, createTask } from "../../../src/resources/tasks/createTask.js"
import { decodeTaskInput, decodeTaskPatch } from "../../../src/resources/tasks/TaskInput.js"
import { type UpdateTaskWorld, updateTask } from "../../../src/resources/tasks/updateTask.js"
import { agreed, inserted, refused } from "../../outcomes.js"

const id = (n: number) => `01900000-0000-7000-8000-0000000001${n}`
const ada = aContact({ id: id(10) })
const bob = aContact({ id: id(11) })
const conversation = aConversation({ id: id(20), contactId: ada.id })
const grace = anAgent({ id: id(30) })
const desk = aTeam({ id: id(31) })
const elsewhere = id(99)
const all = { contacts: [ada], conversations: [conversation] }
const assignees = { agents: [grace], teams: [desk] }

describe("a new task", () => {
  const create = (body: object, world: Partial<CreateTaskWorld> = {}) =>
    createTask(
      { workspace: aWorkspace(), named: { contacts: [], conversations: [] }, assignees, ...world },
      decodeTaskInput({ workspace_id: someWorkspaceId, title: "Call back", ...body }),
      someTime,
      makeTestIds()
    )

  it("is open, without subject and assignees by default", () => {
    const decision = agreed(create({}))
    expect(inserted(decision, "tasks")).toEqual([decision.result])
    expect(decision.result).toMatchObject({
      title: "Call back",
      contactId: null,
      conversationId: null,
      assignedUserId: null,
      assignedTeamId: null,
      status: "open",
      dueAt: null
    })
  })
  it("is due at a date or a time", () => {
    expect(agreed(create({ due_at: "2026-05-04" })).result.dueAt).toBe(Date.parse("2026-05-04T00:00Z"))
    expect(refused(create({ due_at: "soon" })).details).toEqual({
      due_at: ["must be a date such as 2026-05-04 or a date-time such as 2026-05-04T08:30:00Z"]
    })
  })
  it("about a conversation is about its contact, and expects both", () => {
    const decision = agreed(create({ conversation_id: conversation.id }, { named: { ...all, contacts: [] } }))
    expect(decision.result).toMatchObject({ contactId: ada.id, conversationId: conversation.id })
    expect(decision.changes?.expects).toEqual(
      expect.arrayContaining([
        { table: "contacts", key: { id: ada.id }, where: {} },
        { table: "conversations", key: { id: conversation.id }, where: { contactId: ada.id } }
      ])
    )
    expect(
      refused(create({ conversation_id: conversation.id, contact_id: bob.id }, { named: { ...all, contacts: [bob] } }))
        .details
    ).toEqual({ contact_id: ["must be the contact of the conversation"] })
  })
  it("refuses rows of other workspaces and reports all problems at once", () => {
    const body = {
      title: " ",
      contact_id: ada.id,
      conversation_id: conversation.id,
      assigned_user_id: grace.id,
      assigned_team_id: desk.id
    }
    const named = {
      contacts: [{ ...ada, workspaceId: elsewhere }],
      conversations: [{ ...conversation, workspaceId: elsewhere }]
    }
    expect(refused(create(body, { named, assignees: { agents: [], teams: [] } })).details).toEqual({
      title: ["is required"],
      contact_id: ["must be the id of a contact of this workspace"],
      conversation_id: ["must be the id of a conversation of this workspace"],
      assigned_user_id: ["must be the id of an active agent of this workspace"],
      assigned_team_id: ["must be the id of a team of this workspace"]
    })
    expect(refused(create(body, { workspace: undefined })).details).toEqual({
      title: ["is required"],
      workspace_id: ["must be the id of a workspace"]
    })
  })
})

describe("a change of a task", () => {
  const task = aTask({ id: id(40), contactId: ada.id, conversationId: conversation.id, version: 3 })
  const update = (body: { readonly [field: string]: unknown }, world: Partial<UpdateTaskWorld> = {}) =>
    updateTask({ task, named: all, assignees, ...world }, decodeTaskPatch(body))

  it("finishes and reopens it", () => {
    const done = agreed(update({ status: "done" })).result
    expect(done).toEqual({ ...task, status: "done", version: 4 })
    expect(agreed(update({ status: "open" }, { task: done })).result.status).toBe("open")
  })
  it("is refused after another change of what its caller expects", () => {
    const take = { assigned_user_id: grace.id, expect: { assigned_user_id: null, due_at: null, title: task.title } }
    expect(agreed(update(take)).result.assignedUserId).toBe(grace.id)
    expect(refused(update(take, { task: { ...task, assignedUserId: id(32), dueAt: someTime } })).details).toEqual({
      "expect.assigned_user_id": ["has another value now"],
      "expect.due_at": ["has another value now"]
    })
  })
  it("keeps omitted fields, even if their rows are deleted", () => {
    const decision = agreed(update({ title: "Call" }, { named: { contacts: [], conversations: [] } }))
    expect(decision.changes?.sets).toEqual([{ table: "tasks", key: { id: task.id }, values: { title: "Call" } }])
    expect(decision.changes?.expects).toEqual([{ table: "tasks", key: { id: task.id }, where: { version: 3 } }])
    expect(agreed(update({})).changes).toBeNull()
  })
  it("clears fields by null", () => {
    const body = { contact_id: null, conversation_id: "", assigned_user_id: null, due_at: "" }
    expect(agreed(update(body)).result).toMatchObject({
      contactId: null,
      conversationId: null,
      assignedUserId: null,
      dueAt: null
    })
  })
  it("to another conversation also changes the contact", () => {
    const other = { ...conversation, id: id(21), contactId: bob.id }
    const named = { contacts: [], conversations: [other] }
    expect(agreed(update({ conversation_id: other.id }, { named })).result).toMatchObject({
      contactId: bob.id,
      conversationId: other.id
    })
  })
  it("to another contact is refused while the conversation is of the former one", () => {
    expect(refused(update({ contact_id: bob.id }, { named: { ...all, contacts: [bob] } })).details).toEqual({
      contact_id: ["must be the contact of the conversation"]
    })
  })
  it("reports all problems at once", () => {
    const body = { status: "later", workspace_id: elsewhere, assigned_team_id: elsewhere, title: "" }
    expect(refused(update(body, { assignees: { agents: [], teams: [] } })).details).toEqual({
      status: ["must be one of open, done"],
      title: ["is required"],
      workspace_id: ["cannot be changed"],
      assigned_team_id: ["must be the id of a team of this workspace"]
    })
    expect(refused(update({}, { task: undefined })).code).toBe("not_found")
  })
})
