import {
  type FedMessage,
  InboundEvent,
  type Instant,
  type ProviderContext,
  type ReadError,
  wholeNumber
} from "@parley/core"
import { Effect, Schema } from "effect"
import { empty } from "./answers.js"
import type { Answered, VisitorCall } from "./Call.js"
import { inputOf } from "./inputOf.js"

const place = Schema.optionalWith(wholeNumber(0, Number.MAX_SAFE_INTEGER), { default: () => 0 })
const acknowledgements = inputOf(Schema.Struct({ delivered: place, read: place }))

/**
 * `POST /acks`: the visitor's screen shows, or the visitor has read, all messages up to these positions of the feed.
 * 204.
 */
export const acknowledge = ({ visitor, request, context, now }: VisitorCall): Answered =>
  Effect.gen(function* () {
    const given = yield* acknowledgements(request)
    const { handle } = visitor
    const latest = yield* context.latestFed(handle)
    const read = Math.min(given.read, latest)
    const delivered = Math.min(given.delivered, latest)
    const receipts = [
      ...(yield* receiptsOf(context, handle, "read", { after: 0, upTo: read }, now)),
      ...(yield* receiptsOf(context, handle, "delivered", { after: read, upTo: delivered }, now))
    ]
    if (receipts.length > 0) yield* context.receive(receipts)
    return empty(204)
  })

const pageLength = 50

/**
 * Receipts for the messages of a part of the feed that do not have this status yet, oldest first. The feed is read
 * backwards to the first message that has the status: all earlier ones have it too, since an acknowledgement covers all
 * messages up to a position.
 */
const receiptsOf = (
  context: ProviderContext,
  handle: string,
  status: "delivered" | "read",
  part: { readonly after: number; readonly upTo: number },
  now: Instant
): Effect.Effect<ReadonlyArray<InboundEvent>, ReadError> =>
  Effect.gen(function* () {
    if (part.upTo <= part.after) return []
    const after = Math.max(part.after, part.upTo - pageLength)
    const { messages: page } = yield* context.fed(handle, after, part.upTo - after)
    const receipts = page.filter((fed) => !hasReached(fed, status)).map((fed) => receiptOf(fed, status, now))
    const earlier =
      receipts.length < page.length ? [] : yield* receiptsOf(context, handle, status, { ...part, upTo: after }, now)
    return [...earlier, ...receipts]
  })

const hasReached = ({ message }: FedMessage, status: "delivered" | "read"): boolean =>
  message.status === "read" || message.status === "failed" || message.status === status

const receiptOf = ({ message }: FedMessage, status: "delivered" | "read", at: Instant): InboundEvent =>
  InboundEvent.Receipt({
    providerMessageId: message.id,
    messageId: message.id,
    receipt: { status, at, error: null }
  })
