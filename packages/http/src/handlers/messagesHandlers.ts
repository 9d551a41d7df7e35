import { type Caller, Messages, messageResource } from "@parley/core"
import { Effect } from "effect"
import type { MessagesGroup } from "../contract/MessagesGroup.js"
import type { GroupHandlers } from "../server/Call.js"

/** Carries out the contract's group `messages`. */
export const messagesHandlers: Effect.Effect<GroupHandlers<typeof MessagesGroup, Caller>, never, Messages> = Effect.map(
  Messages,
  (messages) => ({
    send: ({ caller, body, idempotency, requestId }) => messages.send(caller, { draft: body, idempotency, requestId }),
    get: ({ caller, path }) =>
      Effect.map(messages.get(caller, path.id), (message) => ({ data: messageResource(message) }))
  })
)
