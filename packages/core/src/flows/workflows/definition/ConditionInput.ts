import { Schema, SchemaAST } from "effect"
import type { Problems } from "../../../errors/Refusal.js"
import {
  channelName,
  FieldMessage,
  listOf,
  oneOf,
  requiredText,
  uuid,
  withMessage
} from "../../../kernel/input/Fields.js"
import { keyLength } from "../../../kernel/input/Key.js"
import { given } from "../../../kernel/input/Patch.js"
import {
  exactlyOne,
  isJsonRecord,
  type JsonRecord,
  listOfParts,
  strictStruct
} from "../../../kernel/input/StrictStruct.js"
import { days, timeOfDay, timezone } from "../../../kernel/input/timeOfDay.js"
import { LifecycleStage } from "../../../model/Contact.js"
import type { RunCondition } from "../../../model/RunCondition.js"

/** How deep conditions may be nested in each other, the innermost included. */
const maxConditionDepth = 5

/** The most conditions that a workflow has of its own, and that the `if`s of its actions have together. */
const maxConditions = 50

/** The conditions that the examples of the OpenAPI document have. */
export const sampleConditions = { not: { tag: { has: "no updates" } } }

const setTest = <A extends string>(what: string, item: Schema.Schema<A>) =>
  strictStruct(
    what,
    Schema.Struct({
      has: given(item),
      hasNot: given(item).pipe(Schema.fromKey("has_not")),
      hasAnyOf: given(listOf(item, maxConditions, 1)).pipe(Schema.fromKey("has_any_of")),
      hasNoneOf: given(listOf(item, maxConditions, 1)).pipe(Schema.fromKey("has_none_of"))
    }),
    exactlyOne("has", "has_not", "has_any_of", "has_none_of")
  )

const valueOperators = ["is", "is_not", "is_one_of", "is_none_of"] as const

const valueFields = <A extends string>(item: Schema.Schema<A>) => ({
  is: given(item),
  isNot: given(item).pipe(Schema.fromKey("is_not")),
  isOneOf: given(listOf(item, maxConditions, 1)).pipe(Schema.fromKey("is_one_of")),
  isNoneOf: given(listOf(item, maxConditions, 1)).pipe(Schema.fromKey("is_none_of"))
})

const valueTest = <A extends string>(what: string, item: Schema.Schema<A>) =>
  strictStruct(what, Schema.Struct(valueFields(item)), exactlyOne(...valueOperators))

const country = Schema.String.pipe(
  Schema.filter((code) => /^[A-Za-z]{2}$/.test(code), {
    jsonSchema: { type: "string", pattern: "^[A-Za-z]{2}$" },
    [FieldMessage]: "must be a country of ISO 3166: two letters"
  })
)

const message = requiredText(255)
const keyword = strictStruct(
  "keyword",
  Schema.Struct({
    in: given(requiredText(1_000)),
    is: given(message),
    contains: given(message),
    containsAnyOf: given(listOf(message, maxConditions, 1)).pipe(Schema.fromKey("contains_any_of")),
    startsWith: given(message).pipe(Schema.fromKey("starts_with"))
  }),
  exactlyOne("is", "contains", "contains_any_of", "starts_with")
)

const number = Schema.Number.pipe(
  Schema.filter(Number.isFinite, { jsonSchema: {}, [FieldMessage]: "must be a number" })
)
const scalar = Schema.Union(requiredText(1_000), number, Schema.Boolean).pipe(
  withMessage("must be text of at most 1000 characters, a number, true or false")
)
const data = strictStruct(
  "data",
  Schema.Struct({
    key: requiredText(255),
    is: given(scalar),
    isNot: given(scalar).pipe(Schema.fromKey("is_not")),
    isMoreThan: given(number).pipe(Schema.fromKey("is_more_than")),
    isLessThan: given(number).pipe(Schema.fromKey("is_less_than")),
    isGiven: given(Schema.Boolean).pipe(Schema.fromKey("is_given"))
  }),
  exactlyOne("is", "is_not", "is_more_than", "is_less_than", "is_given")
)

const needsPart = (time: JsonRecord): Problems =>
  ["days", "from", "until"].some((field) => Object.hasOwn(time, field))
    ? {}
    : { "": ["must have at least one of days, from, until"] }

const time = strictStruct(
  "time",
  Schema.Struct({
    days: given(days),
    from: given(timeOfDay),
    until: given(timeOfDay),
    timezone: Schema.optionalWith(timezone, { default: () => "contact" })
  }),
  needsPart
)

const assignedAgent = strictStruct(
  "assigned_agent",
  Schema.Struct({ ...valueFields(uuid), isSet: given(Schema.Boolean).pipe(Schema.fromKey("is_set")) }),
  exactlyOne(...valueOperators, "is_set")
)

