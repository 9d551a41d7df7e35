import { Context, Effect, Layer } from "effect"
import { Decider } from "../Decider.js"
import { EngineSettings } from "../EngineSettings.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Draft } from "../input/Draft.js"
import { type CommitError, lookup, lookupById, Storage } from "../ports/Storage.js"
import { exchangeToken, type IssuedToken } from "./exchangeToken.js"
import type { TokenInput } from "./TokenInput.js"

/** Access tokens for OAuth clients (spec, Authentication 2). */
export interface AccessTokens {
  /** `POST /oauth/token`. What a refusal is called there, `tokenErrorOf` tells. */
  readonly exchange: (draft: Draft<TokenInput>) => Effect.Effect<IssuedToken, Refusal | CommitError>
}
export const AccessTokens = Context.GenericTag<AccessTokens>("@parley/core/AccessTokens")

const make = Effect.gen(function* () {
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
    exchange: (draft) =>
      decideAndCommit(load(draft.value.clientId), (world, now, ids) =>
        exchangeToken(world, draft, serviceName, now, ids)
      )
  })
})

export const layer: Layer.Layer<AccessTokens, never, Storage | Decider | EngineSettings> = Layer.effect(
  AccessTokens,
  make
)
