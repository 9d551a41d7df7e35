import type {
  AccessToken,
  ApiKey,
  Application,
  AuditEntry,
  IdempotencyRecord,
  OAuthClient,
  Workspace
} from "@parley/core"
import { type Given, someApplicationId, someConnectionId, someTime, someWorkspaceId } from "./some.js"

export const aWorkspace = (given: Partial<Workspace> = {}): Workspace => ({
  id: someWorkspaceId,
  name: "Bakery",
  defaultLanguage: "en",
  timezone: "UTC",
  status: "active",
  createdAt: someTime,
  version: 1,
  ...given
})

export const anApplication = (given: Partial<Application> = {}): Application => ({
  id: someApplicationId,
  workspaceId: someWorkspaceId,
  name: "Shop",
  mode: "test",
  scopes: ["messages.send", "messages.read"],
  connectionIds: [someConnectionId],
  requestsPerMinute: 1_000,
  sendsPerMinute: 100,
  status: "active",
  createdAt: someTime,
  version: 1,
  ...given
})

export const anApiKey = (given: Given<ApiKey>): ApiKey => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  hash: given.id.replaceAll("-", "").padEnd(64, "0"),
  lastFour: "abcd",
  createdAt: someTime,
  revokedAt: null,
  version: 1,
  ...given
})

export const anOAuthClient = (given: Given<OAuthClient>): OAuthClient => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  clientId: `client_${given.id}`,
  secretHash: given.id.replaceAll("-", "").padEnd(64, "0"),
  lastFour: "abcd",
  createdAt: someTime,
  revokedAt: null,
  version: 1,
  ...given
})

export const anAccessToken = (given: Partial<AccessToken> = {}): AccessToken => ({
  hash: "0".repeat(64),
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  oauthClientId: someApplicationId,
  clientVersion: 1,
  scopes: ["messages.send"],
  createdAt: someTime,
  expiresAt: someTime + 3_600_000,
  ...given
})

export const anAuditEntry = (given: Given<AuditEntry>): AuditEntry => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  actor: "admin",
  action: "api_key.issued",
  subjectId: someApplicationId,
  createdAt: someTime,
  ...given
})

export const anIdempotencyRecord = (given: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  workspaceId: someWorkspaceId,
  applicationId: someApplicationId,
  key: "order-1",
  fingerprint: "0".repeat(64),
  state: "done",
  deadline: someTime,
  status: 202,
  body: "{}",
  createdAt: someTime,
  expiresAt: someTime + 86_400_000,
  version: 1,
  ...given
})
