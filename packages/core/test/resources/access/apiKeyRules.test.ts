import { anApiKey, anApplication, anIdempotencyRecord, makeTestIds, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { issueApiKey, revokeApiKey, rotateApiKey } from "../../../src/resources/access/apiKeyRules.js"
import { hashOf } from "../../../src/resources/access/Credential.js"
import { partBody, partsScope } from "../../../src/resources/access/declaredPart.js"
import { agreed, audit, inserted, refused } from "../../outcomes.js"

const application = anApplication({ mode: "test" })
const apiKey = anApiKey({ id: "01900000-0000-7000-8000-0000000000b1" })
const later = someTime + 1_000

describe("issuing a key", () => {
  it("returns the key and stores its hash only", () => {
    const decision = agreed(issueApiKey(application, "acme", someTime, makeTestIds()))
    const { key, apiKey } = decision.result
    expect(key).toMatch(/^acme_test_[0-9A-Za-z]{32}$/)
    expect(apiKey).toMatchObject({ hash: hashOf(key), lastFour: key.slice(-4), revokedAt: null })
    expect(JSON.stringify(decision.changes)).not.toContain(key)
  })
  it("has the mode of the application in its text", () => {
    const live = anApplication({ mode: "live" })
    expect(agreed(issueApiKey(live, "parley", someTime, makeTestIds())).result.key).toMatch(/^parley_live_/)
  })
  it("claims the key and writes an audit entry in one commit", () => {
    const decision = agreed(issueApiKey(application, "parley", someTime, makeTestIds()))
    expect(decision.changes?.claims.map(({ table }) => table)).toEqual(["apiKeys"])
    expect(inserted(decision, "auditLog")).toMatchObject([
      { action: "api_key.issued", actor: "admin", subjectId: decision.result.apiKey.id, applicationId: application.id }
    ])
  })
  it("is 404 for an unknown application", () => {
    expect(refused(issueApiKey(undefined, "parley", someTime, makeTestIds())).code).toBe("not_found")
  })
})

describe("rotating a key", () => {
  it("revokes the old key in the commit of the new one", () => {
    const decision = agreed(rotateApiKey({ application, apiKey, names: [] }, "parley", later, makeTestIds()))
    expect(decision.changes?.sets).toEqual([{ table: "apiKeys", key: { id: apiKey.id }, values: { revokedAt: later } }])
    expect(decision.changes?.claims).toHaveLength(1)
    expect(decision.result.apiKey.id).not.toBe(apiKey.id)
    expect(audit(decision)).toEqual(["api_key.rotated", "api_key.issued"])
  })
  it("moves the name of a declared key to the new one", () => {
    const scope = partsScope(application.workspaceId)
    const named = (key: string, id: string) =>
      anIdempotencyRecord({ applicationId: scope, key, body: partBody({ id, pruned: false }) })
    const names = [named("applications/shop", application.id), named("applications/shop/keys/web", apiKey.id)]
    const decision = agreed(rotateApiKey({ application, apiKey, names }, "parley", later, makeTestIds()))
    const key = { applicationId: scope, key: "applications/shop/keys/web" }
    const body = partBody({ id: decision.result.apiKey.id, pruned: false })
    expect(decision.changes?.sets).toEqual([expect.anything(), { table: "idempotency", key, values: { body } }])
  })
  it("refuses a revoked key", () => {
    const revoked = { ...apiKey, revokedAt: someTime }
    const decided = rotateApiKey({ application, apiKey: revoked, names: [] }, "parley", later, makeTestIds())
    expect(refused(decided).code).toBe("invalid_transition")
  })
})

describe("revoking a key", () => {
  it("stores the time and writes an audit entry", () => {
    const decision = agreed(revokeApiKey({ application, apiKey }, later, makeTestIds()))
    expect(decision.result.revokedAt).toBe(later)
    expect(audit(decision)).toEqual(["api_key.revoked"])
  })
  it("changes nothing the second time", () => {
    const decision = agreed(
      revokeApiKey({ application, apiKey: { ...apiKey, revokedAt: someTime } }, later, makeTestIds())
    )
    expect(decision).toMatchObject({ changes: null, result: { revokedAt: someTime } })
  })
  it("is 404 for a key of another application", () => {
    const others = { ...apiKey, applicationId: "01900000-0000-7000-8000-0000000000b2" }
    expect(refused(revokeApiKey({ application, apiKey: others }, later, makeTestIds())).code).toBe("not_found")
    expect(refused(rotateApiKey({ application, apiKey: others, names: [] }, "parley", later, makeTestIds())).code).toBe(
      "not_found"
    )
  })
})
