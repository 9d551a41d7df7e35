import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { OAuthClient } from "../../model/OAuthClient.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { type IssuedOAuthClient, issueOAuthClient, revokeOAuthClient, rotateOAuthClient } from "./oauthClientRules.js"

/**
 * Administration of an application's OAuth clients (docs/reference/authentication.md#oauth-clients,
 * docs/reference/administration.md#applications-and-credentials). Fails with `not_found` for an unknown application or
 * a client of another application. Each change writes its audit entry in the same commit.
 */
export interface AdminOAuthClients {
  readonly issue: (applicationId: string) => Effect.Effect<IssuedOAuthClient, Refusal | CommitError>
  /** Includes revoked clients. */
  readonly list: (
    applicationId: string,
    query: PartialDecode<ListQuery>
  ) => Effect.Effect<Listed<OAuthClient>, Refusal | ReadError>
  /** Also fails with `invalid_transition` if the client is revoked. */
  readonly rotate: (applicationId: string, id: string) => Effect.Effect<IssuedOAuthClient, Refusal | CommitError>
  readonly revoke: (applicationId: string, id: string) => Effect.Effect<OAuthClient, Refusal | CommitError>
}
export const AdminOAuthClients = Context.GenericTag<AdminOAuthClients>("@parley/core/AdminOAuthClients")

export const make = Effect.gen(function* () {
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
        yield* orNotFound(yield* load(applicationId))
        return yield* listNewestFirst(storage, { from: "oauthClients", by: { applicationId } }, query)
      }),
    rotate: (applicationId, id) =>
      decideAndCommit(loadWith(applicationId, id), (world, now, ids) =>
        rotateOAuthClient(world, serviceName, now, ids)
      ),
    revoke: (applicationId, id) => decideAndCommit(loadWith(applicationId, id), revokeOAuthClient)
  })
})
