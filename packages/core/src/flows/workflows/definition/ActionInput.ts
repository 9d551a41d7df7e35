import { Schema, SchemaAST } from "effect"
import type { Problems } from "../../../errors/Refusal.js"
import { duration } from "../../../kernel/input/duration.js"
import {
  boundedList,
  FieldMessage,
  optional,
  optionalText,
  requiredText,
  text,
  uuid,
  withMessage
} from "../../../kernel/input/Fields.js"
import { JsonObject } from "../../../kernel/input/JsonObject.js"
import { keyLength } from "../../../kernel/input/Key.js"
import {
  byType,
  hasValue,
  isJsonRecord,
  type JsonRecord,
  listOfParts,
  type PathProblems,
  strictStruct,
  withRules
} from "../../../kernel/input/StrictStruct.js"
import { days, timeOfDay, timezone } from "../../../kernel/input/timeOfDay.js"
import type { Action, Wait } from "../../../model/Action.js"
import { hasPlaceholder } from "../../../resources/contacts/placeholders.js"
import { maxValue } from "../../../resources/leads/LeadInput.js"
import { actionFields, type CommonFields } from "./actionFields.js"
import { givenConditions, hasFewConditions, tooManyConditions } from "./ConditionInput.js"
import { sendEmail, sendMessage } from "./SendInput.js"

/** The most actions of a workflow. */
const maxActions = 50

/** The actions that the examples of the OpenAPI document have. */
export const sampleActions = [
  {
    type: "send_message",
    name: "on WhatsApp",
    channel: "whatsapp",
    template: "order_shipped",
    language: "en",
    variables: ["{{contact.first_name}}", "{{data.order.number}}"],
    wait_until: "delivered",
    within: "10m",
    on_error: "continue"
  },
  {
    type: "send_email",
    if: { step: { failed: "on WhatsApp" } },
    subject: "Your order {{data.order.number}}",
    body: "Hello {{contact.first_name}}, your order is on its way."
  }
] as const

const unlessBoth =
  (one: string, other: string) =>
  (given: JsonRecord): Problems =>
    hasValue(given, one) || hasValue(given, other)
      ? {}
      : { [one]: [`is required unless ${other} is given`], [other]: [`is required unless ${one} is given`] }

const pipelineId = optional(uuid).pipe(Schema.fromKey("pipeline_id"))
const agentId = optional(uuid).pipe(Schema.fromKey("agent_id"))
const teamId = optional(uuid).pipe(Schema.fromKey("team_id"))

const value = Schema.Union(Schema.Number, text(1_000)).pipe(
  Schema.filter((given) => (typeof given === "number" ? given >= 0 && given <= maxValue : hasPlaceholder(given)), {
    jsonSchema: { type: ["number", "string"], minimum: 0, maximum: maxValue, maxLength: 1_000 }
  }),
  withMessage(`must be a number from 0 to ${maxValue}, or text with a placeholder that makes one`)
)

const currency = text(255).pipe(
  Schema.filter((given) => /^[A-Za-z]{3}$/.test(given) || hasPlaceholder(given), {
    jsonSchema: { type: "string", maxLength: 255 },
    [FieldMessage]: "must be a currency of ISO 4217: three letters, or text with a placeholder that makes one"
  })
)

const waitAction: Schema.Schema<Wait & CommonFields> = Schema.Any
const wait = strictStruct(
  "wait",
  Schema.transform(
    Schema.Struct({
      ...actionFields("wait"),
      for: optional(duration()),
      until: optional(timeOfDay),
      days: optional(days),
      timezone: optional(timezone)
    }),
    waitAction,
    {
      strict: true,
      decode: ({ days, for: forMs, timezone, until, ...others }) =>
        until === null ? { ...others, forMs: forMs ?? 0 } : { ...others, until, days, timezone: timezone ?? "contact" },
      encode: (action) => {
        if (!("until" in action)) {
          const { forMs, ...others } = action
          return { ...others, for: forMs, until: null, days: null, timezone: null }
        }
        return { ...action, for: null }
      }
    }
  ),
  (given) => ({
    ...(hasValue(given, "for") === hasValue(given, "until") ? { "": ["must have exactly one of for, until"] } : {}),
    ...(hasValue(given, "for") && hasValue(given, "days") ? { days: ["is for until only"] } : {}),
    ...(hasValue(given, "for") && hasValue(given, "timezone") ? { timezone: ["is for until only"] } : {})
  })
)

const tag = { tag: requiredText(100) }

