import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { partitionBySubject } from "../../../src/flows/inbound/partitionBySubject.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"

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

describe("events of one batch", () => {
  it("keep the order per handle and per message", () => {
    const [one, other, again] = [message("a", "1"), message("b", "2"), stop("a")]
    const [sent, read] = [receipt("p", 1), receipt("p", 2)]
    const foreign = receipt("q", 1)
    expect(partitionBySubject([one, sent, other, foreign, again, read])).toEqual([
      [one, again],
      [sent, read],
      [other],
      [foreign]
    ])
  })
  it("of a changed handle share one list", () => {
    const [before, after, later] = [message("a", "1"), message("b", "2"), message("b", "3")]
    const change = changed("a", "b")
    expect(partitionBySubject([before, after, change, later])).toEqual([[before, after, change, later]])
  })
  it("keep their order when two lists are merged", () => {
    const events = [message("a", "1"), message("b", "2"), message("a", "3"), message("b", "4"), changed("a", "b")]
    expect(partitionBySubject(events)).toEqual([events])
  })
  it("may contain 100,000 chained handle changes", () => {
    const chain = Array.from({ length: 100_000 }, (_, n) => changed(`${n}`, `${n + 1}`))
    expect(partitionBySubject(chain).map(({ length }) => length)).toEqual([chain.length])
    expect(partitionBySubject(chain.toReversed()).map(({ length }) => length)).toEqual([chain.length])
  })
  it("of unknown kind have their own list", () => {
    const unknown = InboundEvent.Unknown({ kind: "x", raw: "" })
    expect(partitionBySubject([unknown, { ...unknown }])).toHaveLength(2)
  })
  it("are all included once, in order per handle", () => {
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
        const turns = partitionBySubject(events)
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
