import type { Connection, HeldAccount, Template, UnknownEvent } from "@parley/core"
import { type Given, someConnectionId, someTime, someWorkspaceId } from "./some.js"

export const aConnection = (given: Partial<Connection> = {}): Connection => ({
  id: someConnectionId,
  workspaceId: someWorkspaceId,
  channel: "whatsapp",
  provider: "sandbox",
  name: "Front desk",
  handle: "+4930000000",
  status: "active",
  isTest: true,
  config: {},
  credentials: null,
  heldUntil: 0,
  heldMs: 0,
  createdAt: someTime,
  version: 1,
  ...given
})

export const aHeldAccount = (given: Partial<HeldAccount> = {}): HeldAccount => ({
  provider: "whatsapp",
  channel: "whatsapp",
  space: "handle",
  name: "+4930000000",
  workspaceId: someWorkspaceId,
  connectionId: someConnectionId,
  ...given
})

export const aTemplate = (given: Given<Template>): Template => ({
  workspaceId: someWorkspaceId,
  channel: "whatsapp",
  name: "order_ready",
  language: "en",
  account: "",
  category: "utility",
  body: "Your order {{1}} is ready.",
  parts: null,
  status: "approved",
  statusAt: null,
  createdAt: someTime,
  version: 1,
  ...given
})

export const anUnknownEvent = (given: Given<UnknownEvent>): UnknownEvent => ({
  workspaceId: someWorkspaceId,
  connectionId: someConnectionId,
  kind: "reaction",
  raw: "{}",
  createdAt: someTime,
  ...given
})
