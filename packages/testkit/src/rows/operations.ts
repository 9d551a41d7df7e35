import type { Job, LoggedRequest, Notification } from "@parley/core"
import { type Given, someApplicationId, someConnectionId, someEndpointId, someTime, someWorkspaceId } from "./some.js"

export const aJob = (given: Given<Job>): Job => ({
  workspaceId: someWorkspaceId,
  lane: "sends",
  subject: someConnectionId,
  reference: given.id,
  payload: null,
  runAt: someTime,
  leaseUntil: 0,
  leaseOwner: null,
  epoch: 0,
  attempts: 0,
  failure: null,
  createdAt: someTime,
  ...given
})

export const aNotification = (given: Given<Notification>): Notification => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  kind: "webhook_endpoint.disabled",
  subjectId: someEndpointId,
  message: "The webhook endpoint failed 25 times in a row and is disabled.",
  createdAt: someTime,
  ...given
})

export const aLoggedRequest = (given: Given<LoggedRequest>): LoggedRequest => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  method: "POST",
  path: "/api/v1/messages",
  status: 202,
  durationMs: 12,
  errorCode: null,
  createdAt: someTime,
  ...given
})
