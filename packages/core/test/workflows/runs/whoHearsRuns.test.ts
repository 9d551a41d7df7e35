import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit"
import { Effect, Layer } from "effect"
import * as Administration from "../../../src/admin/Administration.js"
import * as Engine from "../../../src/Engine.js"
import { Messages } from "../../../src/messages/Messages.js"
import { Storage } from "../../../src/ports/Storage.js"
import { newContact } from "../../events/deeds.js"
import { type Listener, newOffice, type Office } from "../../events/office.js"
import { engine, eventually } from "../../harness.js"
import { action, publish, ship } from "./published.js"

const greeting = action({
  type: "send_message",
  channel: "whatsapp",
  connectionId: null,
  content: { type: "text", body: "It is on its way.", subject: null },
  wanted: null
})

/** The message that a run sends when this application says that an order was shipped. */
const sentByRun = (office: Office, caller: Office["owner"]) =>
  Effect.gen(function* () {
    const contactId = yield* newContact(office)
    yield* publish(office.workspace.id, [greeting])
    yield* ship(caller, contactId, "order-1")
    const storage = yield* Storage
    const where = { workspaceId: office.workspace.id }
    const [message] = yield* eventually(
      storage.list({ from: "messages", where, after: null, limit: 1 }),
      ([one]) => one?.status === "sent"
    )
    if (message === undefined) throw new Error("there is no message")
    return message
  })

for (const [name, storage] of databases) {
  const live = Engine.worker.pipe(Layer.provideMerge(Administration.layer), Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`what a run sends, on ${name}`, (it) => {
    for (const who of ["owner", "live"] as const) {
      it.effect(`is told to and seen by the application whose event started it alone: ${who}`, () =>
        Effect.gen(function* () {
          const office = yield* newOffice
          const caller = office[who]
          const message = yield* sentByRun(office, caller)
          expect(message).toMatchObject({ applicationId: caller.application.id, workflowRunId: expect.any(String) })
          const hearers: ReadonlyArray<Listener> = [who]
          for (const type of ["message.queued", "message.sent"] as const) {
            const [told] = yield* office.told(type)
            expect(told).toMatchObject({ hearers, event: { hasExternalReference: false, externalReference: null } })
          }
          const messages = yield* Messages
          expect(yield* messages.get(caller, message.id)).toMatchObject({ id: message.id, externalReference: null })
          const connectionIds = [message.connectionId]
          const stranger = { ...caller.application, id: office.agent.id, connectionIds }
          const unseen = yield* Effect.flip(messages.get({ ...caller, application: stranger }, message.id))
          expect(unseen).toMatchObject({ code: "not_found" })
        })
      )
    }
  })
}
