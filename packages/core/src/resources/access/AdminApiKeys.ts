import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { ApiKey } from "../../model/Application.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { type IssuedApiKey, issueApiKey, revokeApiKey, rotateApiKey } from "./apiKeyRules.js"
import { partsScope } from "./declaredPart.js"

/**
 * Administration of an application's API keys (docs/reference/authentication.md#api-keys,
 * docs/reference/administration.md#applications-and-credentials). Fails with `not_found` for an unknown application or
 * a key of another application. Each change writes its audit entry in the same commit.
 */
export interface AdminApiKeys {
  readonly issue: (applicationId: string) => Effect.Effect<IssuedApiKey, Refusal | CommitError>
  /** Includes revoked keys. */
  readonly list: (
    applicationId: string,
    query: PartialDecode<ListQuery>
  ) => Effect.Effect<Listed<ApiKey>, Refusal | ReadError>
  /** Also fails with `invalid_transition` if the key is revoked. */
  readonly rotate: (applicationId: string, id: string) => Effect.Effect<IssuedApiKey, Refusal | CommitError>
  readonly revoke: (applicationId: string, id: string) => Effect.Effect<ApiKey, Refusal | CommitError>
}
export const AdminApiKeys = Context.GenericTag<AdminApiKeys>("@parley/core/AdminApiKeys")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { serviceName } = yield* EngineSettings
  const { decideAndCommit } = yield* Decider

  const load = (applicationId: string) => readById(storage, "applications", applicationId)
  const loadWith = (applicationId: string, id: string) =>
    Effect.map(
      storage.read({ applications: lookup("applications", { id: applicationId }), apiKeys: lookup("apiKeys", { id }) }),
      ({ applications, apiKeys }) => ({ application: applications[0], apiKey: apiKeys[0] })
    )

  const loadRotate = (applicationId: string, id: string) =>
    Effect.gen(function* () {
      const world = yield* loadWith(applicationId, id)
      const { application } = world
      const { names } = yield* storage.read({
        names:
          application === undefined
            ? null
            : lookup("idempotency", { applicationId: partsScope(application.workspaceId) })
      })
      return { ...world, names }
    })

  return AdminApiKeys.of({
    issue: (applicationId) =>
      decideAndCommit(load(applicationId), (application, now, ids) => issueApiKey(application, serviceName, now, ids)),
    list: (applicationId, query) =>
      Effect.gen(function* () {
        yield* orNotFound(yield* load(applicationId))
        return yield* listNewestFirst(storage, { from: "apiKeys", by: { applicationId } }, query)
      }),
    rotate: (applicationId, id) =>
      decideAndCommit(loadRotate(applicationId, id), (world, now, ids) => rotateApiKey(world, serviceName, now, ids)),
    revoke: (applicationId, id) => decideAndCommit(loadWith(applicationId, id), revokeApiKey)
  })
})
