import type { Bot, BotSession, BusinessEvent, Run, RunKey, Script, Workflow, WorkflowVersion } from "@parley/core"
import {
  type Given,
  someApplicationId,
  someConnectionId,
  someContactId,
  someConversationId,
  someTime,
  someWorkflowId,
  someWorkspaceId
} from "./some.js"

export const aWorkflow = (given: Given<Workflow>): Workflow => ({
  workspaceId: someWorkspaceId,
  name: "Tell of shipping",
  status: "published",
  eventName: "order.shipped",
  definition: { conditions: null, actions: [] },
  versionId: null,
  versions: 0,
  edited: true,
  secret: null,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aWorkflowVersion = (given: Given<WorkflowVersion>): WorkflowVersion => ({
  workspaceId: someWorkspaceId,
  workflowId: someWorkflowId,
  number: 1,
  definition: { conditions: null, actions: [] },
  createdAt: someTime,
  ...given
})

export const aRun = (given: Given<Run>): Run => ({
  workspaceId: someWorkspaceId,
  workflowId: someWorkflowId,
  versionId: "01900000-0000-7000-8000-000000000008",
  applicationId: someApplicationId,
  contactId: someContactId,
  businessEventId: "01900000-0000-7000-8000-000000000009",
  eventName: "order.shipped",
  data: {},
  exactData: null,
  status: "running",
  position: 0,
  pending: null,
  steps: [],
  reason: null,
  createdAt: someTime,
  endedAt: null,
  version: 1,
  ...given
})

export const aRunKey = (given: Partial<RunKey> = {}): RunKey => ({
  workflowId: someWorkflowId,
  applicationId: someApplicationId,
  key: "order-1",
  workspaceId: someWorkspaceId,
  runId: "01900000-0000-7000-8000-00000000000a",
  ...given
})

export const aBusinessEvent = (given: Given<BusinessEvent>): BusinessEvent => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  name: "order.shipped",
  contactId: someContactId,
  dedupeKey: null,
  idempotencyKey: "order-1",
  data: {},
  createdAt: someTime,
  ...given
})

const someScript: Script = {
  start: { keywords: ["demo"], newConversationOn: [] },
  greeting: "Hello!",
  steps: [{ key: "end", type: "finish", text: null }],
  timeOutMs: 1_800_000,
  timeOutText: null
}

export const aBot = (given: Given<Bot>): Bot => ({
  workspaceId: someWorkspaceId,
  name: "Qualify",
  status: "active",
  script: someScript,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aBotSession = (given: Given<BotSession>): BotSession => ({
  workspaceId: someWorkspaceId,
  botId: "01900000-0000-7000-8000-00000000000b",
  botName: "Qualify",
  script: someScript,
  conversationId: someConversationId,
  contactId: someContactId,
  connectionId: someConnectionId,
  applicationId: null,
  workflowRunId: null,
  status: "active",
  outcome: null,
  reason: null,
  step: null,
  tries: 0,
  answers: {},
  takenUpTo: "01900000-0000-7000-8000-00000000000c",
  startedAt: someTime,
  expiresAt: someTime,
  endedAt: null,
  version: 1,
  ...given
})