const pipelineStage = strictStruct(
  "pipeline_stage",
  Schema.Struct({
    ...valueFields(requiredText(keyLength)),
    pipelineId: given(uuid).pipe(Schema.fromKey("pipeline_id"))
  }),
  exactlyOne(...valueOperators)
)

const stepName = requiredText(64)
const step = strictStruct(
  "step",
  Schema.Struct({ done: given(stepName), failed: given(stepName) }),
  exactlyOne("done", "failed")
)

const tests = {
  tag: given(setTest("tag", requiredText(100))),
  lifecycleStage: given(valueTest("lifecycle_stage", oneOf(LifecycleStage.literals))).pipe(
    Schema.fromKey("lifecycle_stage")
  ),
  channel: given(setTest("channel", channelName)),
  country: given(valueTest("country", country)),
  keyword: given(keyword),
  data: given(data),
  time: given(time),
  assignedAgent: given(assignedAgent).pipe(Schema.fromKey("assigned_agent")),
  pipelineStage: given(pipelineStage).pipe(Schema.fromKey("pipeline_stage")),
  step: given(step)
}

const tooDeep: Schema.Schema<RunCondition, unknown> = Schema.Any.pipe(
  Schema.filter(() => false, { [FieldMessage]: `must be nested at most ${maxConditionDepth} levels deep` })
)

/** A condition that is nested at most so many levels deep. */
const conditionOf = (levels: number): Schema.Schema<RunCondition, unknown> => {
  const inner = levels === 1 ? tooDeep : conditionOf(levels - 1)
  const several = given(listOfParts(inner, maxConditions, 1))
  const object = Schema.Struct({ all: several, any: several, not: given(inner), ...tests })
  const names = SchemaAST.getPropertySignatures(Schema.encodedSchema(object).ast).map(({ name }) => String(name))
  const condition = strictStruct("a condition", object, exactlyOne(...names)).annotations({
    identifier: "WorkflowCondition",
    jsonSchema: {
      minProperties: 1,
      maxProperties: 1,
      description:
        "A condition, with exactly one key: `all`, `any` and `not` combine others; each other key tests one property with one operator. Text such as `keyword.in` may have placeholders.",
      examples: [
        { all: [{ lifecycle_stage: { is: "customer" } }, sampleConditions] },
        { data: { key: "order.total", is_more_than: 100 } },
        { time: { days: ["mon", "tue"], from: "09:00", until: "17:00", timezone: "contact" } },
        { step: { failed: "on WhatsApp" } }
      ]
    }
  })
  // What has exactly one of these fields is one of the union.
  return condition as unknown as Schema.Schema<RunCondition, unknown>
}

/** A condition on the wire: an object with exactly one key. */
const condition: Schema.Schema<RunCondition, unknown> = conditionOf(maxConditionDepth)

/** A condition, or nothing: null, as an empty string is too. */
export const conditionOrNothing: Schema.Schema<RunCondition | null, unknown> = Schema.transform(
  Schema.Unknown,
  Schema.NullOr(condition),
  { strict: false, decode: (value) => (value === "" ? null : value), encode: (value) => value }
).annotations({ [SchemaAST.SurrogateAnnotationId]: Schema.NullOr(condition).ast })

/** A condition as it was given, whatever it is, and where. */
export interface GivenCondition {
  readonly given: unknown
  readonly path: ReadonlyArray<PropertyKey>
}

/**
 * Every condition in a given one, itself first, as deep as conditions may be nested; one by one, since they may be
 * many.
 */
export function* givenConditions(
  given: unknown,
  path: ReadonlyArray<PropertyKey> = [],
  levels: number = maxConditionDepth
): Generator<GivenCondition> {
  yield { given, path }
  if (levels === 1 || !isJsonRecord(given)) return
  for (const key of ["all", "any"] as const) {
    const list = given[key]
    if (!Array.isArray(list)) continue
    for (const [index, one] of list.entries()) yield* givenConditions(one, [...path, key, index], levels - 1)
  }
  if (Object.hasOwn(given, "not")) yield* givenConditions(given.not, [...path, "not"], levels - 1)
}

/** Whether there are no more conditions in the given ones, together, than there may be; it does not count on beyond. */
export const hasFewConditions = (...given: ReadonlyArray<unknown>): boolean => {
  let count = 0
  for (const one of given) {
    for (const _ of givenConditions(one)) if (++count > maxConditions) return false
  }
  return true
}

/** Validation message for too many conditions. */
export const tooManyConditions = `must have at most ${maxConditions} conditions in all`
