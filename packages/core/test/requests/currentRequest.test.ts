import { expect, layer } from "@effect/vitest"
import { sqlite } from "@parley/testkit"
import { Effect } from "effect"
import { Access } from "../../src/access/Access.js"
import { changes, expect as expected, set } from "../../src/ports/Changes.js"
import { Storage } from "../../src/ports/Storage.js"
import { type CurrentRequest, currentRequest } from "../../src/requests/currentRequest.js"
import { engine, newTenant } from "../harness.js"

/** Whose log a request with this key belongs to. */
const requesterWith = (key: string) =>
  Effect.gen(function* () {
    const request: CurrentRequest = { requester: null, drawn: [] }
    yield* Effect.ignore(Effect.locally((yield* Access).admit(key, "write"), currentRequest, request))
    return request.requester
  })

layer(engine(sqlite), { excludeTestServices: true })("a request belongs to the log", (it) => {
  it.effect("of the application whose key it shows, also while that is suspended", () =>
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

  it.effect("of nobody where its key is revoked or unknown", () =>
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
