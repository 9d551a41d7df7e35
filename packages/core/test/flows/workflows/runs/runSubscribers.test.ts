import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Layer } from "effect"
import * as Administration from "../../../../src/administration/Administration.js"
import * as Engine from "../../../../src/Engine.js"
import { Storage } from "../../../../src/ports/Storage.js"
import { Messages } from "../../../../src/resources/messages/Messages.js"
import { engine, eventually } from "../../../harness.js"
import { newContact } from "../../../resources/events/eventTriggers.js"
import {
  newWorkspaceFixture,
  type ReceiverName,
  type WorkspaceFixture
} from "../../../resources/events/workspaceFixture.js"
import { action, publish, ship } from "./published.js"

const greeting = action({
  type: "send_message",
  channel: "whatsapp",
  connectionId: null,
  content: { type: "text", body: "It is on its way.", subject: null },
  wanted: null
})

/** The message of a run that an event of this application starts. */
const sentByRun = (fixture: WorkspaceFixture, caller: WorkspaceFixture["owner"]) =>
  Effect.gen(function* () {
    const contactId = yield* newContact(fixture)
    yield* publish(fixture.workspace.id, [greeting])
    yield* ship(caller, contactId, "order-1")
    const storage = yield* Storage
    const where = { workspaceId: fixture.workspace.id }
    const [message] = yield* eventually(
      storage.list({ from: "messages", where, after: null, limit: 1 }),
      ([one]) => one?.status === "sent"
    )
    if (message === undefined) throw new Error("there is no message")
    return message
  })

for (const [name, storage] of databases) {
  const live = Engine.worker.pipe(Layer.provideMerge(Administration.layer), Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a message of a run on ${name}`, (it) => {
    for (const who of ["owner", "live"] as const) {
      it.effect(`is visible only to the application whose event started the run: ${who}`, () =>
        Effect.gen(function* () {
          const fixture = yield* newWorkspaceFixture
          const caller = fixture[who]
          const message = yield* sentByRun(fixture, caller)
          expect(message).toMatchObject({ applicationId: caller.application.id, workflowRunId: expect.any(String) })
          const receivers: ReadonlyArray<ReceiverName> = [who]
          for (const type of ["message.queued", "message.sent"] as const) {
            const [reported] = yield* fixture.reported(type)
            expect(reported).toMatchObject({
              receivers,
              event: { hasExternalReference: false, externalReference: null }
            })
          }
          const messages = yield* Messages
          expect(yield* messages.get(caller, message.id)).toMatchObject({ id: message.id, externalReference: null })
          const connectionIds = [message.connectionId]
          const stranger = { ...caller.application, id: fixture.agent.id, connectionIds }
          const unseen = yield* Effect.flip(messages.get({ ...caller, application: stranger }, message.id))
          expect(unseen).toMatchObject({ code: "not_found" })
        })
      )
    }
  })
}
