import { FastCheck as fc, JSONSchema, Schema } from "effect"
import { describe, expect, it } from "vitest"
import {
  definitionFields,
  definitionPatchFields,
  definitionResourceFields
} from "../../../../src/flows/workflows/definition/DefinitionInput.js"
import { partialDecode } from "../../../../src/kernel/input/PartialDecode.js"
import { minute } from "../../../../src/model/Instant.js"
import { definitions } from "./definitions.js"

const read = partialDecode(Schema.Struct(definitionFields))
const readPatch = partialDecode(Schema.Struct(definitionPatchFields))
const show = Schema.encodeSync(Schema.Struct(definitionResourceFields))

const actionsOf = (...actions: ReadonlyArray<unknown>) => read({ actions })
const problemsOf = (action: object) => actionsOf(action).problems
const problemsOfCondition = (conditions: unknown) => read({ conditions }).problems
const tag = { type: "add_tag", tag: "vip" }

/** A condition nested this many levels deep. */
const nested = (levels: number): unknown => (levels === 1 ? { tag: { has: "vip" } } : { not: nested(levels - 1) })

describe("a definition", () => {
  it("decodes wire input", () => {
    const { problems, value } = read({
      conditions: { all: [{ lifecycle_stage: { is_one_of: ["customer"] } }, { time: { from: "09:00" } }] },
      actions: [
        { type: "send_message", name: "told", template: "shipped", variables: ["{{data.order}}"], wait_until: "read" },
        { type: "send_email", if: { step: { failed: "told" } }, subject: "Shipped", body: "Hi", on_error: "continue" },
        { type: "wait", for: "90m" },
        { type: "wait", until: "09:00", days: ["mon"] }
      ]
    })
    expect(problems).toEqual({})
    expect(value.conditions).toEqual({
      all: [{ lifecycleStage: { isOneOf: ["customer"] } }, { time: { from: "09:00", timezone: "contact" } }]
    })
    expect(value.actions).toEqual([
      {
        type: "send_message",
        name: "told",
        if: null,
        onError: "stop",
        channel: "preferred",
        connectionId: null,
        content: { type: "template", template: "shipped", language: null, variables: ["{{data.order}}"] },
        wanted: { status: "read", withinMs: 10 * minute }
      },
      {
        type: "send_email",
        name: null,
        if: { step: { failed: "told" } },
        onError: "continue",
        connectionId: null,
        subject: "Shipped",
        body: "Hi",
        html: null,
        wanted: null
      },
      { type: "wait", name: null, if: null, onError: "stop", forMs: 90 * minute },
      { type: "wait", name: null, if: null, onError: "stop", until: "09:00", days: ["mon"], timezone: "contact" }
    ])
  })
  it("may be empty, and a patch keeps omitted fields", () => {
    expect(read({}).value).toEqual({ conditions: null, actions: [] })
    expect(read({ conditions: "" }).value.conditions).toBeNull()
    expect(readPatch({})).toEqual({ value: {}, problems: {} })
    expect(readPatch({ conditions: null, actions: [] }).value).toEqual({ conditions: null, actions: [] })
  })
  it("decodes its own encoded form for any definition", () => {
    fc.assert(
      fc.property(definitions, (definition) => {
        const shown = JSON.parse(JSON.stringify(show(definition)))
        expect(read(shown)).toEqual({ value: definition, problems: {} })
      })
    )
  })
  it("reports all problems by path", () => {
    const { problems } = read({
      conditions: { all: [{ tga: {} }, { tag: { has: 1 } }] },
      actions: [
        { type: "send_message", chanel: "email", within: "soon" },
        { type: "sned" },
        {},
        "wait",
        { ...tag, name: "a", on_eror: "stop", if: { any: [{ step: { done: "b" } }] } },
        { type: "add_tag", tag: 4, name: "a", if: { step: { done: "a", faild: "a" } } }
      ]
    })
    expect(problems).toEqual({
      "conditions.all.0": [expect.stringMatching(/^must have exactly one of all, any, not, tag, .*, step$/)],
      "conditions.all.0.tga": ["is not a field of a condition"],
      "conditions.all.1.tag.has": ["must be a string"],
      "actions.0.chanel": ["is not a field of send_message"],
      "actions.0.within": ["must be a duration such as 90s, 10m, 2h or 3d, of at most 7d", "is for wait_until only"],
      "actions.0.body": ["is required unless template, content or attachments is given"],
      "actions.0.template": ["is required unless body, content or attachments is given"],
      "actions.1.type": [expect.stringMatching(/^must be one of send_message, send_email, .*, wait$/)],
      "actions.2.type": ["is required"],
      "actions.3": ["must be an object"],
      "actions.4.on_eror": ["is not a field of add_tag"],
      "actions.4.if.any.0.step.done": ["must be the name of an earlier action"],
      "actions.5.tag": ["must be a string"],
      "actions.5.name": ["is the name of an earlier action"],
      "actions.5.if.step.faild": ["is not a field of step"]
    })
  })
  it("has a JSON Schema with shared components", () => {
    const { $defs, properties } = JSONSchema.make(Schema.Struct(definitionFields)) as unknown as {
      readonly $defs: { readonly [name: string]: any }
      readonly properties: { readonly [name: string]: any }
    }
    expect(properties.actions).toMatchObject({ type: "array", items: { $ref: "#/$defs/WorkflowAction" }, maxItems: 50 })
    expect(properties.conditions.anyOf).toEqual([{ $ref: "#/$defs/WorkflowCondition" }, { type: "null" }])
    expect($defs.WorkflowCondition).toMatchObject({
      minProperties: 1,
      maxProperties: 1,
      properties: { all: { items: { $ref: "#/$defs/WorkflowCondition" } }, tag: { type: "object" } }
    })
    expect($defs.WorkflowAction.anyOf).toHaveLength(13)
    for (const one of $defs.WorkflowAction.anyOf) {
      expect(one.properties.if.anyOf[0]).toEqual({ $ref: "#/$defs/WorkflowCondition" })
      expect(Object.values(one.properties)).not.toContainEqual({ $id: "/schemas/unknown" })
    }
  })
  it("never throws and never echoes values, for any input", () => {
    const marker = "S3CRET-VALUE"
    const fields = ["type", "if", "not", "all", "tag", "has", "name", "step", "done", "body", "time", "__proto__", "x"]
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(marker, null, "", "wait", "add_tag", "send_message", 1, Number.NaN),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...fields), tie("value"), { maxKeys: 4 })
      )
    }))
    fc.assert(
      fc.property(value, value, (conditions, actions) => {
        const { problems } = read({ conditions, actions: [actions] })
        expect(JSON.stringify(Object.values(problems))).not.toContain(marker)
      }),
      { numRuns: 1_000 }
    )
  })
})

