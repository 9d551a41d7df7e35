import { Context, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { decodeConnectionInput } from "../../flows/connections/ConnectionInput.js"
import { readAccount } from "../../flows/connections/readAccount.js"
import { withOpenDefinition } from "../../flows/workflows/definition/sealedUrls.js"
import { decodeWorkflowInput } from "../../flows/workflows/WorkflowInput.js"
import { Decider } from "../../kernel/Decider.js"
import { isSameJson } from "../../kernel/input/isSameJson.js"
import { changes } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { SecretBox, type SecretUnreadable } from "../../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import {
  type DeclaredPart,
  partOf,
  partsScope,
  storePart,
  workspaceScope
} from "../../resources/access/declaredPart.js"
import { openCredentials } from "../../resources/channels/openCredentials.js"

/** Where a name is unique: all workspaces, or the parts of one. */
export type NameScope = { readonly workspaceName: string } | { readonly workspaceId: string }

/**
 * What a declaration of a workspace needs beside the calls of the admin API: the names of its parts, and comparisons
 * with stored secrets and definitions. Only for this process: a comparison tells whether a secret is the stored one.
 */
export interface Declarations {
  /** Value of `declaredIn` of a creation in this scope. */
  readonly scopeId: (scope: NameScope) => string
  readonly parts: (scope: NameScope) => Effect.Effect<ReadonlyMap<string, DeclaredPart>, ReadError>
  /**
   * Decides the new part of a name from the present one, which is null if the name has no part. Returns the new part.
   * `workspaceId`: the workspace of the part.
   */
  readonly setPart: (
    name: { readonly scope: NameScope; readonly workspaceId: string; readonly name: string },
    decide: (present: DeclaredPart | null) => DeclaredPart | null
  ) => Effect.Effect<DeclaredPart | null, Refusal | CommitError>
  /**
   * The declared ones of `handle`, `config` and `credentials` that differ from the connection's, compared as the
   * provider reads them. Invalid ones differ. Input in wire shape.
   */
  readonly connectionDifferences: (
    id: string,
    input: { readonly [field: string]: unknown }
  ) => Effect.Effect<ReadonlyArray<string>, ReadError>
  /** Whether this is the signing secret of an endpoint. */
  readonly isEndpointSecret: (id: string, secret: string) => Effect.Effect<boolean, ReadError>
  /** Those of `trigger`, `conditions` and `actions` that differ from the workflow's. Input in wire shape. */
  readonly workflowDifferences: (
    id: string,
    input: { readonly [field: string]: unknown }
  ) => Effect.Effect<ReadonlyArray<string>, ReadError>
}
export const Declarations = Context.GenericTag<Declarations>("@parley/core/Declarations")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const secretBox = yield* SecretBox
  const { decideAndCommit } = yield* Decider

  const scopeId: Declarations["scopeId"] = (scope) =>
    "workspaceName" in scope ? workspaceScope(scope.workspaceName) : partsScope(scope.workspaceId)

  /** False if it cannot be opened: the declared secret replaces it. */
  const opensAs = (opened: Effect.Effect<unknown, SecretUnreadable>, declared: unknown): Effect.Effect<boolean> =>
    opened.pipe(
      Effect.map((value) => isSameJson(value, declared)),
      Effect.catchTag("SecretUnreadable", () => Effect.succeed(false))
    )

  return Declarations.of({
    scopeId,
    parts: (scope) =>
      Effect.map(
        storage.read({ records: lookup("idempotency", { applicationId: scopeId(scope) }) }),
        ({ records }) => new Map(records.map((record) => [record.key, partOf(record)]))
      ),
    setPart: ({ scope, workspaceId, name }, decide) => {
      const key = { scope: scopeId(scope), key: name, workspaceId }
      const world = storage.read({ records: lookup("idempotency", { applicationId: key.scope, key: name }) })
      return decideAndCommit(world, ({ records: [record] }, now) => {
        const present = record === undefined ? null : partOf(record)
        const part = decide(present)
        return Either.right({
          changes: isSameJson(part, present) ? null : changes(workspaceId, storePart(record, key, part, now)),
          result: part
        })
      })
    },
    connectionDifferences: (id, input) =>
      Effect.gen(function* () {
        const connection = yield* readById(storage, "connections", id)
        if (connection === undefined) return []
        const { channel, provider } = connection
        const account = readAccount(providers, decodeConnectionInput({ ...input, channel, provider }).value)
        const isSame = {
          handle: account.handle === connection.handle,
          config: isSameJson(account.config, connection.config),
          credentials: yield* opensAs(openCredentials(secretBox, connection), account.credentials)
        }
        return Object.entries(isSame).flatMap(([field, same]) => (same || input[field] === undefined ? [] : [field]))
      }),
    isEndpointSecret: (id, secret) =>
      Effect.flatMap(readById(storage, "endpoints", id), (endpoint) =>
        endpoint === undefined ? Effect.succeed(false) : opensAs(secretBox.open(endpoint.secret), secret)
      ),
    workflowDifferences: (id, input) =>
      Effect.gen(function* () {
        const stored = yield* readById(storage, "workflows", id)
        if (stored === undefined) return []
        const workflow = yield* withOpenDefinition(secretBox, stored)
        const { actions, conditions, trigger } = decodeWorkflowInput(input).value
        const isSame = {
          trigger: trigger?.event === workflow.eventName,
          conditions: isSameJson(conditions, workflow.definition.conditions),
          actions: isSameJson(actions, workflow.definition.actions)
        }
        return Object.entries(isSame).flatMap(([field, same]) => (same ? [] : [field]))
      })
  })
})
