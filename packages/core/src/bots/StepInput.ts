import { Schema } from "effect"
import { plainText } from "../contacts/plainText.js"
import { byType, closed, type Given, isGiven, listOfParts, ruled, type Told } from "../input/Closed.js"
import { optional, optionalText, requiredText, uuid, wholeNumber, worded } from "../input/Fields.js"
import { key, keyGiven } from "../input/Key.js"
import type { BotStep, Choice, Expected } from "./Script.js"

/** The most steps of a script, and the most choices of a question. */
const mostSteps = 100
const mostChoices = 20

/** The longest text that a bot says, before its placeholders are filled in, and how long an answer may be. */
export const mostText = 4_096
const defaultLength = 1_000

const goTo = optional(keyGiven).pipe(Schema.fromKey("go_to"))
const saidText = requiredText(mostText)

const bound = Schema.Number.pipe(
  Schema.filter(Number.isFinite, { jsonSchema: { type: "number" } }),
  worded("must be a number")
)

const choice: Schema.Schema<Choice, unknown> = closed(
  "a choice",
  Schema.Struct({ value: requiredText(255), text: requiredText(255), goTo })
)

const repeated = (choices: ReadonlyArray<unknown>, field: "value" | "text", same: (text: string) => string): Told => {
  const earlier = new Set<string>()
  return choices.flatMap((one, index) => {
    const given = isGiven(one) ? one[field] : undefined
    if (typeof given !== "string") return []
    const isTaken = earlier.has(same(given))
    earlier.add(same(given))
    return isTaken ? [[[index, field], "is that of an earlier choice"] as const] : []
  })
}

const choices = ruled(listOfParts(choice, mostChoices, 1), (given) =>
  Array.isArray(given) && given.length <= mostChoices
    ? [...repeated(given, "value", (value) => value), ...repeated(given, "text", plainText)]
    : []
)

const expected: Schema.Schema<Expected, unknown> = byType({
  text: closed(
    "text",
    Schema.Struct({
      type: Schema.Literal("text"),
      maxLength: Schema.optionalWith(wholeNumber(1, mostText), { default: () => defaultLength }).pipe(
        Schema.fromKey("max_length")
      )
    })
  ),
  number: closed(
    "number",
    Schema.Struct({ type: Schema.Literal("number"), min: optional(bound), max: optional(bound) }),
    ({ max, min }) =>
      typeof min === "number" && typeof max === "number" && min > max ? { max: ["must be at least min"] } : {}
  ),
  email: closed("email", Schema.Struct({ type: Schema.Literal("email") })),
  phone: closed("phone", Schema.Struct({ type: Schema.Literal("phone") })),
  date: closed("date", Schema.Struct({ type: Schema.Literal("date") })),
  yes_no: closed("yes_no", Schema.Struct({ type: Schema.Literal("yes_no") })),
  choice: closed("choice", Schema.Struct({ type: Schema.Literal("choice"), choices }))
}).annotations({ identifier: "BotExpectedAnswer" })

const step: Schema.Schema<BotStep, unknown> = byType({
  say: closed("say", Schema.Struct({ key, type: Schema.Literal("say"), text: saidText, goTo })),
  ask: closed(
    "ask",
    Schema.Struct({
      key,
      type: Schema.Literal("ask"),
      text: saidText,
      expected: Schema.optionalWith(expected, {
        default: (): Expected => ({ type: "text", maxLength: defaultLength })
      }).pipe(Schema.fromKey("expect")),
      invalid: optionalText(mostText),
      tries: Schema.optionalWith(wholeNumber(1, 10), { default: () => 3 }),
      goTo
    })
  ),
  hand_off: closed(
    "hand_off",
    Schema.Struct({
      key,
      type: Schema.Literal("hand_off"),
      text: optionalText(mostText),
      agentId: optional(uuid).pipe(Schema.fromKey("agent_id")),
      teamId: optional(uuid).pipe(Schema.fromKey("team_id"))
    })
  ),
  finish: closed("finish", Schema.Struct({ key, type: Schema.Literal("finish"), text: optionalText(mostText) }))
}).annotations({ identifier: "BotStep" })

/** The keys that a step names, with where it does. */
const targets = (step: Given): ReadonlyArray<readonly [path: ReadonlyArray<PropertyKey>, key: unknown]> => {
  const choices = isGiven(step.expect) && Array.isArray(step.expect.choices) ? step.expect.choices : []
  return [
    [["go_to"], step.go_to],
    ...choices.flatMap((choice: unknown, index: number) =>
      isGiven(choice) ? [[["expect", "choices", index, "go_to"], choice.go_to] as const] : []
    )
  ]
}

/** That keys are different, and that steps lead to steps: told also where other parts are wrong. */
const keyProblems = (given: unknown): Told => {
  if (!Array.isArray(given) || given.length > mostSteps) return []
  const steps = given.map((one: unknown) => (isGiven(one) ? one : {}))
  const keys = new Set(steps.map(({ key }) => key))
  const earlier = new Set<unknown>()
  return steps.flatMap((step, index): Told => {
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
export const steps: Schema.Schema<ReadonlyArray<BotStep>, unknown> = ruled(listOfParts(step, mostSteps), keyProblems)
