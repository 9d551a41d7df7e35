import { aContact, aConversation, aLead, channelsNamed, interfaceChannels } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import type { ConditionFacts } from "../../../../src/flows/workflows/conditions/ConditionFacts.js"
import { conditionHolds, explainCondition, needsOf } from "../../../../src/flows/workflows/conditions/conditionHolds.js"
import { parseJson } from "../../../../src/kernel/input/exactNumbers.js"
import type { Step } from "../../../../src/model/Run.js"
import type { RunCondition, TimeWindow } from "../../../../src/model/RunCondition.js"
import { conditions } from "../definition/definitions.js"

const agent = "01900000-0000-7000-8000-0000000000a1"
const sales = "01900000-0000-7000-8000-0000000000b1"
const support = "01900000-0000-7000-8000-0000000000b2"
const step = (position: number, name: string, outcome: Step["outcome"]): Step => ({
  position,
  type: "notify",
  name,
  outcome,
  detail: "",
  startedAt: 0,
  endedAt: 0,
  attempts: 1
})

const contact = aContact({ tags: ["Café"], lifecycleStage: "customer", country: "de", email: "ada@example.org" })
const data = {
  order: { total: 120, number: "A-7", lines: [{ title: "Bread" }] },
  weight: " 1.5 ",
  note: "Please REFUND me",
  paid: true,
  empty: "",
  nothing: null
}
const facts: ConditionFacts = {
  channels: channelsNamed(...interfaceChannels),
  contact,
  conversation: aConversation({ assignedUserId: agent }),
  leads: [
    aLead({ id: "01900000-0000-7000-8000-0000000000c2", pipelineId: sales, stage: "won" }),
    aLead({ id: "01900000-0000-7000-8000-0000000000c1", pipelineId: support, stage: "new" })
  ],
  lastInboundText: "  Wo bleibt meine ÉRSTATTUNG?",
  values: { contact, data },
  steps: [step(0, "whatsapp", "failed"), step(1, "email", "done"), step(2, "sms", "skipped")],
  timezone: "UTC",
  // A Monday.
  now: Date.parse("2026-05-04T08:30:00Z")
}
const bare: ConditionFacts = {
  ...facts,
  contact: aContact({ phone: null, identities: [] }),
  conversation: undefined,
  leads: [],
  lastInboundText: null,
  values: { contact },
  steps: []
}

