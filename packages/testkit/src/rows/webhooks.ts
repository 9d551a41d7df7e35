import type { Attempt, Delivery, Endpoint, Event } from "@parley/core"
import { type Given, someApplicationId, someConnectionId, someEndpointId, someTime, someWorkspaceId } from "./some.js"

export const anEvent = (given: Given<Event>): Event => ({
  workspaceId: someWorkspaceId,
  type: "message.queued",
  applicationId: someApplicationId,
  connectionId: someConnectionId,
  subjectId: given.id,
  hasExternalReference: true,
  externalReference: null,
  data: "{}",
  raw: null,
  createdAt: someTime,
  ...given
})

export const anEndpoint = (given: Partial<Endpoint> = {}): Endpoint => ({
  id: someEndpointId,
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  url: "https://shop.example/hooks",
  events: ["*"],
  description: null,
  secret: "sealed",
  status: "active",
  consecutiveFailures: 0,
  ordered: null,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aDelivery = (given: Given<Delivery>): Delivery => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  endpointId: someEndpointId,
  eventId: given.id,
  status: "pending",
  attempts: 0,
  round: 0,
  createdAt: someTime,
  completedAt: null,
  orderKey: null,
  orderState: null,
  version: 1,
  ...given
})

export const anAttempt = (given: Given<Attempt>): Attempt => ({
  workspaceId: someWorkspaceId,
  deliveryId: given.id,
  endpointId: someEndpointId,
  number: 1,
  startedAt: someTime,
  durationMs: 12,
  status: 200,
  error: null,
  answer: "",
  ...given
})
