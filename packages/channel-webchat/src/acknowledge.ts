import {
  type ConnectionDoor,
  type FedMessage,
  InboundEvent,
  type Instant,
  type ReadError,
  wholeNumber
} from "@parley/core"
import { Effect, Schema } from "effect"
import { empty } from "./answers.js"
import type { Answered, VisitorCall } from "./Call.js"
import { inputOf } from "./inputOf.js"

const place = Schema.optionalWith(wholeNumber(0, Number.MAX_SAFE_INTEGER), { default: () => 0 })
const acknowledgements = inputOf(Schema.Struct({ delivered: place, read: place }))

/** `POST /acks`: all messages up to these places of the feed are on the visitor's screen, and read. 204. */
export const acknowledge = ({ visitor, request, door, now }: VisitorCall): Answered =>
  Effect.gen(function* () {
    const given = yield* acknowledgements(request)
    const { handle } = visitor
    const latest = yield* door.latestFed(handle)
    const read = Math.min(given.read, latest)
    const delivered = Math.min(given.delivered, latest)
    const receipts = [
      ...(yield* receiptsOf(door, handle, "read", { after: 0, upTo: read }, now)),
      ...(yield* receiptsOf(door, handle, "delivered", { after: read, upTo: delivered }, now))
    ]
    if (receipts.length > 0) yield* door.receive(receipts)
    return empty(204)
  })

const pageLength = 50

/**
 * Receipts for those messages in a part of the feed that have not come that far, oldest first. It is walked backwards to the
 * first that has: those before it have too, since every acknowledgement is of all up to a place.
 */
const receiptsOf = (
  door: ConnectionDoor,
  handle: string,
  status: "delivered" | "read",
  part: { readonly after: number; readonly upTo: number },
  now: Instant
): Effect.Effect<ReadonlyArray<InboundEvent>, ReadError> =>
  Effect.gen(function* () {
    if (part.upTo <= part.after) return []
    const after = Math.max(part.after, part.upTo - pageLength)
    const page = yield* door.fed(handle, after, part.upTo - after)
    const receipts = page.filter((fed) => !hasReached(fed, status)).map((fed) => receiptOf(fed, status, now))
    const earlier =
      receipts.length < page.length ? [] : yield* receiptsOf(door, handle, status, { ...part, upTo: after }, now)
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
