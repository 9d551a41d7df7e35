import { Context, Effect, Layer } from "effect"
import type { ApiKey } from "../../access/Application.js"
import { Decider } from "../../Decider.js"
import { EngineSettings } from "../../EngineSettings.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { ListQuery } from "../../input/ListQuery.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { type IssuedApiKey, issueApiKey, revokeApiKey, rotateApiKey } from "./apiKeyRules.js"

/**
 * Administration of an application's API keys (spec, Authentication; decisions.md §14). An unknown application, or a key of
 * another one, is `not_found`. Each change is in the audit log with the commit that makes it.
 */
export interface AdminApiKeys {
  readonly issue: (applicationId: string) => Effect.Effect<IssuedApiKey, Refusal | CommitError>
  /** Revoked ones too. */
  readonly list: (applicationId: string, query: Draft<ListQuery>) => Effect.Effect<Listed<ApiKey>, Refusal | ReadError>
  /** Refuses with `invalid_transition` where the key is revoked. */
  readonly rotate: (applicationId: string, id: string) => Effect.Effect<IssuedApiKey, Refusal | CommitError>
  readonly revoke: (applicationId: string, id: string) => Effect.Effect<ApiKey, Refusal | CommitError>
}
export const AdminApiKeys = Context.GenericTag<AdminApiKeys>("@parley/core/AdminApiKeys")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { serviceName } = yield* EngineSettings
  const { decideAndCommit } = yield* Decider

  const load = (applicationId: string) => readById(storage, "applications", applicationId)
  const loadWith = (applicationId: string, id: string) =>
    Effect.map(
      storage.read({ applications: lookup("applications", { id: applicationId }), apiKeys: lookup("apiKeys", { id }) }),
      ({ applications, apiKeys }) => ({ application: applications[0], apiKey: apiKeys[0] })
    )

  return AdminApiKeys.of({
    issue: (applicationId) =>
      decideAndCommit(load(applicationId), (application, now, ids) => issueApiKey(application, serviceName, now, ids)),
    list: (applicationId, query) =>
      Effect.gen(function* () {
        yield* found(yield* load(applicationId))
        return yield* listNewestFirst(storage, { from: "apiKeys", by: { applicationId } }, query)
      }),
    rotate: (applicationId, id) =>
      decideAndCommit(loadWith(applicationId, id), (world, now, ids) => rotateApiKey(world, serviceName, now, ids)),
    revoke: (applicationId, id) => decideAndCommit(loadWith(applicationId, id), revokeApiKey)
  })
})

export const layer: Layer.Layer<AdminApiKeys, never, Storage | Decider | EngineSettings> = Layer.effect(
  AdminApiKeys,
  make
)
