import { anApplication, anOAuthClient, aWorkspace, makeTestIds, someTime } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { scopes } from "../../../src/model/Scope.js"
import { hashOf } from "../../../src/resources/access/Credential.js"
import { type ExchangeWorld, exchangeToken } from "../../../src/resources/access/exchangeToken.js"
import { decodeTokenInput } from "../../../src/resources/access/TokenInput.js"
import { tokenResource } from "../../../src/resources/access/TokenResource.js"
import { tokenErrorOf } from "../../../src/resources/access/tokenRefusal.js"
import { agreed, refused } from "../../outcomes.js"

const secret = "acme_secret_1"
const client = anOAuthClient({ id: "01900000-0000-7000-8000-0000000000c1", secretHash: hashOf(secret), version: 3 })
const application = anApplication({ scopes: ["messages.send", "contacts.read", "messages.read"] })
const whole: ExchangeWorld = { client, application, workspace: aWorkspace() }
const fields = { grant_type: "client_credentials", client_id: client.clientId, client_secret: secret }

const exchange = (input: object = {}, world: Partial<ExchangeWorld> = {}) =>
  exchangeToken({ ...whole, ...world }, decodeTokenInput({ ...fields, ...input }), "acme", someTime, makeTestIds())
const error = (...given: Parameters<typeof exchange>) => {
  const refusal = refused(exchange(...given))
  return [tokenErrorOf(refusal), refusal.code]
}

describe("exchanging client credentials", () => {
  it("issues a token for one hour with all scopes of the application", () => {
    const { result } = agreed(exchange())
    expect(result.text).toMatch(/^acme_at_[0-9A-Za-z]{32}$/)
    expect(result.accessToken).toEqual({
      hash: hashOf(result.text),
      workspaceId: client.workspaceId,
      applicationId: client.applicationId,
      oauthClientId: client.id,
      clientVersion: 3,
      scopes: application.scopes,
      createdAt: someTime,
      expiresAt: someTime + 3_600_000
    })
    expect(tokenResource(result)).toEqual({
      access_token: result.text,
      token_type: "Bearer",
      expires_in: 3600,
      scope: "messages.send contacts.read messages.read"
    })
  })

  it("stores the hash of the token only", () => {
    const { changes, result } = agreed(exchange())
    expect(changes?.claims).toEqual([{ table: "accessTokens", row: result.accessToken }])
    expect(JSON.stringify(changes)).not.toContain(result.text)
    expect(JSON.stringify(changes)).not.toContain(secret)
  })

  it("grants exactly the requested scopes that the application holds", () => {
    fc.assert(
      fc.property(
        fc.subarray([...scopes]),
        fc.array(fc.constantFrom(...scopes), { maxLength: 4 }),
        (held, requests) => {
          const decided = exchange({ scope: requests.join(" ") }, { application: anApplication({ scopes: held }) })
          if (requests.length > 0 && requests.some((scope) => !held.includes(scope))) {
            expect(tokenErrorOf(refused(decided))).toBe("invalid_scope")
          } else {
            const granted = agreed(decided).result.accessToken.scopes
            expect(granted).toEqual([...new Set(requests.length === 0 ? held : requests)])
          }
        }
      )
    )
  })

  for (const [what, scope] of [
    ["unknown", "messages.sendd"],
    ["not the application's", "messages.send leads.create"],
    ["in capitals", "MESSAGES.SEND"],
    ["separated by commas", "messages.send,contacts.read"],
    ["separated by tabs", "messages.send\tcontacts.read"],
    ["a blank", " "]
  ] as const) {
    it(`refuses a scope that is ${what}`, () => expect(error({ scope })).toEqual(["invalid_scope", "bad_request"]))
  }

  for (const scope of ["", null, undefined]) {
    it(`treats ${JSON.stringify(scope)} as no scope`, () => {
      expect(agreed(exchange({ scope })).result.accessToken.scopes).toEqual(application.scopes)
    })
  }

  for (const [what, input] of [
    ["a missing grant_type", { grant_type: undefined }],
    ["a grant_type that is no text", { grant_type: 1 }],
    ["a missing client_id", { client_id: undefined }],
    ["an empty client_id", { client_id: "" }],
    ["a client_id that is no text", { client_id: [] }],
    ["a client_id that is too long", { client_id: "x".repeat(256) }],
    ["a client_id that cannot be stored", { client_id: "x\u0000" }],
    ["a missing client_secret", { client_secret: undefined }],
    ["a null client_secret", { client_secret: null }],
    ["a scope that is no text", { scope: ["messages.send"] }],
    ["a scope that is too long", { scope: "x".repeat(1_001) }]
  ] as const) {
    it(`reports ${what} as an invalid request`, () => expect(error(input)).toEqual(["invalid_request", "bad_request"]))
  }

  it("reports every invalid field", () => {
    const { client_id: _missing, ...others } = { ...fields, client_secret: 7 }
    const { message } = refused(exchangeToken(whole, decodeTokenInput(others), "acme", someTime, makeTestIds()))
    expect(message).toBe("The client_id is required. The client_secret must be a string.")
  })

  for (const grant_type of ["password", "authorization_code", "CLIENT_CREDENTIALS", "client_credentials "]) {
    it(`refuses grant type "${grant_type}" before other problems`, () => {
      expect(error({ grant_type, client_secret: undefined })).toEqual(["unsupported_grant_type", "bad_request"])
    })
  }

  const strangers: ReadonlyArray<readonly [string, object, Partial<ExchangeWorld>]> = [
    ["an unknown client", {}, { client: undefined, application: undefined, workspace: undefined }],
    ["a wrong secret", { client_secret: `${secret}0` }, {}],
    ["the hash for a secret", { client_secret: client.secretHash }, {}],
    ["a revoked client", {}, { client: { ...client, revokedAt: someTime } }],
    ["a suspended application", {}, { application: anApplication({ status: "suspended" }) }],
    ["an unavailable workspace", {}, { workspace: aWorkspace({ status: "unavailable" }) }]
  ]
  for (const [what, input, world] of strangers) {
    it(`refuses ${what}`, () => expect(error(input, world)).toEqual(["invalid_client", "unauthenticated"]))
  }

  it("has the same message for an unknown client, a wrong secret and a revoked client", () => {
    const said = strangers.slice(0, 4).map(([, input, world]) => refused(exchange(input, world)).message)
    expect(new Set(said).size).toBe(1)
  })

  it("checks the scope after the secret", () => {
    expect(error({ scope: "nothing", client_secret: "wrong" })[0]).toBe("invalid_client")
  })

  it("serves a suspended workspace", () => {
    expect(agreed(exchange({}, { workspace: aWorkspace({ status: "suspended" }) })).result.text).toMatch(/_at_/)
  })

  it("describes errors in the characters that OAuth allows, for any input", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("client_credentials", secret, '"', "\\"))
    const input = fc.record(
      { grant_type: text, client_id: text, client_secret: text, scope: fc.oneof(text, fc.jsonValue()) },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(input, (given) => {
        const decided = exchangeToken(whole, decodeTokenInput(given), "acme", someTime, makeTestIds())
        if (decided._tag === "Right") return
        expect(decided.left.message).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
      })
    )
  })
})
