import { Schema } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { optional, optionalText, requiredText, uuid, wholeNumber, withMessage } from "../../kernel/input/Fields.js"
import { key, keyGiven } from "../../kernel/input/Key.js"
import {
  byType,
  hasValue,
  isJsonRecord,
  type JsonRecord,
  listOfParts,
  type PathProblems,
  strictStruct,
  withRules
} from "../../kernel/input/StrictStruct.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { keywordText } from "../../kernel/text/keywordText.js"
import type { BotStep, Choice, Expected } from "../../model/Script.js"
import { definedFiles, messageContent } from "../../resources/messages/DefinedContentInput.js"

/** The most steps of a script, and the most choices of a question. */
const maxSteps = 100
const maxChoices = 20

/** The longest text that a bot says, before its placeholders are filled in, and how long an answer may be. */
export const maxTextLength = 4_096
const defaultLength = 1_000

/** The steps that the examples of the OpenAPI document have. */
export const sampleSteps = [
  {
    key: "need",
    type: "ask",
    text: "What can we do for you?",
    expect: {
      type: "choice",
      choices: [
        { value: "prices", text: "Prices" },
        { value: "support", text: "Talk to a person", go_to: "person" }
      ]
    }
  },
  { key: "email", type: "ask", text: "Where may we write to?", expect: { type: "email" }, tries: 2 },
  { key: "thanks", type: "finish", text: "Thank you, we will write to {{answers.email}}." },
  { key: "person", type: "hand_off", text: "One moment.", team_id: sampleIds.team }
] as const

const goTo = optional(keyGiven).pipe(Schema.fromKey("go_to"))
const stepText = requiredText(maxTextLength)

const bound = Schema.Number.pipe(
  Schema.filter(Number.isFinite, { jsonSchema: { type: "number" } }),
  withMessage("must be a number")
)

const choice: Schema.Schema<Choice, unknown> = strictStruct(
  "a choice",
  Schema.Struct({ value: requiredText(255), text: requiredText(255), goTo })
)

const repeated = (
  choices: ReadonlyArray<unknown>,
  field: "value" | "text",
  same: (text: string) => string
): PathProblems => {
  const earlier = new Set<string>()
  return choices.flatMap((one, index) => {
    const given = isJsonRecord(one) ? one[field] : undefined
    if (typeof given !== "string") return []
    const isTaken = earlier.has(same(given))
    earlier.add(same(given))
    return isTaken ? [[[index, field], "is that of an earlier choice"] as const] : []
  })
}

const choices = withRules(listOfParts(choice, maxChoices, 1), (given) =>
  Array.isArray(given) && given.length <= maxChoices
    ? [...repeated(given, "value", (value) => value), ...repeated(given, "text", keywordText)]
    : []
)

const expected: Schema.Schema<Expected, unknown> = byType({
  text: strictStruct(
    "text",
    Schema.Struct({
      type: Schema.Literal("text"),
      maxLength: Schema.optionalWith(wholeNumber(1, maxTextLength), { default: () => defaultLength }).pipe(
        Schema.fromKey("max_length")
      )
    })
  ),
  number: strictStruct(
    "number",
    Schema.Struct({ type: Schema.Literal("number"), min: optional(bound), max: optional(bound) }),
    ({ max, min }) =>
      typeof min === "number" && typeof max === "number" && min > max ? { max: ["must be at least min"] } : {}
  ),
  email: strictStruct("email", Schema.Struct({ type: Schema.Literal("email") })),
  phone: strictStruct("phone", Schema.Struct({ type: Schema.Literal("phone") })),
  date: strictStruct("date", Schema.Struct({ type: Schema.Literal("date") })),
  yes_no: strictStruct("yes_no", Schema.Struct({ type: Schema.Literal("yes_no") })),
  choice: strictStruct("choice", Schema.Struct({ type: Schema.Literal("choice"), choices }))
}).annotations({
  identifier: "BotExpectedAnswer",
  jsonSchema: {
    description:
      "What a customer may answer, by its `type`. Choices are options if the channel has them, else a numbered list, and are chosen by number or text; a choice may lead to a step of its own.",
    examples: [sampleSteps[0].expect, { type: "number", min: 1, max: 10 }, { type: "yes_no" }]
  }
})

