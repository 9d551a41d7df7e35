import { InboundEvent, optionalText } from "@parley/core"
import { Effect, Schema } from "effect"
import { json } from "./answers.js"
import { type Answered, type VisitorCall, visitorKey } from "./Call.js"
import { clientId } from "./clientId.js"
import { inputOf } from "./inputOf.js"
import { preChatOf, readPreChat } from "./preChat.js"
import { inboundId } from "./visitorMessageOf.js"

const field = optionalText(200)
const formInput = inputOf(
  Schema.Struct({ id: clientId, form: Schema.Struct({ name: field, email: field, phone: field }) })
)

/**
 * `POST /form`: the answers to the form before the chat, as a message. 202 once it is durable. A repeated request with
 * the same id stores no second message.
 */
export const takeForm = (call: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { connection, visitor, context, request, limits, refuseExcess, now } = call
    const { id, form } = yield* formInput(request)
    const answers = yield* readPreChat(preChatOf(connection.config), form)
    const body = Object.values(answers).join("\n")
    const excess = limits.message(visitorKey(call), request.address, Buffer.byteLength(body), now)
    if (excess !== null) return yield* refuseExcess(excess, request.address, now)
    yield* context.receive([
      InboundEvent.Message({
        providerMessageId: inboundId(visitor.handle, id),
        from: visitor.handle,
        body,
        content: { type: "form", name: null, answers },
        subject: null,
        displayName: answers.name ?? visitor.name,
        attachments: [],
        automatic: false
      })
    ])
    return json(202, { data: { client_id: id } })
  })
