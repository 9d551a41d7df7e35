import { Schema, SchemaAST } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { byType, closed, type Given, isGiven, listOfParts, ruled, says, type Told } from "../../input/Closed.js"
import { optional, optionalText, requiredText, text, uuid, Words, worded } from "../../input/Fields.js"
import { JsonObject } from "../../input/JsonObject.js"
import { keyLength } from "../../input/Key.js"
import { mostValue } from "../../leads/LeadInput.js"
import { hasPlaceholder } from "../placeholders.js"
import type { Action, Wait } from "./Action.js"
import { actionFields, type CommonFields } from "./actionFields.js"
import { givenConditions, hasFewConditions, tooManyConditions } from "./ConditionInput.js"
import { duration } from "./duration.js"
import { sendEmail, sendMessage } from "./SendInput.js"
import { days, timeOfDay, timezone } from "./timeOfDay.js"

/** The most actions of a workflow. */
const mostActions = 50

const unlessBoth =
  (one: string, other: string) =>
  (given: Given): Problems =>
    says(given, one) || says(given, other)
      ? {}
      : { [one]: [`is required unless ${other} is given`], [other]: [`is required unless ${one} is given`] }

const pipelineId = optional(uuid).pipe(Schema.fromKey("pipeline_id"))
const agentId = optional(uuid).pipe(Schema.fromKey("agent_id"))
const teamId = optional(uuid).pipe(Schema.fromKey("team_id"))

const value = Schema.Union(Schema.Number, text(1_000)).pipe(
  Schema.filter((given) => (typeof given === "number" ? given >= 0 && given <= mostValue : hasPlaceholder(given)), {
    jsonSchema: { type: ["number", "string"], minimum: 0, maximum: mostValue, maxLength: 1_000 }
  }),
  worded(`must be a number from 0 to ${mostValue}, or text with a placeholder that makes one`)
)

const currency = text(255).pipe(
  Schema.filter((given) => /^[A-Za-z]{3}$/.test(given) || hasPlaceholder(given), {
    jsonSchema: { type: "string", maxLength: 255 },
    [Words]: "must be a currency of ISO 4217: three letters, or text with a placeholder that makes one"
  })
)

const waitAction: Schema.Schema<Wait & CommonFields> = Schema.Any
const wait = closed(
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
    ...(says(given, "for") === says(given, "until") ? { "": ["must have exactly one of for, until"] } : {}),
    ...(says(given, "for") && says(given, "days") ? { days: ["is for until only"] } : {}),
    ...(says(given, "for") && says(given, "timezone") ? { timezone: ["is for until only"] } : {})
  })
)

const tag = { tag: requiredText(100) }

/** One action on the wire. */
const anAction: Schema.Schema<Action, unknown> = byType({
  send_message: sendMessage,
  send_email: sendEmail,
  add_tag: closed("add_tag", Schema.Struct({ ...actionFields("add_tag"), ...tag })),
  remove_tag: closed("remove_tag", Schema.Struct({ ...actionFields("remove_tag"), ...tag })),
  update_contact: closed(
    "update_contact",
    Schema.Struct({ ...actionFields("update_contact"), contact: JsonObject }),
    ({ contact }) =>
      isGiven(contact) && Object.keys(contact).length === 0 ? { contact: ["must have at least one field"] } : {}
  ),
  create_lead: closed(
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
  update_lead: closed(
    "update_lead",
    Schema.Struct({ ...actionFields("update_lead"), pipelineId, stage: requiredText(keyLength) })
  ),
  assign: closed(
    "assign",
    Schema.Struct({ ...actionFields("assign"), agentId, teamId }),
    unlessBoth("agent_id", "team_id")
  ),
  create_task: closed(
    "create_task",
    Schema.Struct({
      ...actionFields("create_task"),
      title: requiredText(255),
      dueInMs: optional(duration()).pipe(Schema.fromKey("due_in")),
      agentId,
      teamId
    })
  ),
  notify: closed("notify", Schema.Struct({ ...actionFields("notify"), message: requiredText(4_096) })),
  call_webhook: closed(
    "call_webhook",
    Schema.Struct({ ...actionFields("call_webhook"), url: requiredText(2_048), body: optional(JsonObject) })
  ),
  start_bot: closed(
    "start_bot",
    Schema.Struct({
      ...actionFields("start_bot"),
      botId: Schema.propertySignature(uuid).pipe(Schema.fromKey("bot_id"))
    })
  ),
  wait
}).annotations({ identifier: "WorkflowAction" })

/** The conditions of actions as they were given. */
const conditionsOf = (given: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  given.flatMap((one) => (isGiven(one) && isGiven(one.if) ? [one.if] : []))

/** That names are different, and that conditions speak of earlier actions alone: told also where other parts are wrong. */
const nameProblems = (given: unknown): Told => {
  if (!Array.isArray(given) || given.length > mostActions || !hasFewConditions(...conditionsOf(given))) return []
  const earlier = new Set<unknown>()
  return given.flatMap((one: unknown, index) => {
    if (!isGiven(one)) return []
    const unknownSteps = [...givenConditions(one.if, [index, "if"])].flatMap(({ given, path }) =>
      isGiven(given) && isGiven(given.step)
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

const list = listOfParts(anAction, mostActions)
// Counted before any is looked at, so that many cost nothing.
const bounded = Schema.Array(Schema.Unknown).pipe(
  Schema.filter((given) => given.length > mostActions || hasFewConditions(...conditionsOf(given)) || tooManyConditions)
)

/** The actions of a workflow on the wire, in their order: at most 50. A draft may have none. */
export const actions: Schema.Schema<ReadonlyArray<Action>, unknown> = ruled(
  Schema.compose(bounded, list).annotations({ [SchemaAST.SurrogateAnnotationId]: list.ast }),
  nameProblems
)
