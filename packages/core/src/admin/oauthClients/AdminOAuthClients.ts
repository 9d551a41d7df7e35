import { Context, Effect, Layer } from "effect"
import type { OAuthClient } from "../../access/OAuthClient.js"
import { Decider } from "../../Decider.js"
import { EngineSettings } from "../../EngineSettings.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { ListQuery } from "../../input/ListQuery.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { type IssuedOAuthClient, issueOAuthClient, revokeOAuthClient, rotateOAuthClient } from "./oauthClientRules.js"

/**
 * Administration of an application's OAuth clients (spec, Authentication; decisions.md §14). An unknown application, or a
 * client of another one, is `not_found`. Each change is in the audit log with the commit that makes it.
 */
export interface AdminOAuthClients {
  readonly issue: (applicationId: string) => Effect.Effect<IssuedOAuthClient, Refusal | CommitError>
  /** Revoked ones too. */
  readonly list: (
    applicationId: string,
    query: Draft<ListQuery>
  ) => Effect.Effect<Listed<OAuthClient>, Refusal | ReadError>
  /** Refuses with `invalid_transition` where the client is revoked. */
  readonly rotate: (applicationId: string, id: string) => Effect.Effect<IssuedOAuthClient, Refusal | CommitError>
  readonly revoke: (applicationId: string, id: string) => Effect.Effect<OAuthClient, Refusal | CommitError>
}
export const AdminOAuthClients = Context.GenericTag<AdminOAuthClients>("@parley/core/AdminOAuthClients")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { serviceName } = yield* EngineSettings
  const { decideAndCommit } = yield* Decider

  const load = (applicationId: string) => readById(storage, "applications", applicationId)
  const loadWith = (applicationId: string, id: string) =>
    Effect.map(
      storage.read({
        applications: lookup("applications", { id: applicationId }),
        clients: lookup("oauthClients", { id })
      }),
      ({ applications, clients }) => ({ application: applications[0], client: clients[0] })
    )

  return AdminOAuthClients.of({
    issue: (applicationId) =>
      decideAndCommit(load(applicationId), (application, now, ids) =>
        issueOAuthClient(application, serviceName, now, ids)
      ),
    list: (applicationId, query) =>
      Effect.gen(function* () {
        yield* found(yield* load(applicationId))
        return yield* listNewestFirst(storage, { from: "oauthClients", by: { applicationId } }, query)
      }),
    rotate: (applicationId, id) =>
      decideAndCommit(loadWith(applicationId, id), (world, now, ids) =>
        rotateOAuthClient(world, serviceName, now, ids)
      ),
    revoke: (applicationId, id) => decideAndCommit(loadWith(applicationId, id), revokeOAuthClient)
  })
})

export const layer: Layer.Layer<AdminOAuthClients, never, Storage | Decider | EngineSettings> = Layer.effect(
  AdminOAuthClients,
  make
)
