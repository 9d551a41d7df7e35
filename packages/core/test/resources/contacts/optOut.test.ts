import { aContact, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { optOut } from "../../../src/resources/contacts/optOut.js"

const contact = aContact({ version: 4 })
const key = { id: contact.id }

describe("an opt-out", () => {
  it.each([
    ["all", "optedOut"],
    ["marketing", "marketingOptedOut"]
  ] as const)("of scope %s sets only %s, expects the loaded version and emits an event", (scope, flag) => {
    const { contact: changed, events, parts } = optOut(contact, scope, true, someTime)
    const values = { [flag]: true, [`${flag}At`]: someTime }
    expect(changed).toEqual({ ...contact, ...values })
    expect(parts).toEqual({
      expects: [{ table: "contacts", key, where: { version: 4 } }],
      sets: [{ table: "contacts", key, values }]
    })
    expect(events).toMatchObject([{ type: "contact.updated", subjectId: contact.id }])
  })
  it("can be cleared, with an event", () => {
    const { contact: changed, events } = optOut({ ...contact, optedOut: true }, "all", false, someTime)
    expect(changed.optedOut).toBe(false)
    expect(events).toMatchObject([{ data: { contact: { opted_out: false } } }])
  })
  it("without a difference emits nothing and stores its time", () => {
    const { events, parts } = optOut({ ...contact, optedOutAt: someTime - 1 }, "all", false, someTime)
    expect(events).toEqual([])
    expect(parts.sets).toEqual([{ table: "contacts", key, values: { optedOut: false, optedOutAt: someTime } }])
  })
  it("that is repeated or older than the last changes nothing", () => {
    const last = { ...contact, optedOut: true, optedOutAt: someTime }
    expect(optOut(last, "all", true, someTime)).toEqual({ contact: last, parts: {}, events: [] })
    expect(optOut(last, "all", false, someTime - 1)).toEqual({ contact: last, parts: {}, events: [] })
    expect(optOut(last, "marketing", true, someTime - 1).contact.marketingOptedOut).toBe(true)
  })
})
