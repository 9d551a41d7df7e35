import { anApplication, anOAuthClient, aWorkspace, makeTestIds, someTime } from "@parley/testkit"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { hashOf } from "../../src/access/Credential.js"
import { type ExchangeWorld, exchangeToken } from "../../src/access/exchangeToken.js"
import { scopes } from "../../src/access/Scope.js"
import { tokenDraft } from "../../src/access/TokenInput.js"
import { tokenResource } from "../../src/access/TokenResource.js"
import { tokenErrorOf } from "../../src/access/tokenRefusal.js"
import { agreed, refused } from "../admin/outcomes.js"

const secret = "acme_secret_1"
const client = anOAuthClient({ id: "01900000-0000-7000-8000-0000000000c1", secretHash: hashOf(secret), version: 3 })
const application = anApplication({ scopes: ["messages.send", "contacts.read", "messages.read"] })
const whole: ExchangeWorld = { client, application, workspace: aWorkspace() }
const fields = { grant_type: "client_credentials", client_id: client.clientId, client_secret: secret }

const exchange = (input: object = {}, world: Partial<ExchangeWorld> = {}) =>
  exchangeToken({ ...whole, ...world }, tokenDraft({ ...fields, ...input }), "acme", someTime, makeTestIds())
const error = (...given: Parameters<typeof exchange>) => {
  const refusal = refused(exchange(...given))
  return [tokenErrorOf(refusal), refusal.code]
}

describe("exchanging client credentials", () => {
  it("gives a token for an hour, with all that the application holds", () => {
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

  it("writes the token's hash alone", () => {
    const { changes, result } = agreed(exchange())
    expect(changes?.claims).toEqual([{ table: "accessTokens", row: result.accessToken }])
    expect(JSON.stringify(changes)).not.toContain(result.text)
    expect(JSON.stringify(changes)).not.toContain(secret)
  })

  it("grants exactly the scopes that are asked for and held", () => {
    fc.assert(
      fc.property(fc.subarray([...scopes]), fc.array(fc.constantFrom(...scopes), { maxLength: 4 }), (held, asked) => {
        const decided = exchange({ scope: asked.join(" ") }, { application: anApplication({ scopes: held }) })
        if (asked.length > 0 && asked.some((scope) => !held.includes(scope))) {
          expect(tokenErrorOf(refused(decided))).toBe("invalid_scope")
        } else {
          const granted = agreed(decided).result.accessToken.scopes
          expect(granted).toEqual([...new Set(asked.length === 0 ? held : asked)])
        }
      })
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
    it(`takes ${JSON.stringify(scope)} for no scope`, () => {
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
    it(`calls ${what} an invalid request`, () => expect(error(input)).toEqual(["invalid_request", "bad_request"]))
  }

  it("names every field that is wrong", () => {
    const { client_id: _missing, ...others } = { ...fields, client_secret: 7 }
    const { message } = refused(exchangeToken(whole, tokenDraft(others), "acme", someTime, makeTestIds()))
    expect(message).toBe("The client_id is required. The client_secret must be a string.")
  })

  for (const grant_type of ["password", "authorization_code", "CLIENT_CREDENTIALS", "client_credentials "]) {
    it(`knows no grant "${grant_type}", whatever else is wrong`, () => {
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

  it("says the same of an unknown client, a wrong secret and a revoked one", () => {
    const said = strangers.slice(0, 4).map(([, input, world]) => refused(exchange(input, world)).message)
    expect(new Set(said).size).toBe(1)
  })

  it("looks at the scope after the secret", () => {
    expect(error({ scope: "nothing", client_secret: "wrong" })[0]).toBe("invalid_client")
  })

  it("serves a suspended workspace", () => {
    expect(agreed(exchange({}, { workspace: aWorkspace({ status: "suspended" }) })).result.text).toMatch(/_at_/)
  })

  it("never echoes what it was given, and describes errors in the characters that OAuth allows", () => {
    const text = fc.oneof(fc.string(), fc.constantFrom("client_credentials", secret, '"', "\\"))
    const input = fc.record(
      { grant_type: text, client_id: text, client_secret: text, scope: fc.oneof(text, fc.jsonValue()) },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(input, (given) => {
        const decided = exchangeToken(whole, tokenDraft(given), "acme", someTime, makeTestIds())
        if (decided._tag === "Right") return
        expect(decided.left.message).toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
      })
    )
  })
})