describe("a condition", () => {
  it("compares text with all digits of a number in the data", () => {
    const exact = parseJson('{ "order": { "id": 12345678901234567890 } }') as ConditionFacts["values"]["data"]
    const is = (text: string) =>
      conditionHolds({ data: { key: "order.id", is: text } }, { ...facts, values: { contact, data: exact ?? null } })
    expect(is("12345678901234567890")).toBe(true)
    expect(is("12345678901234567891")).toBe(false)
    expect(is(String(Number("12345678901234567890")))).toBe(false)
  })
  it.each<[RunCondition, boolean, boolean]>([
    [{ tag: { has: "CAFE" } }, true, false],
    [{ tag: { has: "caf" } }, false, false],
    [{ tag: { hasNot: "cafe" } }, false, true],
    [{ tag: { hasAnyOf: ["vip", "cafe"] } }, true, false],
    [{ tag: { hasNoneOf: ["vip", "cafe"] } }, false, true],
    [{ tag: { hasNoneOf: ["vip"] } }, true, true],
    [{ lifecycleStage: { is: "customer" } }, true, false],
    [{ lifecycleStage: { isNot: "customer" } }, false, true],
    [{ lifecycleStage: { isOneOf: ["lead", "customer"] } }, true, true],
    [{ lifecycleStage: { isNoneOf: ["lead"] } }, true, false],
    [{ country: { is: "DE" } }, true, false],
    [{ country: { isNot: "DE" } }, false, true],
    [{ country: { isOneOf: ["AT", "DE"] } }, true, false],
    [{ country: { isNoneOf: ["AT"] } }, true, true],
    [{ channel: { has: "whatsapp" } }, true, false],
    [{ channel: { has: "email" } }, true, false],
    [{ channel: { hasNot: "telegram" } }, true, true],
    [{ channel: { hasAnyOf: ["webchat", "telegram"] } }, false, false],
    [{ keyword: { contains: "erstattung" } }, true, false],
    [{ keyword: { contains: "refund" } }, false, false],
    [{ keyword: { containsAnyOf: ["refund", "Erstattung"] } }, true, false],
    [{ keyword: { startsWith: "WO BLEIBT" } }, true, false],
    [{ keyword: { startsWith: "bleibt" } }, false, false],
    [{ keyword: { is: "wo bleibt meine erstattung?" } }, true, false],
    [{ keyword: { is: "wo bleibt" } }, false, false],
    [{ keyword: { in: "{{data.note}}", contains: "refund" } }, true, false],
    [{ keyword: { in: "{{data.nothing}}", contains: "refund" } }, false, false],
    [{ data: { key: "order.total", is: 120 } }, true, false],
    [{ data: { key: "order.total", is: "120" } }, true, false],
    [{ data: { key: "order.total", isNot: 120 } }, false, true],
    [{ data: { key: "order.number", is: "a-7" } }, true, false],
    [{ data: { key: "order.lines.0.title", is: "bread" } }, true, false],
    [{ data: { key: "paid", is: true } }, true, false],
    [{ data: { key: "paid", is: 1 } }, false, false],
    [{ data: { key: "order", is: "[object Object]" } }, false, false],
    [{ data: { key: "order.total", isMoreThan: 119.9 } }, true, false],
    [{ data: { key: "order.total", isMoreThan: 120 } }, false, false],
    [{ data: { key: "weight", isLessThan: 2 } }, true, false],
    [{ data: { key: "note", isLessThan: 2 } }, false, false],
    [{ data: { key: "paid", isMoreThan: 0 } }, false, false],
    [{ data: { key: "empty", isLessThan: 1 } }, false, false],
    [{ data: { key: "order", isGiven: true } }, true, false],
    [{ data: { key: "empty", isGiven: true } }, false, false],
    [{ data: { key: "nothing", isGiven: false } }, true, true],
    [{ data: { key: "toString", isGiven: true } }, false, false],
    [{ data: { key: "__proto__.constructor", isGiven: true } }, false, false],
    [{ assignedAgent: { is: agent } }, true, false],
    [{ assignedAgent: { isNot: agent } }, false, true],
    [{ assignedAgent: { isOneOf: [sales, agent] } }, true, false],
    [{ assignedAgent: { isNoneOf: [agent] } }, false, true],
    [{ assignedAgent: { isSet: true } }, true, false],
    [{ assignedAgent: { isSet: false } }, false, true],
    [{ pipelineStage: { is: "won" } }, true, false],
    [{ pipelineStage: { is: "new" } }, false, false],
    [{ pipelineStage: { is: "new", pipelineId: support } }, true, false],
    [{ pipelineStage: { isNot: "won" } }, false, true],
    [{ pipelineStage: { isOneOf: ["new", "won"] } }, true, false],
    [{ pipelineStage: { isNoneOf: ["lost"], pipelineId: agent } }, true, true],
    [{ step: { failed: "whatsapp" } }, true, false],
    [{ step: { done: "whatsapp" } }, false, false],
    [{ step: { done: "email" } }, true, false],
    [{ step: { done: "sms" } }, false, false],
    [{ step: { failed: "sms" } }, false, false],
    [{ all: [{ tag: { has: "cafe" } }, { country: { is: "DE" } }] }, true, false],
    [{ all: [{ tag: { has: "cafe" } }, { country: { is: "AT" } }] }, false, false],
    [{ any: [{ tag: { has: "vip" } }, { country: { is: "DE" } }] }, true, false],
    [{ any: [{ tag: { has: "vip" } }, { country: { is: "AT" } }] }, false, false],
    [{ not: { tag: { has: "cafe" } } }, false, true],
    [{ not: { not: { tag: { has: "cafe" } } } }, true, false]
  ])("%j is %j for the contact and %j without facts", (condition, ofFacts, ofNothing) => {
    expect(conditionHolds(condition, facts)).toBe(ofFacts)
    expect(conditionHolds(condition, bare)).toBe(ofNothing)
  })
  it("counts a phone number as WhatsApp and a web chat conversation as web chat", () => {
    const has = (channel: "whatsapp" | "webchat", some: Partial<ConditionFacts>) =>
      conditionHolds({ channel: { has: channel } }, { ...bare, ...some })
    const phone = { channel: "phone" as const, handle: "+4915112345678", displayName: null }
    expect(has("whatsapp", { contact: aContact({ phone: null, identities: [phone] }) })).toBe(true)
    expect(has("whatsapp", { contact: aContact({ identities: [] }) })).toBe(true)
    expect(has("webchat", { conversation: aConversation({ channel: "webchat" }) })).toBe(true)
  })
  it("needs only the facts that it tests", () => {
    const nothing = { conversation: false, leads: false, lastInboundText: false }
    expect(needsOf(null)).toEqual(nothing)
    expect(needsOf({ all: [{ tag: { has: "vip" } }, { keyword: { in: "{{data.note}}", is: "x" } }] })).toEqual(nothing)
    expect(needsOf({ any: [{ tag: { has: "vip" } }, { not: { keyword: { is: "x" } } }] })).toEqual({
      ...nothing,
      lastInboundText: true
    })
    expect(needsOf({ all: [{ pipelineStage: { is: "won" } }, { assignedAgent: { isSet: true } }] })).toEqual({
      ...nothing,
      leads: true,
      conversation: true
    })
  })
  it("has the same result without the facts that it does not need", () => {
    fc.assert(
      fc.property(conditions(3), (condition) => {
        const needs = needsOf(condition)
        const read: ConditionFacts = {
          ...facts,
          conversation: needs.conversation ? facts.conversation : undefined,
          leads: needs.leads ? facts.leads : [],
          lastInboundText: needs.lastInboundText ? facts.lastInboundText : null
        }
        expect(conditionHolds(condition, read)).toBe(conditionHolds(condition, facts))
      })
    )
  })
  it("follows the laws of logic and is explained in one line", () => {
    fc.assert(
      fc.property(conditions(2), conditions(2), (one, other) => {
        const holds = (condition: RunCondition) => conditionHolds(condition, facts)
        expect(holds({ all: [one, other] })).toBe(holds(one) && holds(other))
        expect(holds({ any: [one, other] })).toBe(holds(one) || holds(other))
        expect(holds({ not: one })).toBe(!holds(one))
        expect(holds({ not: { all: [one, other] } })).toBe(holds({ any: [{ not: one }, { not: other }] }))
        expect(explainCondition({ all: [one, other] }, facts)).toMatch(/^.+ — (not so|which must not be so)$/)
      })
    )
  })
  it.each<[RunCondition, string]>([
    [{ tag: { has: "vip" } }, "tag: has vip — not so"],
    [{ all: [{ tag: { has: "cafe" } }, { country: { isOneOf: ["AT", "CH"] } }] }, "country: is one of AT, CH — not so"],
    [{ not: { tag: { has: "cafe" } } }, "tag: has cafe — which must not be so"],
    [
      { any: [{ tag: { has: "vip" } }, { not: { step: { done: "email" } } }] },
      "(tag: has vip or not (step: done email)) — not so"
    ],
    [{ data: { key: "order.total", isMoreThan: 200 } }, "data: key order.total, is more than 200 — not so"],
    [
      { time: { days: ["sat", "sun"], from: "09:00", timezone: "contact" } },
      "time: days sat, sun, from 09:00, timezone contact — not so"
    ]
  ])("explains which part did not hold: %j", (condition, message) => {
    expect(conditionHolds(condition, facts)).toBe(false)
    expect(explainCondition(condition, facts)).toBe(message)
  })
})

