import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { type CommitError, lookup, lookupById, Storage } from "../../ports/Storage.js"
import { exchangeToken, type IssuedToken } from "./exchangeToken.js"
import type { TokenInput } from "./TokenInput.js"

/** Access tokens for OAuth clients (docs/reference/authentication.md#access-tokens). */
export interface AccessTokens {
  /** `POST /oauth/token`. `tokenErrorOf` maps a refusal to its OAuth error code. */
  readonly exchange: (decoded: PartialDecode<TokenInput>) => Effect.Effect<IssuedToken, Refusal | CommitError>
}
export const AccessTokens = Context.GenericTag<AccessTokens>("@parley/core/AccessTokens")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { serviceName } = yield* EngineSettings
  const { decideAndCommit } = yield* Decider

  const load = (clientId: string | undefined) =>
    Effect.gen(function* () {
      const { clients } = yield* storage.read({
        clients: clientId === undefined ? null : lookup("oauthClients", { clientId })
      })
      const client = clients[0]
      const { applications, workspaces } = yield* storage.read({
        applications: lookupById("applications", client?.applicationId),
        workspaces: lookupById("workspaces", client?.workspaceId)
      })
      return { client, application: applications[0], workspace: workspaces[0] }
    })

  return AccessTokens.of({
    exchange: (decoded) =>
      decideAndCommit(load(decoded.value.clientId), (world, now, ids) =>
        exchangeToken(world, decoded, serviceName, now, ids)
      )
  })
})
