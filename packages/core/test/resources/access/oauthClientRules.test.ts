import { anApplication, anOAuthClient, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { hashOf } from "../../../src/resources/access/Credential.js"
import {
  issueOAuthClient,
  revokeOAuthClient,
  rotateOAuthClient
} from "../../../src/resources/access/oauthClientRules.js"
import { agreed, audit, inserted, refused } from "../../outcomes.js"

const application = anApplication()
const client = anOAuthClient({ id: "01900000-0000-7000-8000-0000000000c1", version: 4 })
const later = someTime + 1_000

describe("issuing an OAuth client", () => {
  it("returns the secret and stores its hash only", () => {
    const decision = agreed(issueOAuthClient(application, "acme", someTime, makeTestIds()))
    const { client, secret } = decision.result
    expect(client.clientId).toMatch(/^acme_client_[0-9A-Za-z]{24}$/)
    expect(secret).toMatch(/^acme_secret_[0-9A-Za-z]{32}$/)
    expect(client).toMatchObject({ secretHash: hashOf(secret), lastFour: secret.slice(-4), revokedAt: null })
    expect(JSON.stringify(decision.changes)).not.toContain(secret)
  })
  it("claims the client and writes an audit entry in one commit", () => {
    const decision = agreed(issueOAuthClient(application, "acme", someTime, makeTestIds()))
    expect(decision.changes?.claims).toEqual([{ table: "oauthClients", row: decision.result.client }])
    expect(inserted(decision, "auditLog")).toMatchObject([
      {
        action: "oauth_client.issued",
        actor: "admin",
        subjectId: decision.result.client.id,
        applicationId: application.id
      }
    ])
  })
  it("is 404 for an unknown application", () => {
    expect(refused(issueOAuthClient(undefined, "acme", someTime, makeTestIds())).code).toBe("not_found")
  })
})

describe("rotating an OAuth client", () => {
  it("replaces the secret, keeps the client_id and writes an audit entry", () => {
    const decision = agreed(rotateOAuthClient({ application, client }, "acme", later, makeTestIds()))
    const { secret, client: rotated } = decision.result
    const values = { secretHash: hashOf(secret), lastFour: secret.slice(-4) }
    expect(rotated).toEqual({ ...client, ...values, version: 5 })
    expect(decision.changes?.expects).toEqual([
      { table: "oauthClients", key: { id: client.id }, where: { version: 4 } }
    ])
    expect(decision.changes?.sets).toEqual([{ table: "oauthClients", key: { id: client.id }, values }])
    expect(audit(decision)).toEqual(["oauth_client.rotated"])
  })
  it("refuses a revoked client", () => {
    const world = { application, client: { ...client, revokedAt: someTime } }
    expect(refused(rotateOAuthClient(world, "acme", later, makeTestIds())).code).toBe("invalid_transition")
  })
})

describe("revoking an OAuth client", () => {
  it("stores the time and writes an audit entry", () => {
    const decision = agreed(revokeOAuthClient({ application, client }, later, makeTestIds()))
    expect(decision.result).toEqual({ ...client, revokedAt: later, version: 5 })
    expect(audit(decision)).toEqual(["oauth_client.revoked"])
  })
  it("changes nothing the second time", () => {
    const world = { application, client: { ...client, revokedAt: someTime } }
    expect(agreed(revokeOAuthClient(world, later, makeTestIds()))).toMatchObject({
      changes: null,
      result: { revokedAt: someTime }
    })
  })
  it("is 404 for a client of another application", () => {
    const world = { application, client: { ...client, applicationId: "01900000-0000-7000-8000-0000000000b2" } }
    expect(refused(revokeOAuthClient(world, later, makeTestIds())).code).toBe("not_found")
    expect(refused(rotateOAuthClient(world, "acme", later, makeTestIds())).code).toBe("not_found")
  })
})
