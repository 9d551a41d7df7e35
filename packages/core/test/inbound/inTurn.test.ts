import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { InboundEvent } from "../../src/inbound/InboundEvent.js"
import { inTurn } from "../../src/inbound/inTurn.js"

const message = (from: string, id: string) =>
  InboundEvent.Message({
    providerMessageId: id,
    from,
    body: "",
    subject: null,
    displayName: null,
    attachments: [],
    automatic: false
  })
const receipt = (providerMessageId: string, at: number) =>
  InboundEvent.Receipt({ providerMessageId, messageId: null, receipt: { status: "sent", at, error: null } })
const changed = (from: string, to: string) => InboundEvent.HandleChanged({ from, to })
const stop = (handle: string) => InboundEvent.OptOut({ handle, scope: "all", optedOut: true })

describe("events that come together", () => {
  it("keep the order of one handle, and of one message", () => {
    const [one, other, again] = [message("a", "1"), message("b", "2"), stop("a")]
    const [sent, read] = [receipt("p", 1), receipt("p", 2)]
    const foreign = receipt("q", 1)
    expect(inTurn([one, sent, other, foreign, again, read])).toEqual([[one, again], [sent, read], [other], [foreign]])
  })
  it("are one list where one handle became the other", () => {
    const [before, after, later] = [message("a", "1"), message("b", "2"), message("b", "3")]
    const change = changed("a", "b")
    expect(inTurn([before, after, change, later])).toEqual([[before, after, change, later]])
  })
  it("are in the order in which they came where two lists become one", () => {
    const events = [message("a", "1"), message("b", "2"), message("a", "3"), message("b", "4"), changed("a", "b")]
    expect(inTurn(events)).toEqual([events])
  })
  it("may be a hundred thousand of customers who each became the next", () => {
    const chain = Array.from({ length: 100_000 }, (_, n) => changed(`${n}`, `${n + 1}`))
    expect(inTurn(chain).map(({ length }) => length)).toEqual([chain.length])
    expect(inTurn(chain.toReversed()).map(({ length }) => length)).toEqual([chain.length])
  })
  it("that are unknown stand alone", () => {
    const unknown = InboundEvent.Unknown({ kind: "x", raw: "" })
    expect(inTurn([unknown, { ...unknown }])).toHaveLength(2)
  })
  it("are all there, once, each handle's in their order", () => {
    const handle = fc.constantFrom("a", "b", "c", "d")
    const event = fc.oneof(
      fc.tuple(handle, fc.uuid()).map(([from, id]): InboundEvent => message(from, id)),
      handle.map((one): InboundEvent => stop(one)),
      fc.tuple(handle, handle).map(([from, to]): InboundEvent => changed(from, to)),
      fc.tuple(handle, fc.nat()).map(([id, at]): InboundEvent => receipt(id, at))
    )
    const handlesOf = (event: InboundEvent): ReadonlyArray<string> =>
      event._tag === "Message"
        ? [event.from]
        : event._tag === "OptOut"
          ? [event.handle]
          : event._tag === "HandleChanged"
            ? [event.from, event.to]
            : []
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const turns = inTurn(events)
        expect(turns.flat()).toHaveLength(events.length)
        expect(new Set(turns.flat())).toEqual(new Set(events))
        for (const one of ["a", "b", "c", "d"]) {
          const isOf = (event: InboundEvent) => handlesOf(event).includes(one)
          const [turn = [], ...others] = turns.filter((turn) => turn.some(isOf))
          expect(others).toEqual([])
          expect(turn.filter(isOf)).toEqual(events.filter(isOf))
        }
      })
    )
  })
})
