import { InboundEvent, invalid, optional, type ReadError, type Refusal, requiredText, uuid } from "@parley/core"
import { Effect, Schema } from "effect"
import { json } from "./answers.js"
import { type Answered, type VisitorCall, visitorKey } from "./Call.js"
import { choiceLimits } from "./choiceLimits.js"
import { clientId } from "./clientId.js"
import { inputOf } from "./inputOf.js"
import { maxTextLength } from "./maxTextLength.js"
import type { VisitorOption } from "./VisitorMessage.js"
import { inboundId } from "./visitorMessageOf.js"

const messageInput = inputOf(
  Schema.Struct({
    id: clientId,
    body: requiredText(maxTextLength),
    choice: optional(Schema.Struct({ message_id: uuid, option_id: requiredText(choiceLimits.idLength) })),
    quoted: optional(uuid)
  })
)

/** The number of the newest messages among which the question of a selected option is looked for. */
const maxLookback = 30

/**
 * `POST /messages`: 202 once the message is durable. A repeated request with the same id stores no second message.
 * `choice` is the press of an option of one of our questions, whose title becomes the text; `quoted` is the id of the
 * message that this one answers.
 */
export const takeMessage = (call: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { visitor, context, request, limits, refuseExcess, now } = call
    const { id, body, choice, quoted } = yield* messageInput(request)
    const excess = limits.message(visitorKey(call), request.address, Buffer.byteLength(body), now)
    if (excess !== null) return yield* refuseExcess(excess, request.address, now)
    const selected = choice === null ? null : yield* optionOf(call, choice)
    const answered = quoted === null || choice !== null ? null : yield* providerMessageIdOf(call, quoted)
    yield* context.receive([
      InboundEvent.Message({
        providerMessageId: inboundId(visitor.handle, id),
        from: visitor.handle,
        ...(selected === null || choice === null
          ? { body, ...(answered === null ? {} : { quoted: { providerMessageId: answered } }) }
          : {
              body: selected.title,
              content: { type: "choice", id: selected.id, title: selected.title },
              quoted: { providerMessageId: choice.message_id }
            }),
        subject: null,
        displayName: visitor.name,
        attachments: [],
        automatic: false
      })
    ])
    return json(202, { data: { client_id: id } })
  })

/** The provider message id of a message of this conversation. */
const providerMessageIdOf = (
  { context, visitor }: VisitorCall,
  id: string
): Effect.Effect<string, Refusal | ReadError> =>
  Effect.flatMap(context.messages(visitor.handle, [id]), (messages) => {
    const [message] = messages.values()
    return message?.providerMessageId == null
      ? invalid({ quoted: ["must be the id of a message of this conversation"] })
      : Effect.succeed(message.providerMessageId)
  })

/** The option of a recent question of this conversation. The provider message id of ours is our id. */
const optionOf = (
  { context, visitor }: VisitorCall,
  choice: { readonly message_id: string; readonly option_id: string }
): Effect.Effect<VisitorOption, Refusal | ReadError> =>
  Effect.flatMap(context.history(visitor.handle, null, maxLookback), (messages) => {
    const content = messages.find(({ direction, id }) => direction === "outbound" && id === choice.message_id)?.content
    const option = content?.type === "choices" ? content.options.find(({ id }) => id === choice.option_id) : undefined
    return option === undefined
      ? invalid({ choice: ["must be an option of a recent question"] })
      : Effect.succeed(option)
  })
