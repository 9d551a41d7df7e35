import { expect, layer } from "@effect/vitest"
import { sqlite } from "@parley/testkit/databases"
import { Effect } from "effect"
import { changes, expect as expected, set } from "../../../src/ports/Changes.js"
import { Storage } from "../../../src/ports/Storage.js"
import { Access } from "../../../src/resources/access/Access.js"
import { type CurrentRequest, currentRequest } from "../../../src/resources/requestLog/currentRequest.js"
import { engine, newTenant } from "../../harness.js"

/** The requester that is noted for a request with this key. */
const requesterWith = (key: string) =>
  Effect.gen(function* () {
    const request: CurrentRequest = { requester: null, rateTokens: [] }
    yield* Effect.ignore(Effect.locally((yield* Access).admit(key, "write"), currentRequest, request))
    return request.requester
  })

layer(engine(sqlite), { excludeTestServices: true })("the requester of a request", (it) => {
  it.effect("is the application of its key, even while suspended", () =>
    Effect.gen(function* () {
      const { commit } = yield* Storage
      const { application, key, workspace } = yield* newTenant
      const its = { applicationId: application.id, workspaceId: workspace.id }
      expect(yield* requesterWith(key)).toEqual(its)
      const { id, version } = application
      yield* commit(
        changes(workspace.id, {
          expects: [expected("applications", { id }, { version })],
          sets: [set("applications", { id }, { status: "suspended" })]
        })
      )
      expect(yield* requesterWith(key)).toEqual(its)
    })
  )

  it.effect("is absent if its key is revoked or unknown", () =>
    Effect.gen(function* () {
      const { commit } = yield* Storage
      const { apiKey, key, workspace } = yield* newTenant
      expect(yield* requesterWith(key)).not.toBeNull()
      const { id, version } = apiKey
      yield* commit(
        changes(workspace.id, {
          expects: [expected("apiKeys", { id }, { version })],
          sets: [set("apiKeys", { id }, { revokedAt: 1 })]
        })
      )
      expect(yield* requesterWith(key)).toBeNull()
      expect(yield* requesterWith("parley_test_0123456789abcdefghijklmnopqrstuv")).toBeNull()
    })
  )
})
