import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "effect/FastCheck"
import { memoryContext } from "./memoryContext.js"
import { webchatAt } from "./visits.js"

const acknowledgement = fc.record({ delivered: fc.nat({ max: 130 }), read: fc.nat({ max: 130 }) }, { requiredKeys: [] })

it.effect.prop(
  "advances each message to its acknowledged status, with one receipt per step",
  { sent: fc.nat({ max: 120 }), acknowledgements: fc.array(acknowledgement, { maxLength: 6 }) },
  ({ sent, acknowledgements }) =>
    Effect.gen(function* () {
      const context = memoryContext()
      const { open, post } = webchatAt(context)
      const { token, handle } = yield* open()
      for (let n = 0; n < sent; n += 1) context.push(handle, String(n))
      let read = 0
      let delivered = 0
      for (const one of acknowledgements) {
        expect((yield* post("/acks", one, token)).status).toBe(204)
        read = Math.max(read, one.read ?? 0)
        delivered = Math.max(delivered, one.delivered ?? 0)
      }
      const expected = Array.from({ length: sent }, (_, n) =>
        n < read ? "read" : n < delivered ? "delivered" : "sent"
      )
      expect(context.stored(handle).map(({ status }) => status)).toEqual(expected)
      const receipts = context.events.map(
        (event) => event._tag === "Receipt" && [event.messageId, event.receipt.status].join()
      )
      expect(new Set(receipts).size).toBe(receipts.length)
    })
)

it.effect("does not acknowledge messages of other visitors", () =>
  Effect.gen(function* () {
    const context = memoryContext()
    const { open, post } = webchatAt(context)
    const [one, other] = [yield* open(), yield* open()]
    context.push(one.handle, "for one")
    yield* post("/acks", { delivered: 1, read: 1 }, other.token)
    expect(context.events).toEqual([])
  })
)