describe("the actions of a definition", () => {
  it("are at most 50", () => {
    expect(actionsOf(...Array.from({ length: 50 }, () => tag)).problems).toEqual({})
    expect(actionsOf(...Array.from({ length: 51 }, () => ({}))).problems).toEqual({
      actions: ["must have at most 50 items"]
    })
    expect(read({ actions: tag }).problems).toEqual({ actions: ["must be a list"] })
  })
  it("have a bounded number of conditions, counted before decoding", () => {
    const many = {
      ...tag,
      if: {
        all: Array.from({ length: 25 }, () => ({ all: Array.from({ length: 49 }, () => ({ step: { done: "x" } })) }))
      }
    }
    expect(actionsOf(many).problems).toEqual({ actions: ["must have at most 50 conditions in all"] })
    const half = { ...tag, if: { all: Array.from({ length: 24 }, () => ({ tag: { has: "vip" } })) } }
    expect(actionsOf(half, half).problems).toEqual({})
    expect(actionsOf(half, half, { ...tag, if: { tag: { has: "vip" } } }).problems).toEqual({
      actions: ["must have at most 50 conditions in all"]
    })
  })
  it("refuse unknown fields, naming few and short ones", () => {
    expect(problemsOf({ ...tag, constructor: 1 })).toEqual({ "actions.0.constructor": ["is not a field of add_tag"] })
    const message = "must have no fields but type, name, if, on_error, tag"
    for (const odd of ["x".repeat(100_000), "a\0", "", "a.b"]) {
      expect(problemsOf({ ...tag, [odd]: 1 })).toEqual({ "actions.0": [message] })
    }
    expect(problemsOf(JSON.parse(`{"type":"add_tag","tag":"vip","__proto__":1}`))).toEqual({ "actions.0": [message] })
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]))
    expect(problemsOf({ ...tag, ...many })).toEqual({ "actions.0": [message] })
  })
  it.each<[object, object]>([
    [{ type: "send_message", body: "x", template: "y" }, { body: ["must not be given with template"] }],
    [{ type: "send_message", body: "x", language: "en" }, { language: ["is for a template only"] }],
    [{ type: "send_message", body: "x", subject: "a\nb" }, { subject: ["must be one line"] }],
    [
      { type: "send_message", body: "x", connection_id: "01900000-0000-7000-8000-000000000003" },
      { connection_id: ["must be given with the channel that it is of"] }
    ],
    [{ type: "send_message", body: "x".repeat(65_537) }, { body: ["must be at most 65536 characters"] }],
    [
      { type: "send_message", template: "x", content: { type: "reaction", emoji: "👍" } },
      { content: ["must not be given with template"] }
    ],
    [{ type: "send_message", body: "x", header_variable: "1" }, { header_variable: ["is for a template only"] }],
    [
      { type: "send_message", body: "x", content: { type: "location", latitude: 1, longitude: 2 } },
      { body: ["must not be given with content other than choices"] }
    ],
    [
      { type: "send_message", content: { type: "location", latitude: 100 } },
      { "content.latitude": ["must be a number from -90 to 90"], "content.longitude": ["is required"] }
    ],
    [{ type: "send_message", content: { type: "reaction", emoji: "👍" } }, { quoted: ["is required with a reaction"] }],
    [
      { type: "send_message", content: { type: "form" } },
      { "content.type": ["must be one of location, contacts, choices, reaction"] }
    ],
    [
      {
        type: "send_message",
        content: {
          type: "choices",
          options: [
            { id: "a", title: "A" },
            { id: "a", title: "B" }
          ]
        }
      },
      {
        body: ["is required with choices: it is the question"],
        "content.options.1.id": ["is that of an earlier option"]
      }
    ],
    [{ type: "send_message", body: "x", cards: [{}] }, { cards: ["is for a template only"] }],
    [
      { type: "send_message", template: "x", cards: [{ buttons: [] }], products: { sections: [], title: "x" } },
      {
        "cards.0.buttons": ["is not a field of a card"],
        "products.sections": ["must have 1 to 10 items"],
        "products.title": ["is not a field of products"]
      }
    ],
    [
      { type: "send_message", attachments: [{ url: "https://a.example", name: "a" }], quoted: "42" },
      {
        "attachments.0.name": ["is not a field of a file"],
        quoted: ["must be the id of a message, or text with a placeholder that makes one"]
      }
    ],
    [{ type: "send_email" }, { subject: ["is required"], body: ["is required"] }],
    [{ type: "update_contact", contact: {} }, { contact: ["must have at least one field"] }],
    [{ type: "update_contact", contact: { first_name: "\0" } }, { contact: [expect.stringContaining("U+0000")] }],
    [
      { type: "create_lead", value: "12" },
      { value: [expect.stringMatching(/^must be a number from 0 to .*placeholder/)] }
    ],
    [{ type: "create_lead", value: "{{\0" }, { value: [expect.stringMatching(/^must be a number/)] }],
    [{ type: "create_lead", value: -1 }, { value: [expect.stringMatching(/^must be a number/)] }],
    [{ type: "create_lead", currency: "euro" }, { currency: [expect.stringMatching(/^must be a currency/)] }],
    [{ type: "update_lead" }, { stage: ["is required"] }],
    [
      { type: "assign" },
      { agent_id: ["is required unless team_id is given"], team_id: ["is required unless agent_id is given"] }
    ],
    [{ type: "create_task", title: "x", due_in: "366d" }, { due_in: [expect.stringContaining("at most 365d")] }],
    [{ type: "notify", message: " " }, { message: ["is required"] }],
    [{ type: "call_webhook", url: "https://a.example", body: [] }, { body: ["must be an object"] }],
    [{ type: "start_bot", bot_id: "x" }, { bot_id: ["must be a UUID"] }],
    [
      { type: "wait", for: "1h", until: "09:00", days: ["mon"] },
      {
        "": ["must have exactly one of for, until"],
        days: ["is for until only"]
      }
    ],
    [{ type: "wait", until: "9:00" }, { until: ["must be a time such as 09:00"] }],
    [{ type: "wait", until: "09:00", timezone: "+01:00" }, { timezone: [expect.stringContaining("IANA")] }],
    [{ ...tag, on_error: "retry" }, { on_error: ["must be one of stop, continue"] }],
    [{ ...tag, if: [] }, { if: ["must be an object"] }]
  ])("has its own rules: %j", (action, problems) => {
    expect(problemsOf(action)).toEqual(
      Object.fromEntries(
        Object.entries(problems).map(([field, message]) => [field === "" ? "actions.0" : `actions.0.${field}`, message])
      )
    )
  })
})

