import { interfaceChannels } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { weekdays } from "../../../../src/kernel/input/timeOfDay.js"
import type { Action, ActionKind } from "../../../../src/model/Action.js"
import { LifecycleStage } from "../../../../src/model/Contact.js"
import { day, second } from "../../../../src/model/Instant.js"
import type { RunCondition } from "../../../../src/model/RunCondition.js"
import type { Definition } from "../../../../src/model/Workflow.js"

/** Storable, non-blank text up to a number of code points. */
const message = (max: number): fc.Arbitrary<string> =>
  fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: Math.min(max, 20) }).filter((text) => text.trim() !== "")
const id = fc.uuid()
const orNull = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: null })
const some = <A>(arbitrary: fc.Arbitrary<A>) => fc.array(arbitrary, { minLength: 1, maxLength: 3 })
const time = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"))
const dayOfWeek = fc.constantFrom(...weekdays)
export const timezones = ["contact", "workspace", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"]
const timezone = fc.constantFrom(...timezones)
const duration = (most: number) => fc.integer({ min: 1, max: most / second }).map((seconds) => seconds * second)
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))

const setTest = <A extends string>(item: fc.Arbitrary<A>) =>
  fc.oneof(
    fc.record({ has: item }),
    fc.record({ hasNot: item }),
    fc.record({ hasAnyOf: some(item) }),
    fc.record({ hasNoneOf: some(item) })
  )
const valueTest = <A extends string>(item: fc.Arbitrary<A>) =>
  fc.oneof(
    fc.record({ is: item }),
    fc.record({ isNot: item }),
    fc.record({ isOneOf: some(item) }),
    fc.record({ isNoneOf: some(item) })
  )
const keyword = fc
  .tuple(
    fc.record({ in: message(100) }, { requiredKeys: [] }),
    fc.oneof(
      fc.record({ is: message(20) }),
      fc.record({ contains: message(20) }),
      fc.record({ containsAnyOf: some(message(20)) }),
      fc.record({ startsWith: message(20) })
    )
  )
  .map(([where, what]) => ({ ...where, ...what }))
const scalar = fc.oneof(message(20), number, fc.boolean())
const data = fc
  .tuple(
    fc.constantFrom("total", "order.total", "order.lines.0.title"),
    fc.oneof(
      fc.record({ is: scalar }),
      fc.record({ isNot: scalar }),
      fc.record({ isMoreThan: number }),
      fc.record({ isLessThan: number }),
      fc.record({ isGiven: fc.boolean() })
    )
  )
  .map(([key, what]) => ({ key, ...what }))
const timeWindow = fc
  .record(
    { timezone, days: fc.array(dayOfWeek, { minLength: 1, maxLength: 7 }), from: time, until: time },
    { requiredKeys: ["timezone"] }
  )
  .filter((window) => Object.keys(window).length > 1)
const stage = fc
  .tuple(fc.record({ pipelineId: id }, { requiredKeys: [] }), valueTest(message(20)))
  .map(([where, what]) => ({ ...where, ...what }))

const tests: fc.Arbitrary<RunCondition> = fc.oneof(
  fc.record({ tag: setTest(message(100)) }),
  fc.record({ lifecycleStage: valueTest(fc.constantFrom(...LifecycleStage.literals)) }),
  fc.record({ channel: setTest(fc.constantFrom(...interfaceChannels)) }),
  fc.record({ country: valueTest(fc.constantFrom("DE", "AT", "us")) }),
  fc.record({ keyword }),
  fc.record({ data }),
  fc.record({ time: timeWindow }),
  fc.record({ assignedAgent: fc.oneof(valueTest(id), fc.record({ isSet: fc.boolean() })) }),
  fc.record({ pipelineStage: stage })
)

/** Conditions of any permitted depth that test no steps. */
export const conditions = (levels = 5): fc.Arbitrary<RunCondition> =>
  levels === 1
    ? tests
    : fc.oneof(
        { weight: 3, arbitrary: tests },
        fc.record({ all: some(fc.constant(null).chain(() => conditions(levels - 1))) }),
        fc.record({ any: some(fc.constant(null).chain(() => conditions(levels - 1))) }),
        fc.record({ not: fc.constant(null).chain(() => conditions(levels - 1)) })
      )

