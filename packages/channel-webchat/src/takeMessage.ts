import { InboundEvent, requiredText, withMessage } from "@parley/core"
import { Effect, Schema } from "effect"
import { json } from "./answers.js"
import { type Answered, type VisitorCall, visitorKey } from "./Call.js"
import { inputOf } from "./inputOf.js"
import { maxTextLength } from "./maxTextLength.js"
import { inboundId } from "./visitorMessageOf.js"

const messageInput = inputOf(
  Schema.Struct({
    id: Schema.String.pipe(Schema.pattern(/^[\w-]{1,64}$/), withMessage("must be 1 to 64 letters, digits, _ and -")),
    body: requiredText(maxTextLength)
  })
)

/** `POST /messages`: 202 once the message is durable. A repeated request with the same id stores no second message. */
export const takeMessage = (call: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { visitor, context, request, limits, refuseExcess, now } = call
    const { id, body } = yield* messageInput(request)
    const excess = limits.message(visitorKey(call), request.address, Buffer.byteLength(body), now)
    if (excess !== null) return yield* refuseExcess(excess, request.address, now)
    yield* context.receive([
      InboundEvent.Message({
        providerMessageId: inboundId(visitor.handle, id),
        from: visitor.handle,
        body,
        subject: null,
        displayName: visitor.name,
        attachments: [],
        automatic: false
      })
    ])
    return json(202, { data: { client_id: id } })
  })