describe("a condition", () => {
  it.each([{}, { tag: { has: "a" }, country: { is: "DE" } }])("must have exactly one key: %j", (condition) => {
    expect(problemsOfCondition(condition)).toEqual({
      conditions: [
        "must have exactly one of all, any, not, tag, lifecycle_stage, channel, country, keyword, data, time, assigned_agent, pipeline_stage, step"
      ]
    })
  })
  it("is nested at most 5 levels deep, and any depth is refused without overflow", () => {
    const path = "conditions.not.not.not.not.not"
    expect(problemsOfCondition(nested(5))).toEqual({})
    expect(problemsOfCondition(nested(6))).toEqual({ [path]: ["must be nested at most 5 levels deep"] })
    const deep = JSON.parse(`${'{"not":'.repeat(100_000)}{}${"}".repeat(100_000)}`)
    expect(problemsOfCondition(deep)).toEqual({ [path]: ["must be nested at most 5 levels deep"] })
  })
  it("has at most 50 conditions including itself, counted before decoding", () => {
    const all = (count: number) => ({ all: Array.from({ length: count }, () => ({ tag: { has: "vip" } })) })
    expect(problemsOfCondition(all(49))).toEqual({})
    expect(problemsOfCondition(all(50))).toEqual({ conditions: ["must have at most 50 conditions in all"] })
    expect(problemsOfCondition({ all: Array.from({ length: 200_000 }, () => ({ step: { done: "x" } })) })).toEqual({
      conditions: ["must have at most 50 conditions in all"]
    })
  })
  it("of the workflow cannot test steps", () => {
    expect(problemsOfCondition({ not: { step: { done: "x" } } })).toEqual({
      "conditions.not.step": ["is for the conditions of actions only: no action is over yet"]
    })
  })
  it.each<[object, string, string]>([
    [{ all: [] }, "all", "must have 1 to 50 items"],
    [{ tag: {} }, "tag", "must have exactly one of has, has_not, has_any_of, has_none_of"],
    [{ tag: { has: "a", has_not: "b" } }, "tag", "must have exactly one of has, has_not, has_any_of, has_none_of"],
    [{ tag: { has_any_of: [] } }, "tag.has_any_of", "must have 1 to 50 items"],
    [{ lifecycle_stage: { is: "new" } }, "lifecycle_stage.is", "must be one of lead, prospect, customer, churned"],
    [{ channel: { has: "" } }, "channel.has", "is required"],
    [{ country: { is: "Germany" } }, "country.is", "must be a country of ISO 3166: two letters"],
    [
      { keyword: { in: "{{data.note}}" } },
      "keyword",
      "must have exactly one of is, contains, contains_any_of, starts_with"
    ],
    [{ data: { is: 1 } }, "data.key", "is required"],
    [{ data: { key: "a", is: {} } }, "data.is", "must be text of at most 1000 characters, a number, true or false"],
    [{ data: { key: "a", is_more_than: "1" } }, "data.is_more_than", "must be a number"],
    [{ time: { timezone: "contact" } }, "time", "must have at least one of days, from, until"],
    [{ time: { from: "24:00" } }, "time.from", "must be a time such as 09:00"],
    [{ time: { days: ["monday"] } }, "time.days.0", "must be one of mon, tue, wed, thu, fri, sat, sun"],
    [
      { time: { from: "09:00", timezone: "Mars/Olympus" } },
      "time.timezone",
      "must be contact, workspace or a time zone of the IANA list such as Europe/Berlin"
    ],
    [{ assigned_agent: { is: "ada" } }, "assigned_agent.is", "must be a UUID"],
    [{ assigned_agent: { is_set: "yes" } }, "assigned_agent.is_set", "must be true or false"],
    [{ pipeline_stage: { is: "won", pipeline_id: "x" } }, "pipeline_stage.pipeline_id", "must be a UUID"]
  ])("has its own rules: %j", (condition, path, message) => {
    expect(problemsOfCondition(condition)).toEqual({ [`conditions.${path}`]: [message] })
  })
})