const wanted = orNull(
  fc.record({ status: fc.constantFrom(...(["sent", "delivered", "read"] as const)), withinMs: duration(7 * day) })
)
const json = fc
  .dictionary(fc.string({ unit: "grapheme-ascii", minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), {
    minKeys: 1,
    maxKeys: 3
  })
  .map((value): { readonly [key: string]: unknown } => JSON.parse(JSON.stringify(value)))

const text = fc.record({ type: fc.constant("text" as const), body: message(100), subject: fc.constant(null) })
const template = fc.record({
  type: fc.constant("template" as const),
  template: message(100),
  language: orNull(fc.constant("en")),
  variables: fc.array(message(20), { maxLength: 3 })
})

const files = some(
  fc.record({ url: message(100), contentType: fc.constantFrom("image/png"), fileName: orNull(message(20)) })
)
const filledTemplate = fc.record({
  type: fc.constant("template" as const),
  template: message(100),
  language: fc.constant(null),
  variables: fc.constant([]),
  headerVariable: message(20),
  buttonVariables: some(message(20)),
  cards: some(
    fc.record({
      product: orNull(fc.record({ catalog: message(20), id: message(20) })),
      variables: orNull(some(message(20))),
      buttonVariables: orNull(some(message(20)))
    })
  ),
  products: fc.record({
    thumbnail: orNull(message(20)),
    sections: orNull(some(fc.record({ title: orNull(message(20)), items: some(message(20)) })))
  }),
  files
})
const media = fc.record({
  type: fc.constant("media" as const),
  body: orNull(message(100)),
  subject: fc.constant(null),
  files
})
const location = fc.constant({
  type: "location" as const,
  body: null,
  subject: null,
  content: { type: "location" as const, latitude: 1, longitude: 2, name: "{{data.shop}}", address: null, url: null }
})
const choices = message(100).map((body) => ({
  type: "choices" as const,
  body,
  subject: null,
  content: { type: "choices" as const, options: [{ id: "a", title: "A", description: null }], button: null }
}))

const kinds: fc.Arbitrary<ActionKind> = fc.oneof(
  fc.record({
    type: fc.constant("send_message" as const),
    channel: fc.constantFrom(...interfaceChannels),
    connectionId: orNull(id),
    content: fc.oneof(text, template, filledTemplate, media, location),
    wanted
  }),
  fc.record({
    type: fc.constant("send_message" as const),
    channel: fc.constant("preferred" as const),
    connectionId: fc.constant(null),
    content: choices,
    quoted: fc.oneof(id, fc.constant("{{data.message_id}}")),
    wanted
  }),
  fc.record({
    type: fc.constant("send_message" as const),
    channel: fc.constant("preferred" as const),
    connectionId: fc.constant(null),
    content: text.map((content) => ({ ...content, subject: "Shipped" })),
    wanted
  }),
  fc.record({
    type: fc.constant("send_email" as const),
    connectionId: orNull(id),
    subject: message(100),
    body: message(100),
    html: orNull(message(100)),
    wanted
  }),
  fc.record({ type: fc.constantFrom("add_tag" as const, "remove_tag" as const), tag: message(100) }),
  fc.record({ type: fc.constant("update_contact" as const), contact: json }),
  fc.record({
    type: fc.constant("create_lead" as const),
    pipelineId: orNull(id),
    stage: orNull(message(20)),
    title: orNull(message(20)),
    value: orNull(fc.oneof(fc.nat(), fc.constant("{{data.total}}"))),
    currency: orNull(fc.constantFrom("EUR", "{{data.currency}}"))
  }),
  fc.record({ type: fc.constant("update_lead" as const), pipelineId: orNull(id), stage: message(20) }),
  fc.record({ type: fc.constant("assign" as const), agentId: id, teamId: orNull(id) }),
  fc.record({
    type: fc.constant("create_task" as const),
    title: message(20),
    dueInMs: orNull(duration(365 * day)),
    agentId: orNull(id),
    teamId: orNull(id)
  }),
  fc.record({ type: fc.constant("notify" as const), message: message(100) }),
  fc.record({ type: fc.constant("call_webhook" as const), url: message(100), body: orNull(json) }),
  fc.record({ type: fc.constant("start_bot" as const), botId: id }),
  fc.record({ type: fc.constant("wait" as const), forMs: duration(365 * day) }),
  fc.record({
    type: fc.constant("wait" as const),
    until: time,
    days: orNull(fc.array(dayOfWeek, { minLength: 1, maxLength: 7 })),
    timezone
  })
)

const action = (named: string | null, earlier: string | null): fc.Arbitrary<Action> => {
  const step = (name: string) => fc.constantFrom({ step: { done: name } }, { step: { failed: name } })
  return fc
    .tuple(
      kinds,
      fc.record({
        name: fc.constant(named),
        if: orNull(earlier === null ? conditions(3) : fc.oneof(conditions(3), step(earlier))),
        onError: fc.constantFrom("stop" as const, "continue" as const)
      })
    )
    .map(([kind, common]) => ({ ...kind, ...common }))
}

/** Definitions in domain shape that an input can produce. */
export const definitions: fc.Arbitrary<Definition> = fc.record({
  conditions: orNull(conditions(3)),
  actions: fc.tuple(action("first", null), action(null, "first"), action("third", "first"))
})
