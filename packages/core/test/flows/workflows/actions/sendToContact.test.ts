import { describe, expect, it } from "@effect/vitest"
import { aContact, anApplication, aRun, aWorkspace } from "@parley/testkit/rows"
import { Effect, Either } from "effect"
import { type Refusal, refuse } from "../../../../src/errors/Refusal.js"
import { sendToContact } from "../../../../src/flows/workflows/actions/sendToContact.js"
import type { RunServices } from "../../../../src/flows/workflows/runs/RunScope.js"
import { scriptedStorage } from "../../../scriptedStorage.js"
import { anAction } from "../runDesk.js"

const action = anAction({
  type: "send_message",
  channel: "whatsapp",
  connectionId: null,
  content: { type: "text", body: "hello", subject: null },
  wanted: null
})
const scope = {
  run: aRun({ id: "01900000-0000-7000-8000-000000000001" }),
  workspace: aWorkspace({}),
  application: anApplication({}),
  contact: aContact({}),
  subscribers: { endpoints: [], applications: [] }
}

/** Loads a send of a run to which entitlements answer with this refusal. */
const refusedBy = (refusal: Refusal) =>
  Effect.gen(function* () {
    const { storage } = yield* scriptedStorage({
      read: () => Effect.succeed({ connections: [] }),
      listConversations: () => Effect.succeed([])
    })
    const services = { storage, entitlements: { check: () => Effect.fail(refusal) } } as unknown as RunServices
    return yield* Effect.either(sendToContact(services, scope, action as never))
  }).pipe(Effect.scoped)

describe("a send of a run", () => {
  it.effect("is tried again while entitlements are unavailable", () =>
    Effect.gen(function* () {
      const refusal = refuse("service_unavailable")
      expect(yield* refusedBy(refusal)).toEqual(Either.left(refusal))
    })
  )
  it.effect("fails for a refusal that lasts", () =>
    Effect.gen(function* () {
      const refusal = refuse("limit_reached")
      const prepared = Either.getOrThrow(yield* refusedBy(refusal))
      expect(prepared(scope, 0, undefined as never)).toEqual(Either.left(refusal))
    })
  )
})
