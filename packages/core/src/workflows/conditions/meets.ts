import type { Channel } from "../../channels/Channel.js"
import { folded } from "../../contacts/folded.js"
import { day } from "../../Instant.js"
import type { DataTest, KeywordTest, RunCondition, SetTest, TimeWindow, ValueTest } from "../definition/RunCondition.js"
import { fillIn, valueAt } from "../placeholders.js"
import { describeCondition } from "./describeCondition.js"
import type { Facts, Needs } from "./Facts.js"
import { localTime, sinceMidnight, weekdayOf, zoneOf } from "./zonedTime.js"

/** Whether a condition holds of these facts. */
export const meets = (condition: RunCondition, facts: Facts): boolean => {
  if ("all" in condition) return condition.all.every((one) => meets(one, facts))
  if ("any" in condition) return condition.any.some((one) => meets(one, facts))
  if ("not" in condition) return !meets(condition.not, facts)
  const { contact, conversation } = facts
  if ("tag" in condition) return hasOf(condition.tag, contact.tags)
  if ("lifecycleStage" in condition) return isOf(condition.lifecycleStage, contact.lifecycleStage)
  if ("channel" in condition) return hasOf(condition.channel, channelsOf(facts))
  if ("country" in condition) return isOf(condition.country, contact.country)
  if ("keyword" in condition) return isSaid(condition.keyword, facts)
  if ("data" in condition) return isTrueOf(condition.data, valueAt(facts.values.data, condition.data.key.split(".")))
  if ("time" in condition) return isNow(condition.time, facts)
  if ("assignedAgent" in condition) {
    const agent = conversation?.assignedUserId ?? null
    const { isSet } = condition.assignedAgent
    return isSet === undefined ? isOf(condition.assignedAgent, agent) : isSet === (agent !== null)
  }
  if ("pipelineStage" in condition) {
    const { pipelineId } = condition.pipelineStage
    const lead = facts.leads.find((one) => pipelineId === undefined || one.pipelineId === pipelineId)
    return isOf(condition.pipelineStage, lead?.stage ?? null)
  }
  const { done, failed } = condition.step
  return facts.steps.some(
    ({ name, outcome }) => (outcome === "done" && name === done) || (outcome === "failed" && name === failed)
  )
}

/** Which part of a condition did not hold, in one line for a person. */
export const explain = (condition: RunCondition, facts: Facts): string => {
  if ("all" in condition) {
    const part = condition.all.find((one) => !meets(one, facts))
    if (part !== undefined) return explain(part, facts)
  }
  if ("not" in condition) return `${describeCondition(condition.not)} — which must not be so`
  return `${describeCondition(condition)} — not so`
}

/** What a condition asks for, so that nothing else is read; null asks for nothing. */
export const needsOf = (condition: RunCondition | null): Needs => {
  if (condition === null) return { conversation: false, leads: false, lastWords: false }
  if ("not" in condition) return needsOf(condition.not)
  if ("all" in condition || "any" in condition) {
    const needs = ("all" in condition ? condition.all : condition.any).map(needsOf)
    return {
      conversation: needs.some(({ conversation }) => conversation),
      leads: needs.some(({ leads }) => leads),
      lastWords: needs.some(({ lastWords }) => lastWords)
    }
  }
  return {
    conversation: "assignedAgent" in condition || "channel" in condition,
    leads: "pipelineStage" in condition,
    lastWords: "keyword" in condition && condition.keyword.in === undefined
  }
}

const isSame = (one: string, other: string): boolean => folded(one) === folded(other)

const hasOf = ({ has, hasAnyOf, hasNoneOf, hasNot }: SetTest, present: ReadonlyArray<string>): boolean => {
  const isThere = (wanted: string) => present.some((one) => isSame(one, wanted))
  if (has !== undefined) return isThere(has)
  if (hasNot !== undefined) return !isThere(hasNot)
  if (hasAnyOf !== undefined) return hasAnyOf.some(isThere)
  return !(hasNoneOf ?? []).some(isThere)
}

/** What is not there is no value, and not one of any. */
const isOf = ({ is, isNoneOf, isNot, isOneOf }: ValueTest, present: string | null): boolean => {
  const isIt = (wanted: string) => present !== null && isSame(present, wanted)
  if (is !== undefined) return isIt(is)
  if (isNot !== undefined) return !isIt(isNot)
  if (isOneOf !== undefined) return isOneOf.some(isIt)
  return !(isNoneOf ?? []).some(isIt)
}

/** Whoever has a phone number may be on WhatsApp; web chat is known by its conversation alone. */
const channelsOf = ({ contact, conversation }: Facts): ReadonlyArray<Channel> => [
  ...contact.identities.map(({ channel }) => (channel === "phone" ? "whatsapp" : channel)),
  ...(contact.email === null ? [] : (["email"] as const)),
  ...(contact.phone === null ? [] : (["whatsapp"] as const)),
  ...(conversation === undefined ? [] : [conversation.channel])
]

const isSaid = (test: KeywordTest, { lastWords, values }: Facts): boolean => {
  const said = test.in === undefined ? lastWords : fillIn(test.in, values)
  if (said === null) return false
  const words = folded(said).trim()
  if (test.is !== undefined) return words === folded(test.is).trim()
  if (test.startsWith !== undefined) return words.startsWith(folded(test.startsWith).trimStart())
  return [...(test.containsAnyOf ?? []), ...(test.contains === undefined ? [] : [test.contains])].some((one) =>
    words.includes(folded(one))
  )
}

type Scalar = string | number | boolean

const isScalar = (value: unknown): value is Scalar => ["string", "number", "boolean"].includes(typeof value)

/** Numbers that came as text are numbers too. */
const numberOf = (value: unknown): number =>
  typeof value === "number" || (typeof value === "string" && /^[-+]?\d+(?:\.\d+)?$/.test(value.trim()))
    ? Number(value)
    : Number.NaN

const isTrueOf = ({ is, isGiven, isLessThan, isMoreThan, isNot }: DataTest, value: unknown): boolean => {
  const isEqual = (wanted: Scalar): boolean =>
    typeof wanted === "number"
      ? numberOf(value) === wanted
      : isScalar(value) && isSame(String(value).trim(), String(wanted).trim())
  if (is !== undefined) return isEqual(is)
  if (isNot !== undefined) return !isEqual(isNot)
  if (isMoreThan !== undefined) return numberOf(value) > isMoreThan
  if (isLessThan !== undefined) return numberOf(value) < isLessThan
  return (isGiven ?? true) === (value !== undefined && value !== null && value !== "")
}

/** A window that ends on the day after it began is of the day on which it began. */
const isNow = ({ days, from, timezone, until }: TimeWindow, facts: Facts): boolean => {
  const zone = zoneOf(timezone, facts.contact, facts.timezone)
  const { date, sinceMidnight: time } = localTime(zone, facts.now)
  const begin = from === undefined ? 0 : sinceMidnight(from)
  const end = until === undefined ? day : sinceMidnight(until)
  const isOn = (date: number): boolean => days === undefined || days.includes(weekdayOf(date))
  if (end > begin) return time >= begin && time < end && isOn(date)
  return (time >= begin && isOn(date)) || (time < end && isOn(date - 1))
}
