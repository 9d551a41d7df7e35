import { anAccessToken, anApiKey, anApplication, anOAuthClient, aWorkspace, someTime } from "@parley/testkit"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { callerOf, type Presented } from "../../src/access/callerOf.js"
import type { AccessToken, OAuthClient } from "../../src/access/OAuthClient.js"

const apiKey = anApiKey({ id: "01900000-0000-7000-8000-0000000000b1" })
const client = anOAuthClient({ id: "01900000-0000-7000-8000-0000000000c1", version: 2 })
const accessToken = anAccessToken({
  oauthClientId: client.id,
  clientVersion: 2,
  scopes: ["messages.send", "contacts.read"],
  expiresAt: someTime + 10
})
const withKey = (parts: Partial<Presented> = {}): Presented => ({
  credential: { _tag: "ApiKey", apiKey },
  application: anApplication({ scopes: ["messages.send", "leads.read"] }),
  workspace: aWorkspace(),
  ...parts
})
const withToken = (
  parts: Partial<Presented> & { readonly token?: Partial<AccessToken>; readonly its?: Partial<OAuthClient> } = {}
): Presented => {
  const { token, its, ...rest } = parts
  return withKey({
    credential: { _tag: "AccessToken", accessToken: { ...accessToken, ...token }, client: { ...client, ...its } },
    ...rest
  })
}
const caller = (presented: Presented, now = someTime) => Either.getOrThrow(callerOf(presented, "write", now))
const refusal = (presented: Presented, purpose: "read" | "write" = "read", now = someTime) =>
  Either.getOrThrow(Either.flip(callerOf(presented, purpose, now)))

describe("the caller behind a credential", () => {
  it("has every scope of the application by a key", () => {
    expect(caller(withKey())).toMatchObject({ credentialId: apiKey.id, scopes: ["messages.send", "leads.read"] })
  })
  it("has by a token what it was granted and the application still holds", () => {
    expect(caller(withToken())).toMatchObject({ credentialId: client.id, scopes: ["messages.send"] })
    expect(caller(withToken({ token: { scopes: [] } })).scopes).toEqual([])
  })
  it("is in until the very moment at which the token expires", () => {
    expect(caller(withToken(), someTime + 9).credentialId).toBe(client.id)
    expect(refusal(withToken(), "read", someTime + 10)).toMatchObject({
      code: "unauthenticated",
      message: "This access token has expired. Request a new one from POST /oauth/token."
    })
  })

  const strangers: ReadonlyArray<readonly [string, Presented]> = [
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
    it(`is unknown by ${what}`, () => expect(refusal(presented).code).toBe("unauthenticated"))
  }
  it("is told to request a new token where it is a token that fails", () => {
    for (const [, presented] of strangers.slice(2, 6)) {
      expect(refusal(presented).message).toContain("Request a new one from POST /oauth/token.")
    }
  })

  for (const [how, presented] of [
    ["key", withKey],
    ["token", withToken]
  ] as const) {
    it(`is refused by ${how} where the application is suspended`, () => {
      expect(refusal(presented({ application: anApplication({ status: "suspended" }) })).code).toBe("account_suspended")
    })
    it(`is refused by ${how} where the workspace is unavailable, and its writes where that is suspended`, () => {
      expect(refusal(presented({ workspace: aWorkspace({ status: "unavailable" }) })).code).toBe(
        "workspace_unavailable"
      )
      const suspended = presented({ workspace: aWorkspace({ status: "suspended" }) })
      expect(refusal(suspended, "write").code).toBe("workspace_suspended")
      expect(Either.isRight(callerOf(suspended, "read", someTime))).toBe(true)
    })
  }
})
