import { randomUUID } from "node:crypto"
import { createClient } from "@parley/client"
import { Access, decodeSendMessageInput, fingerprint, Messages } from "@parley/core"
import { clientFetch, inProcessHandler, inProcessOrigin, makeInterpreter, publicModule } from "@parley/http"
import { Effect } from "effect"
import { apiKey, applicationId } from "./seed.js"
import { bodyOf, type Handles, handleNumbers, handleOf } from "./traffic.js"

/** Sends the next message as a program that embeds the engine does: from the request body to the response. */
export const sender = Effect.gen(function* () {
  const caller = yield* (yield* Access).authenticate(apiKey, "write")
  const messages = yield* Messages
  const next = handleNumbers()
  return (handles: Handles) =>
    Effect.suspend(() => {
      const body = bodyOf(handleOf(next(handles)))
      const idempotency = { key: randomUUID(), fingerprint: fingerprint("POST", "/api/v1/messages", body) }
      return messages.send(caller, { decoded: decodeSendMessageInput(body), idempotency, requestId: randomUUID() })
    })
})

/**
 * Sends the next message by the service with the checks of `parley.as(applicationId)`: whether the application may send
 * now.
 */
export const admittedSender = Effect.gen(function* () {
  const access = yield* Access
  const messages = yield* Messages
  const next = handleNumbers()
  return (handles: Handles) =>
    Effect.flatMap(access.admitInProcess({ applicationId, limited: false }, "write"), (caller) => {
      const body = bodyOf(handleOf(next(handles)))
      const idempotency = { key: randomUUID(), fingerprint: fingerprint("POST", "/api/v1/messages", body) }
      return messages.send(caller, { decoded: decodeSendMessageInput(body), idempotency, requestId: randomUUID() })
    })
})

/** Sends the next message as `parley.as(applicationId)` does, for a caller without Effect. */
export const clientSender = Effect.gen(function* () {
  const interpreter = yield* makeInterpreter({ modules: [yield* publicModule] })
  const fetch = (yield* inProcessHandler(interpreter))({ application: { applicationId, limited: false } })
  const client = createClient({
    baseUrl: inProcessOrigin,
    apiKey: "in-process",
    fetch: clientFetch(fetch)
  })
  const next = handleNumbers()
  return (handles: Handles): Promise<unknown> => client.messages.send(bodyOf(handleOf(next(handles))))
})
