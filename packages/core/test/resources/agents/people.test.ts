import { anAgent, aTeam, aWorkspace, makeTestIds, someTime, someWorkspaceId } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { decodeAgentInput, decodeAgentPatch } from "../../../src/resources/agents/AgentInput.js"
import { createAgent } from "../../../src/resources/agents/createAgent.js"
import { createTeam } from "../../../src/resources/agents/createTeam.js"
import { decodeTeamInput, decodeTeamPatch } from "../../../src/resources/agents/TeamInput.js"
import { updateAgent } from "../../../src/resources/agents/updateAgent.js"
import { updateTeam } from "../../../src/resources/agents/updateTeam.js"
import { agreed, refused } from "../../outcomes.js"

const grace = anAgent({ id: "01900000-0000-7000-8000-0000000000a1" })
const alan = anAgent({ id: "01900000-0000-7000-8000-0000000000a2", name: "Alan", email: null })
const desk = aTeam({ id: "01900000-0000-7000-8000-0000000000f1", agentIds: [grace.id] })
const stranger = "01900000-0000-7000-8000-00000000dead"

describe("an agent", () => {
  const create = (body: object) =>
    createAgent(aWorkspace(), decodeAgentInput({ workspace_id: someWorkspaceId, ...body }), someTime, makeTestIds())

  it("is active at first, with or without an address", () => {
    expect(agreed(create({ name: "Grace", email: " Grace@Shop.example " })).result).toMatchObject({
      name: "Grace",
      email: "grace@shop.example",
      status: "active"
    })
    expect(agreed(create({ name: "Grace" })).result.email).toBeNull()
  })
  it("requires a name, and a valid address if there is one", () => {
    expect(refused(create({ email: "grace" })).details).toEqual({
      name: ["is required"],
      email: ["must be an email address"]
    })
    expect(refused(create({ name: "Grace", email: `${"g".repeat(250)}@a.org` })).details).toEqual({
      email: ["must be at most 255 characters"]
    })
  })
  it("requires an existing workspace", () => {
    const nowhere = createAgent(
      undefined,
      decodeAgentInput({ workspace_id: someWorkspaceId, name: "Grace" }),
      someTime,
      makeTestIds()
    )
    expect(refused(nowhere).details).toEqual({ workspace_id: ["must be the id of a workspace"] })
  })
  it("changes name, address and status", () => {
    const update = (body: { readonly [field: string]: unknown }) => updateAgent(grace, decodeAgentPatch(body), null)
    expect(agreed(update({ name: "G", email: "", status: "inactive" })).result).toEqual({
      ...grace,
      name: "G",
      email: null,
      status: "inactive",
      version: 2
    })
    expect(refused(update({ status: "asleep", email: "x", workspace_id: stranger })).details).toEqual({
      status: ["must be one of active, inactive"],
      email: ["must be an email address"],
      workspace_id: ["cannot be changed"]
    })
    expect(agreed(update({})).changes).toBeNull()
    expect(refused(updateAgent(undefined, decodeAgentPatch({}), null)).code).toBe("not_found")
  })
})

describe("a team", () => {
  const create = (body: object) =>
    createTeam(
      { workspace: aWorkspace(), agents: [grace, alan] },
      decodeTeamInput({ workspace_id: someWorkspaceId, ...body }),
      someTime,
      makeTestIds()
    )
  const update = (body: { readonly [field: string]: unknown }) =>
    updateTeam({ team: desk, agents: [grace, alan] }, decodeTeamPatch(body))

  it("has distinct agents of its workspace", () => {
    expect(agreed(create({ name: "Desk", agent_ids: [alan.id, grace.id, alan.id] })).result.agentIds).toEqual([
      alan.id,
      grace.id
    ])
    expect(agreed(create({ name: "Desk" })).result.agentIds).toEqual([])
    expect(refused(create({ agent_ids: [grace.id, stranger] })).details).toEqual({
      name: ["is required"],
      agent_ids: ["must be agents of the team's workspace"]
    })
    expect(refused(create({ name: "Desk", agent_ids: ["x"] })).details).toEqual({ "agent_ids.0": ["must be a UUID"] })
  })
  it("changes name and agents", () => {
    expect(agreed(update({ name: "Night", agent_ids: [alan.id] })).result).toEqual({
      ...desk,
      name: "Night",
      agentIds: [alan.id],
      version: 2
    })
    expect(agreed(update({ agent_ids: [] })).result.agentIds).toEqual([])
    expect(refused(update({ agent_ids: [stranger], workspace_id: stranger })).details).toEqual({
      agent_ids: ["must be agents of the team's workspace"],
      workspace_id: ["cannot be changed"]
    })
    expect(agreed(update({})).changes).toBeNull()
    const replaced = { agent_ids: [], expect: { agent_ids: desk.agentIds } }
    expect(agreed(update(replaced)).result.agentIds).toEqual([])
    expect(refused(update({ ...replaced, expect: { agent_ids: [stranger] } })).code).toBe("invalid_transition")
    expect(refused(updateTeam({ team: undefined, agents: [] }, decodeTeamPatch({}))).code).toBe("not_found")
  })
})
