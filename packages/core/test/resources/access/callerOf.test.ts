import { anAccessToken, anApiKey, anApplication, anOAuthClient, aWorkspace, someTime } from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import type { AccessToken, OAuthClient } from "../../../src/model/OAuthClient.js"
import { callerOf, type PresentedCredential } from "../../../src/resources/access/callerOf.js"

const apiKey = anApiKey({ id: "01900000-0000-7000-8000-0000000000b1" })
const client = anOAuthClient({ id: "01900000-0000-7000-8000-0000000000c1", version: 2 })
const accessToken = anAccessToken({
  oauthClientId: client.id,
  clientVersion: 2,
  scopes: ["messages.send", "contacts.read"],
  expiresAt: someTime + 10
})
const withKey = (parts: Partial<PresentedCredential> = {}): PresentedCredential => ({
  credential: { _tag: "ApiKey", apiKey },
  application: anApplication({ scopes: ["messages.send", "leads.read"] }),
  workspace: aWorkspace(),
  ...parts
})
const withToken = (
  parts: Partial<PresentedCredential> & {
    readonly token?: Partial<AccessToken>
    readonly its?: Partial<OAuthClient>
  } = {}
): PresentedCredential => {
  const { token, its, ...rest } = parts
  return withKey({
    credential: { _tag: "AccessToken", accessToken: { ...accessToken, ...token }, client: { ...client, ...its } },
    ...rest
  })
}
const caller = (presented: PresentedCredential, now = someTime) => Either.getOrThrow(callerOf(presented, "write", now))
const refusal = (presented: PresentedCredential, purpose: "read" | "write" = "read", now = someTime) =>
  Either.getOrThrow(Either.flip(callerOf(presented, purpose, now)))

describe("the caller of a credential", () => {
  it("has all scopes of the application with a key", () => {
    expect(caller(withKey())).toMatchObject({ credentialId: apiKey.id, scopes: ["messages.send", "leads.read"] })
  })
  it("has the granted scopes that the application still holds with a token", () => {
    expect(caller(withToken())).toMatchObject({ credentialId: client.id, scopes: ["messages.send"] })
    expect(caller(withToken({ token: { scopes: [] } })).scopes).toEqual([])
  })
  it("is valid until the token expires", () => {
    expect(caller(withToken(), someTime + 9).credentialId).toBe(client.id)
    expect(refusal(withToken(), "read", someTime + 10)).toMatchObject({
      code: "unauthenticated",
      message: "This access token has expired. Request a new one from POST /oauth/token."
    })
  })

  const strangers: ReadonlyArray<readonly [string, PresentedCredential]> = [
    ["an unknown key", withKey({ credential: { _tag: "ApiKey", apiKey: undefined } })],
    ["a revoked key", withKey({ credential: { _tag: "ApiKey", apiKey: { ...apiKey, revokedAt: someTime } } })],
    ["an unknown token", withKey({ credential: { _tag: "AccessToken", accessToken: undefined, client: undefined } })],
    ["a token without its client", withKey({ credential: { _tag: "AccessToken", accessToken, client: undefined } })],
    ["a token whose client was revoked", withToken({ its: { revokedAt: someTime } })],
    ["a token whose client has a new secret", withToken({ its: { version: 3 } })],
    ["a credential without application", withKey({ application: undefined })],
    ["a credential without workspace", withToken({ workspace: undefined })]
  ]
  for (const [what, presented] of strangers) {
    it(`is unauthenticated with ${what}`, () => expect(refusal(presented).code).toBe("unauthenticated"))
  }
  it("is advised to request a new token if a token fails", () => {
    for (const [, presented] of strangers.slice(2, 6)) {
      expect(refusal(presented).message).toContain("Request a new one from POST /oauth/token.")
    }
  })

  for (const [how, presented] of [
    ["key", withKey],
    ["token", withToken]
  ] as const) {
    it(`is refused with a ${how} if the application is suspended`, () => {
      expect(refusal(presented({ application: anApplication({ status: "suspended" }) })).code).toBe("account_suspended")
    })
    it(`is refused with a ${how} if the workspace is unavailable, and for writes if it is suspended`, () => {
      expect(refusal(presented({ workspace: aWorkspace({ status: "unavailable" }) })).code).toBe(
        "workspace_unavailable"
      )
      const suspended = presented({ workspace: aWorkspace({ status: "suspended" }) })
      expect(refusal(suspended, "write").code).toBe("workspace_suspended")
      expect(Either.isRight(callerOf(suspended, "read", someTime))).toBe(true)
    })
  }
})
