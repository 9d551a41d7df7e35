import { aContact } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { optOut } from "../../../src/resources/contacts/optOut.js"

const contact = aContact({ version: 4 })
const key = { id: contact.id }

describe("an opt-out", () => {
  it.each([
    ["all", "optedOut"],
    ["marketing", "marketingOptedOut"]
  ] as const)("of scope %s sets only %s, expects the loaded version and emits an event", (scope, flag) => {
    const { contact: changed, events, parts } = optOut(contact, scope, true)
    expect(changed).toEqual({ ...contact, [flag]: true })
    expect(parts).toEqual({
      expects: [{ table: "contacts", key, where: { version: 4 } }],
      sets: [{ table: "contacts", key, values: { [flag]: true } }]
    })
    expect(events).toMatchObject([{ type: "contact.updated", subjectId: contact.id }])
  })
  it("can be cleared, with an event", () => {
    const { contact: changed, events } = optOut({ ...contact, optedOut: true }, "all", false)
    expect(changed.optedOut).toBe(false)
    expect(events).toMatchObject([{ data: { contact: { opted_out: false } } }])
  })
  it("without a difference changes nothing and emits nothing", () => {
    expect(optOut(contact, "all", false)).toEqual({ contact, parts: {}, events: [] })
  })
})