describe("a time window", () => {
  const holds = (window: Partial<TimeWindow>, now: string, timezone: string | null = null) =>
    conditionHolds(
      { time: { timezone: "contact", ...window } },
      { ...facts, contact: aContact({ timezone }), now: Date.parse(now) }
    )

  it("includes its start and excludes its end", () => {
    const office = { from: "09:00", until: "17:00" }
    expect(holds(office, "2026-05-04T08:59:59.999Z")).toBe(false)
    expect(holds(office, "2026-05-04T09:00:00.000Z")).toBe(true)
    expect(holds(office, "2026-05-04T16:59:59.999Z")).toBe(true)
    expect(holds(office, "2026-05-04T17:00:00.000Z")).toBe(false)
  })
  it("is unbounded without from or until", () => {
    expect(holds({ from: "09:00" }, "2026-05-04T23:59:59.999Z")).toBe(true)
    expect(holds({ until: "09:00" }, "2026-05-04T00:00:00Z")).toBe(true)
    expect(holds({ until: "09:00" }, "2026-05-04T09:00:00Z")).toBe(false)
    expect(holds({ days: ["mon"] }, "2026-05-04T12:00:00Z")).toBe(true)
    expect(holds({ days: ["tue"] }, "2026-05-04T12:00:00Z")).toBe(false)
  })
  it("past midnight belongs to the weekday on which it begins", () => {
    const night = { from: "22:00", until: "06:00", days: ["mon" as const] }
    expect(holds(night, "2026-05-04T05:00:00Z")).toBe(false)
    expect(holds(night, "2026-05-04T23:00:00Z")).toBe(true)
    expect(holds(night, "2026-05-05T05:59:59Z")).toBe(true)
    expect(holds(night, "2026-05-05T06:00:00Z")).toBe(false)
    expect(holds(night, "2026-05-05T23:00:00Z")).toBe(false)
  })
  it("lasts a whole day if from equals until", () => {
    const whole = { from: "09:00", until: "09:00", days: ["mon" as const] }
    expect(holds(whole, "2026-05-04T08:59:00Z")).toBe(false)
    expect(holds(whole, "2026-05-04T09:00:00Z")).toBe(true)
    expect(holds(whole, "2026-05-05T08:59:00Z")).toBe(true)
    expect(holds(whole, "2026-05-05T09:00:00Z")).toBe(false)
  })
  it("uses the contact's time zone, else the workspace's", () => {
    const monday = { days: ["mon" as const], from: "09:00", until: "10:00" }
    expect(holds(monday, "2026-05-03T21:30:00Z", "Pacific/Auckland")).toBe(true)
    expect(holds(monday, "2026-05-04T09:30:00Z", "Pacific/Auckland")).toBe(false)
    expect(holds(monday, "2026-05-04T09:30:00Z", "no such place")).toBe(true)
    expect(holds({ ...monday, timezone: "workspace" }, "2026-05-04T09:30:00Z", "Pacific/Auckland")).toBe(true)
    expect(holds({ ...monday, timezone: "Europe/Berlin" }, "2026-05-04T07:30:00Z", "Pacific/Auckland")).toBe(true)
  })
  it("uses local time across clock changes", () => {
    const early = { from: "01:30", until: "03:30", timezone: "Europe/Berlin" }
    // Clocks skip from 02:00 to 03:00: the window lasts an hour.
    expect(holds(early, "2026-03-29T00:30:00Z")).toBe(true)
    expect(holds(early, "2026-03-29T01:29:59Z")).toBe(true)
    expect(holds(early, "2026-03-29T01:30:00Z")).toBe(false)
    // Clocks go back from 03:00 to 02:00: the window lasts three hours.
    expect(holds(early, "2026-10-24T23:30:00Z")).toBe(true)
    expect(holds(early, "2026-10-25T02:29:59Z")).toBe(true)
    expect(holds(early, "2026-10-25T02:30:00Z")).toBe(false)
  })
})
