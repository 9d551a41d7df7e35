import type { Agent, Lead, Pipeline, Task, Team } from "@parley/core"
import { type Given, someContactId, someTime, someWorkspaceId } from "./some.js"

export const anAgent = (given: Given<Agent>): Agent => ({
  workspaceId: someWorkspaceId,
  name: "Grace",
  email: "grace@shop.example",
  status: "active",
  avatar: null,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aTeam = (given: Given<Team>): Team => ({
  workspaceId: someWorkspaceId,
  name: "Front desk",
  agentIds: [],
  createdAt: someTime,
  version: 1,
  ...given
})

export const aPipeline = (given: Given<Pipeline>): Pipeline => ({
  workspaceId: someWorkspaceId,
  name: "Sales",
  stages: [
    { key: "new", name: "New" },
    { key: "won", name: "Won" }
  ],
  createdAt: someTime,
  version: 1,
  ...given
})

export const aLead = (given: Given<Lead>): Lead => ({
  workspaceId: someWorkspaceId,
  contactId: someContactId,
  pipelineId: given.id,
  stage: "new",
  title: null,
  value: null,
  currency: null,
  createdAt: someTime,
  updatedAt: someTime,
  version: 1,
  ...given
})

export const aTask = (given: Given<Task>): Task => ({
  workspaceId: someWorkspaceId,
  title: "Call back",
  contactId: someContactId,
  conversationId: null,
  assignedUserId: null,
  assignedTeamId: null,
  status: "open",
  dueAt: null,
  createdAt: someTime,
  version: 1,
  ...given
})
