import { Context, Effect, Layer } from "effect"
import { Decider } from "../../Decider.js"
import { EngineSettings } from "../../EngineSettings.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { ListQuery } from "../../input/ListQuery.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { Delivery } from "../../webhooks/Delivery.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { createEndpoint, type EndpointWithSecret } from "./createEndpoint.js"
import { deleteEndpoint } from "./deleteEndpoint.js"
import type { EndpointInput, EndpointPatch } from "./EndpointInput.js"
import type { RecoverInput } from "./RecoverInput.js"
import { type Recovered, recoverSince } from "./recoverSince.js"
import { rotateSecret } from "./rotateSecret.js"
import { testEndpoint } from "./testEndpoint.js"
import { updateEndpoint } from "./updateEndpoint.js"

/** Administration of webhook endpoints (spec, Subscribing; decisions.md §14). One that is unknown or deleted is `not_found`. */
export interface AdminEndpoints {
  /** Refuses with `forbidden` where the application lacks `webhooks.receive`. */
  readonly create: (
    applicationId: string,
    draft: Draft<EndpointInput>
  ) => Effect.Effect<EndpointWithSecret, Refusal | CommitError>
  readonly list: (
    applicationId: string,
    query: Draft<ListQuery>
  ) => Effect.Effect<Listed<Endpoint>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Endpoint, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<EndpointPatch>) => Effect.Effect<Endpoint, Refusal | CommitError>
  readonly remove: (id: string) => Effect.Effect<Endpoint, Refusal | CommitError>
  readonly rotateSecret: (id: string) => Effect.Effect<EndpointWithSecret, Refusal | CommitError>
  /** Refuses with `forbidden` or `invalid_transition` where its application is sent no webhooks. */
  readonly test: (id: string) => Effect.Effect<Delivery, Refusal | CommitError>
  /** Refuses like {@link test}, and a disabled endpoint with `invalid_transition`. */
  readonly recover: (id: string, draft: Draft<RecoverInput>) => Effect.Effect<Recovered, Refusal | CommitError>
}
export const AdminEndpoints = Context.GenericTag<AdminEndpoints>("@parley/core/AdminEndpoints")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { refusal } = yield* HttpSender
  const { seal } = yield* SecretBox
  const decider = yield* Decider
  const { decideAndCommit } = decider
  const { retention } = yield* EngineSettings
  const recover = recoverSince(storage, decider, retention)

  const urlRefusal = ({ value }: Draft<{ readonly url?: string }>) =>
    value.url === undefined ? null : refusal(value.url)
  const loadApplication = (id: string) => readById(storage, "applications", id)
  const load = (id: string) =>
    Effect.map(storage.read({ endpoints: lookup("endpoints", { id }) }), ({ endpoints }) =>
      endpoints[0]?.status === "deleted" ? undefined : endpoints[0]
    )

  return AdminEndpoints.of({
    create: (applicationId, draft) => {
      const command = { draft, urlRefusal: urlRefusal(draft), seal }
      return decideAndCommit(loadApplication(applicationId), (application, now, ids) =>
        createEndpoint(application, command, now, ids)
      )
    },
    list: (applicationId, query) =>
      Effect.gen(function* () {
        yield* found(yield* loadApplication(applicationId))
        const where = { status: ["active", "disabled"] as const }
        return yield* listNewestFirst(storage, { from: "endpoints", by: { applicationId }, where }, query)
      }),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => {
      const command = { draft, urlRefusal: urlRefusal(draft) }
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
    recover: (id, draft) => Effect.flatMap(Effect.flatMap(load(id), found), (endpoint) => recover(endpoint, draft))
  })
})

export const layer: Layer.Layer<AdminEndpoints, never, Storage | Decider | HttpSender | SecretBox | EngineSettings> =
  Layer.effect(AdminEndpoints, make)