/** One action on the wire. */
const anAction: Schema.Schema<Action, unknown> = byType({
  send_message: sendMessage,
  send_email: sendEmail,
  add_tag: strictStruct("add_tag", Schema.Struct({ ...actionFields("add_tag"), ...tag })),
  remove_tag: strictStruct("remove_tag", Schema.Struct({ ...actionFields("remove_tag"), ...tag })),
  update_contact: strictStruct(
    "update_contact",
    Schema.Struct({ ...actionFields("update_contact"), contact: JsonObject }),
    ({ contact }) =>
      isJsonRecord(contact) && Object.keys(contact).length === 0 ? { contact: ["must have at least one field"] } : {}
  ),
  create_lead: strictStruct(
    "create_lead",
    Schema.Struct({
      ...actionFields("create_lead"),
      pipelineId,
      stage: optionalText(keyLength),
      title: optionalText(255),
      value: optional(value),
      currency: optional(currency)
    })
  ),
  update_lead: strictStruct(
    "update_lead",
    Schema.Struct({ ...actionFields("update_lead"), pipelineId, stage: requiredText(keyLength) })
  ),
  assign: strictStruct(
    "assign",
    Schema.Struct({ ...actionFields("assign"), agentId, teamId }),
    unlessBoth("agent_id", "team_id")
  ),
  create_task: strictStruct(
    "create_task",
    Schema.Struct({
      ...actionFields("create_task"),
      title: requiredText(255),
      dueInMs: optional(duration()).pipe(Schema.fromKey("due_in")),
      agentId,
      teamId
    })
  ),
  notify: strictStruct("notify", Schema.Struct({ ...actionFields("notify"), message: requiredText(4_096) })),
  call_webhook: strictStruct(
    "call_webhook",
    Schema.Struct({ ...actionFields("call_webhook"), url: requiredText(2_048), body: optional(JsonObject) })
  ),
  start_bot: strictStruct(
    "start_bot",
    Schema.Struct({
      ...actionFields("start_bot"),
      botId: Schema.propertySignature(uuid).pipe(Schema.fromKey("bot_id"))
    })
  ),
  wait
}).annotations({
  identifier: "WorkflowAction",
  jsonSchema: {
    description:
      "An action, by its `type`. Every action may have a `name`, an `if`, and `on_error`: whether the run stops or continues if it fails. Text may have placeholders: `{{data.<key>}}`, `{{contact.<field>}}`, `{{event}}`; durations are `90s`, `10m`, `2h`, `3d`.",
    examples: [
      sampleActions[0],
      { type: "add_tag", tag: "shipped" },
      { type: "wait", until: "09:00", timezone: "contact" },
      { type: "call_webhook", url: "https://shop.example.org/told", body: { order: "{{data.order.number}}" } }
    ]
  }
})

/** The conditions of actions as they were given. */
const conditionsOf = (given: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  given.flatMap((one) => (isJsonRecord(one) && isJsonRecord(one.if) ? [one.if] : []))

/** Checks unique names and references to earlier actions; reported even if other parts are invalid. */
const nameProblems = (given: unknown): PathProblems => {
  if (!Array.isArray(given) || given.length > maxActions || !hasFewConditions(...conditionsOf(given))) return []
  const earlier = new Set<unknown>()
  return given.flatMap((one: unknown, index) => {
    if (!isJsonRecord(one)) return []
    const unknownSteps = [...givenConditions(one.if, [index, "if"])].flatMap(({ given, path }) =>
      isJsonRecord(given) && isJsonRecord(given.step)
        ? Object.entries(given.step)
            .filter(([key, name]) => ["done", "failed"].includes(key) && typeof name === "string" && !earlier.has(name))
            .map(([key]) => [[...path, "step", key], "must be the name of an earlier action"] as const)
        : []
    )
    if (typeof one.name !== "string" || one.name === "") return unknownSteps
    const isTaken = earlier.has(one.name)
    earlier.add(one.name)
    return isTaken ? [...unknownSteps, [[index, "name"], "is the name of an earlier action"] as const] : unknownSteps
  })
}

const list = listOfParts(anAction, maxActions)
// Count first, so that oversized input is rejected cheaply.
const bounded = boundedList(maxActions).pipe(
  Schema.filter((given) => hasFewConditions(...conditionsOf(given)) || tooManyConditions)
)

/** The actions of a workflow on the wire, in their order: at most 50. A draft may have none. */
export const actions: Schema.Schema<ReadonlyArray<Action>, unknown> = withRules(
  Schema.compose(bounded, list).annotations({ [SchemaAST.SurrogateAnnotationId]: list.ast }),
  nameProblems
)