/** Problems of a message of a bot: a text, files with a caption, or content, of which choices need a question. */
export const sayProblems = (given: JsonRecord): Problems => {
  const type = isJsonRecord(given.content) ? given.content.type : undefined
  const hasText = hasValue(given, "text")
  if (hasValue(given, "content")) {
    return {
      ...(hasValue(given, "attachments") ? { attachments: ["must not be given with content"] } : {}),
      ...(type === "choices" && !hasText ? { text: ["is required with choices: it is the question"] } : {}),
      ...(type !== "choices" && hasText ? { text: ["must not be given with content other than choices"] } : {})
    }
  }
  return hasText || hasValue(given, "attachments") ? {} : { text: ["is required"] }
}

const sayStep: Schema.Schema<BotStep & { readonly type: "say" }> = Schema.Any

const step: Schema.Schema<BotStep, unknown> = byType({
  say: strictStruct(
    "say",
    Schema.transform(
      Schema.Struct({
        key,
        type: Schema.Literal("say"),
        text: optionalText(maxTextLength),
        content: optional(messageContent),
        files: optional(definedFiles).pipe(Schema.fromKey("attachments")),
        goTo
      }),
      sayStep,
      {
        strict: true,
        decode: ({ content, files, ...others }) => ({
          ...others,
          ...(content === null ? {} : { content }),
          ...(files === null ? {} : { files })
        }),
        // Scripts of earlier releases have neither.
        encode: ({ content = null, files = null, ...others }) => ({ ...others, content, files })
      }
    ),
    sayProblems
  ),
  ask: strictStruct(
    "ask",
    Schema.Struct({
      key,
      type: Schema.Literal("ask"),
      text: stepText,
      expected: Schema.optionalWith(expected, {
        default: (): Expected => ({ type: "text", maxLength: defaultLength })
      }).pipe(Schema.fromKey("expect")),
      invalid: optionalText(maxTextLength),
      tries: Schema.optionalWith(wholeNumber(1, 10), { default: () => 3 }),
      goTo
    })
  ),
  hand_off: strictStruct(
    "hand_off",
    Schema.Struct({
      key,
      type: Schema.Literal("hand_off"),
      text: optionalText(maxTextLength),
      agentId: optional(uuid).pipe(Schema.fromKey("agent_id")),
      teamId: optional(uuid).pipe(Schema.fromKey("team_id"))
    })
  ),
  finish: strictStruct(
    "finish",
    Schema.Struct({ key, type: Schema.Literal("finish"), text: optionalText(maxTextLength) })
  )
}).annotations({
  identifier: "BotStep",
  jsonSchema: {
    description:
      "A message or a question, by its `type`. `go_to` is the key of the step that follows. Default: the next step. Text may have placeholders: `{{answers.<key>}}`, `{{contact.<field>}}`, and, if a workflow started the bot, `{{data.<key>}}`.",
    examples: [
      sampleSteps[1],
      { key: "hours", type: "say", text: "We are there from 9 to 5." },
      {
        key: "place",
        type: "say",
        content: { type: "location", latitude: 52.52, longitude: 13.405, name: "Our shop" }
      },
      sampleSteps[3],
      sampleSteps[2]
    ]
  }
})

/** The keys that a step names, with where it does. */
const targets = (step: JsonRecord): ReadonlyArray<readonly [path: ReadonlyArray<PropertyKey>, key: unknown]> => {
  const choices = isJsonRecord(step.expect) && Array.isArray(step.expect.choices) ? step.expect.choices : []
  return [
    [["go_to"], step.go_to],
    ...choices.flatMap((choice: unknown, index: number) =>
      isJsonRecord(choice) ? [[["expect", "choices", index, "go_to"], choice.go_to] as const] : []
    )
  ]
}

/** Checks unique keys and references to steps; reported even if other parts are invalid. */
const keyProblems = (given: unknown): PathProblems => {
  if (!Array.isArray(given) || given.length > maxSteps) return []
  const steps = given.map((one: unknown) => (isJsonRecord(one) ? one : {}))
  const keys = new Set(steps.map(({ key }) => key))
  const earlier = new Set<unknown>()
  return steps.flatMap((step, index): PathProblems => {
    const isTaken = typeof step.key === "string" && earlier.has(step.key)
    earlier.add(step.key)
    return [
      ...(isTaken ? [[[index, "key"], "is the key of an earlier step"] as const] : []),
      ...targets(step)
        .filter(([, key]) => typeof key === "string" && key !== "" && !keys.has(key))
        .map(([path]) => [[index, ...path], "must be the key of a step"] as const)
    ]
  })
}

/** The steps of a script on the wire, in their order. Without any, the responder answers. */
export const steps: Schema.Schema<ReadonlyArray<BotStep>, unknown> = withRules(listOfParts(step, maxSteps), keyProblems)
