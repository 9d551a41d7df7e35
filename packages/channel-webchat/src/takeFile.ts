import { InboundEvent, invalid, isKeptType, kindOf, typeOfFile } from "@parley/core"
import { Effect, Schema } from "effect"
import { json } from "./answers.js"
import { type Answered, type VisitorCall, visitorKey } from "./Call.js"
import { clientId } from "./clientId.js"
import { acceptedTypes, maxFileBytes } from "./files.js"
import { inboundId } from "./visitorMessageOf.js"
import { visitorMessages } from "./visitorMessages.js"

const isClientId = Schema.is(clientId)

/** The number of the newest messages among which the stored one is looked for. */
const maxLookback = 10

/**
 * `POST /files?id=<client id>&name=<file name>`: the body is a file, `Content-Type` its media type. 202 with the
 * message once it is durable; without it (null) if more messages came meanwhile. A repeated request with the same id
 * stores no second message (docs/reference/webchat.md#files).
 */
export const takeFile = (call: VisitorCall): Answered =>
  Effect.gen(function* () {
    const { visitor, connection, config, context, request, limits, refuseExcess, now } = call
    const { id = "", name = null } = request.query
    const { body: bytes, address } = request
    if (!isClientId(id)) return yield* invalid({ id: ["must be 1 to 64 letters, digits, _ and -"] })
    // Transports may have larger limits.
    if (bytes.length === 0 || bytes.length > maxFileBytes) {
      return yield* invalid({ file: [`must have 1 to ${maxFileBytes} bytes`] })
    }
    const contentType = typeOfFile(bytes, request.headers["content-type"] ?? null)
    if (!isKeptType(acceptedTypes(connection.config), contentType)) {
      return yield* invalid({ file: [`is ${contentType}, which is not accepted`] })
    }
    const excess = limits.file(visitorKey(call), address, bytes.length, now)
    if (excess !== null) return yield* refuseExcess(excess, address, now)
    const providerMessageId = inboundId(visitor.handle, id)
    yield* context.receive([
      InboundEvent.Message({
        providerMessageId,
        from: visitor.handle,
        body: "",
        subject: null,
        displayName: visitor.name,
        attachments: [{ type: kindOf(contentType), contentType, fileName: name, content: bytes }],
        automatic: false
      })
    ])
    const newest = yield* context.history(visitor.handle, null, maxLookback)
    const stored = newest.filter((message) => message.providerMessageId === providerMessageId)
    const view = { context, handle: visitor.handle, showsAgents: config.agentNames }
    const [data = null] = yield* visitorMessages(view, stored)
    return json(202, { data })
  })
