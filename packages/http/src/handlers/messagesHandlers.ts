import { type Caller, Files, Messages, messageResource } from "@parley/core"
import { Effect } from "effect"
import type { MessagesGroup } from "../contract/MessagesGroup.js"
import type { GroupHandlers } from "../server/Call.js"

/** Implements the group `messages` of the contract. */
export const messagesHandlers: Effect.Effect<
  GroupHandlers<typeof MessagesGroup, Caller>,
  never,
  Messages | Files
> = Effect.gen(function* () {
  const messages = yield* Messages
  const files = yield* Files
  return {
    send: ({ caller, body, idempotency, requestId }) =>
      messages.send(caller, { decoded: body, idempotency, requestId }),
    get: ({ caller, path, base }) =>
      Effect.zipWith(messages.get(caller, path.id), files.links(base), (message, links) => ({
        data: messageResource(message, links, caller.application.id)
      }))
  }
})
