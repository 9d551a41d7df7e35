import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { commitAtOnce } from "../../kernel/deferral.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Endpoint } from "../../model/Endpoint.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { createEndpoint, type EndpointWithSecret } from "./createEndpoint.js"
import { deleteEndpoint } from "./deleteEndpoint.js"
import type { EndpointInput, EndpointPatch } from "./EndpointInput.js"
import { withOpenUrl } from "./endpointUrl.js"
import type { AttemptedDelivery } from "./KnownDelivery.js"
import type { RecoverInput } from "./RecoverInput.js"
import { type Recovered, recoverSince } from "./recoverSince.js"
import { rotateSecret } from "./rotateSecret.js"
import { testEndpoint } from "./testEndpoint.js"
import { updateEndpoint } from "./updateEndpoint.js"

/**
 * Administration of webhook endpoints (docs/reference/administration.md#webhook-endpoints-and-deliveries). URLs are in
 * clear text. All calls fail with `not_found` for an unknown or deleted endpoint.
 */
export interface AdminEndpoints {
  /** Fails with `forbidden` if the application lacks the scope `webhooks.receive`. */
  readonly create: (
    applicationId: string,
    decoded: PartialDecode<EndpointInput>
  ) => Effect.Effect<EndpointWithSecret, Refusal | CommitError>
  readonly list: (
    applicationId: string,
    query: PartialDecode<ListQuery>
  ) => Effect.Effect<Listed<Endpoint>, Refusal | ReadError>
  /** The subscriptions to the events of the whole workspace, newest first. */
  readonly listOfWorkspace: (
    workspaceId: string,
    query: PartialDecode<ListQuery>
  ) => Effect.Effect<Listed<Endpoint>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Endpoint, Refusal | ReadError>
  readonly update: (id: string, decoded: PartialDecode<EndpointPatch>) => Effect.Effect<Endpoint, Refusal | CommitError>
  readonly remove: (id: string) => Effect.Effect<Endpoint, Refusal | CommitError>
  readonly rotateSecret: (id: string) => Effect.Effect<EndpointWithSecret, Refusal | CommitError>
  /** Fails with `forbidden` or `invalid_transition` if the application receives no webhooks now. */
  readonly test: (id: string) => Effect.Effect<AttemptedDelivery, Refusal | CommitError>
  /** Fails like {@link test}, and with `invalid_transition` for a disabled endpoint. */
  readonly recover: (
    id: string,
    decoded: PartialDecode<RecoverInput>
  ) => Effect.Effect<Recovered, Refusal | CommitError>
}
export const AdminEndpoints = Context.GenericTag<AdminEndpoints>("@parley/core/AdminEndpoints")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { refusal } = yield* HttpSender
  const secretBox = yield* SecretBox
  const { seal } = secretBox
  const decider = yield* Decider
  const { decideAndCommit } = decider
  const { retention } = yield* EngineSettings
  const recover = recoverSince(storage, decider, retention)

  const urlRefusal = ({ value }: PartialDecode<{ readonly url?: string }>) =>
    value.url === undefined ? null : refusal(value.url)
  const loadApplication = (id: string) => readById(storage, "applications", id)
  const load = (id: string) =>
    Effect.flatMap(storage.read({ endpoints: lookup("endpoints", { id }) }), ({ endpoints: [endpoint] }) =>
      endpoint === undefined || endpoint.status === "deleted"
        ? Effect.succeed(undefined)
        : withOpenUrl(secretBox, endpoint)
    )

  const listOf = (applicationId: string, query: PartialDecode<ListQuery>) =>
    Effect.gen(function* () {
      const where = { status: ["active", "disabled"] as const }
      const page = yield* listNewestFirst(storage, { from: "endpoints", by: { applicationId }, where }, query)
      return { ...page, rows: yield* Effect.forEach(page.rows, (row) => withOpenUrl(secretBox, row)) }
    })

  return AdminEndpoints.of({
    create: (applicationId, decoded) => {
      const command = { decoded, urlRefusal: urlRefusal(decoded), seal }
      return decideAndCommit(loadApplication(applicationId), (application, now, ids) =>
        createEndpoint(application, command, now, ids)
      )
    },
    list: (applicationId, query) =>
      Effect.zipRight(Effect.flatMap(loadApplication(applicationId), orNotFound), listOf(applicationId, query)),
    listOfWorkspace: (workspaceId, query) =>
      Effect.zipRight(
        Effect.flatMap(readById(storage, "workspaces", workspaceId), orNotFound),
        listOf(workspaceId, query)
      ),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) => {
      const command = { decoded, urlRefusal: urlRefusal(decoded), seal }
      return decideAndCommit(load(id), (endpoint, now, ids) => updateEndpoint(endpoint, command, now, ids))
    },
    remove: (id) => decideAndCommit(load(id), deleteEndpoint),
    rotateSecret: (id) => decideAndCommit(load(id), (endpoint, now, ids) => rotateSecret(endpoint, seal, now, ids)),
    test: (id) => {
      const world = Effect.gen(function* () {
        const endpoint = yield* load(id)
        const application = endpoint && (yield* loadApplication(endpoint.applicationId))
        return { endpoint, application }
      })
      return decideAndCommit(world, testEndpoint)
    },
    recover: (id, decoded) =>
      commitAtOnce(Effect.flatMap(Effect.flatMap(load(id), orNotFound), (endpoint) => recover(endpoint, decoded)))
  })
})
