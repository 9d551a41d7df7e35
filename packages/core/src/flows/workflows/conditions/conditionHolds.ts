import { searchKey } from "../../../kernel/text/searchKey.js"
import type { Channel } from "../../../model/Channel.js"
import { day } from "../../../model/Instant.js"
import type { Step } from "../../../model/Run.js"
import type {
  DataTest,
  KeywordTest,
  RunCondition,
  SetTest,
  TimeWindow,
  ValueTest
} from "../../../model/RunCondition.js"
import { channelAddresses } from "../../../resources/contacts/channelAddresses.js"
import { exactNumberAt, fillIn, valueAt } from "../../../resources/contacts/placeholders.js"
import type { ConditionFacts, ConditionNeeds } from "./ConditionFacts.js"
import { leadOfRun } from "./leadOfRun.js"
import { localTime, sinceMidnight, weekdayOf, zoneOf } from "./zonedTime.js"

/** Evaluates a condition. */
export const conditionHolds = (condition: RunCondition, facts: ConditionFacts): boolean => {
  if ("all" in condition) return condition.all.every((one) => conditionHolds(one, facts))
  if ("any" in condition) return condition.any.some((one) => conditionHolds(one, facts))
  if ("not" in condition) return !conditionHolds(condition.not, facts)
  const { contact, conversation } = facts
  if ("tag" in condition) return hasOf(condition.tag, contact.tags)
  if ("lifecycleStage" in condition) return isOf(condition.lifecycleStage, contact.lifecycleStage)
  if ("channel" in condition) return hasOf(condition.channel, channelsOf(facts))
  if ("country" in condition) return isOf(condition.country, contact.country)
  if ("keyword" in condition) return isSaid(condition.keyword, facts)
  if ("data" in condition) return isTrueOf(condition.data, facts.values.data)
  if ("time" in condition) return isNow(condition.time, facts)
  if ("assignedAgent" in condition) {
    const agent = conversation?.assignedUserId ?? null
    const { isSet } = condition.assignedAgent
    return isSet === undefined ? isOf(condition.assignedAgent, agent) : isSet === (agent !== null)
  }
  if ("pipelineStage" in condition) {
    const { pipelineId } = condition.pipelineStage
    const leads = facts.leads.filter((one) => pipelineId === undefined || one.pipelineId === pipelineId)
    return isOf(condition.pipelineStage, leadOfRun(facts.steps, leads)?.stage ?? null)
  }
  const { done, failed } = condition.step
  return lastTries(facts.steps).some(
    ({ name, outcome }) => (outcome === "done" && name === done) || (outcome === "failed" && name === failed)
  )
}

/** The last step of each action: a run that was tried again has earlier ones. */
const lastTries = (steps: ReadonlyArray<Step>): ReadonlyArray<Step> => [
  ...new Map(steps.map((step) => [step.position, step])).values()
]

/** Describes in one line which part of a condition did not hold. */
export const explainCondition = (condition: RunCondition, facts: ConditionFacts): string => {
  if ("all" in condition) {
    const part = condition.all.find((one) => !conditionHolds(one, facts))
    if (part !== undefined) return explainCondition(part, facts)
  }
  if ("not" in condition) return `${describeCondition(condition.not)} — which must not be so`
  return `${describeCondition(condition)} — not so`
}

/** Which facts a condition tests. A null condition tests none. */
export const needsOf = (condition: RunCondition | null): ConditionNeeds => {
  if (condition === null) return { conversation: false, leads: false, lastInboundText: false }
  if ("not" in condition) return needsOf(condition.not)
  if ("all" in condition || "any" in condition) {
    const needs = ("all" in condition ? condition.all : condition.any).map(needsOf)
    return {
      conversation: needs.some(({ conversation }) => conversation),
      leads: needs.some(({ leads }) => leads),
      lastInboundText: needs.some(({ lastInboundText }) => lastInboundText)
    }
  }
  return {
    conversation: "assignedAgent" in condition || "channel" in condition,
    leads: "pipelineStage" in condition,
    lastInboundText: "keyword" in condition && condition.keyword.in === undefined
  }
}

const isSame = (one: string, other: string): boolean => searchKey(one) === searchKey(other)

const hasOf = ({ has, hasAnyOf, hasNoneOf, hasNot }: SetTest, present: ReadonlyArray<string>): boolean => {
  const isThere = (wanted: string) => present.some((one) => isSame(one, wanted))
  if (has !== undefined) return isThere(has)
  if (hasNot !== undefined) return !isThere(hasNot)
  if (hasAnyOf !== undefined) return hasAnyOf.some(isThere)
  return !(hasNoneOf ?? []).some(isThere)
}

/** A missing value (null) equals no value: `is` and `is_one_of` fail, `is_not` and `is_none_of` hold. */
const isOf = ({ is, isNoneOf, isNot, isOneOf }: ValueTest, present: string | null): boolean => {
  const isIt = (wanted: string) => present !== null && isSame(present, wanted)
  if (is !== undefined) return isIt(is)
  if (isNot !== undefined) return !isIt(isNot)
  if (isOneOf !== undefined) return isOneOf.some(isIt)
  return !(isNoneOf ?? []).some(isIt)
}

/** A channel without identities, such as web chat, counts only through the newest conversation. */
const channelsOf = ({ channels, contact, conversation }: ConditionFacts): ReadonlyArray<Channel> => [
  ...channelAddresses(contact, channels).map(({ channel }) => channel),
  ...(conversation === undefined ? [] : [conversation.channel])
]

const isSaid = (test: KeywordTest, { lastInboundText, values }: ConditionFacts): boolean => {
  const said = test.in === undefined ? lastInboundText : fillIn(test.in, values)
  if (said === null) return false
  const message = searchKey(said).trim()
  if (test.is !== undefined) return message === searchKey(test.is).trim()
  if (test.startsWith !== undefined) return message.startsWith(searchKey(test.startsWith).trimStart())
  return [...(test.containsAnyOf ?? []), ...(test.contains === undefined ? [] : [test.contains])].some((one) =>
    message.includes(searchKey(one))
  )
}

type Scalar = string | number | boolean

const isScalar = (value: unknown): value is Scalar => ["string", "number", "boolean"].includes(typeof value)

/** Parses decimal numbers in text; NaN for other values. */
const numberOf = (value: unknown): number =>
  typeof value === "number" || (typeof value === "string" && /^[-+]?\d+(?:\.\d+)?$/.test(value.trim()))
    ? Number(value)
    : Number.NaN

const isTrueOf = ({ is, isGiven, isLessThan, isMoreThan, isNot, key }: DataTest, data: unknown): boolean => {
  const path = key.split(".")
  const value = valueAt(data, path)
  const isEqual = (wanted: Scalar): boolean =>
    typeof wanted === "number"
      ? numberOf(value) === wanted
      : isScalar(value) && isSame((exactNumberAt(data, path) ?? String(value)).trim(), String(wanted).trim())
  if (is !== undefined) return isEqual(is)
  if (isNot !== undefined) return !isEqual(isNot)
  if (isMoreThan !== undefined) return numberOf(value) > isMoreThan
  if (isLessThan !== undefined) return numberOf(value) < isLessThan
  return (isGiven ?? true) === (value !== undefined && value !== null && value !== "")
}

/** A window past midnight belongs to the weekday on which it begins. */
const isNow = ({ days, from, timezone, until }: TimeWindow, facts: ConditionFacts): boolean => {
  const zone = zoneOf(timezone, facts.contact, facts.timezone)
  const { date, sinceMidnight: time } = localTime(zone, facts.now)
  const begin = from === undefined ? 0 : sinceMidnight(from)
  const end = until === undefined ? day : sinceMidnight(until)
  const isOn = (date: number): boolean => days === undefined || days.includes(weekdayOf(date))
  if (end > begin) return time >= begin && time < end && isOn(date)
  return (time >= begin && isOn(date)) || (time < end && isOn(date - 1))
}

/** Describes a condition in one line of English, such as `tag: has vip`. */
const describeCondition = (condition: RunCondition): string => {
  if ("all" in condition) return together(condition.all, "and")
  if ("any" in condition) return together(condition.any, "or")
  if ("not" in condition) return `not (${describeCondition(condition.not)})`
  return Object.entries(condition)
    .map(([kind, test]) => `${text(kind)}: ${testText(test)}`)
    .join(", ")
}

const together = (parts: ReadonlyArray<RunCondition>, word: "and" | "or"): string =>
  parts.length === 1 ? parts.map(describeCondition).join("") : `(${parts.map(describeCondition).join(` ${word} `)})`

const testText = (test: object): string =>
  Object.entries(test)
    .map(([operator, value]) => `${text(operator)} ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join(", ")

/** Splits camel case: `hasNoneOf` becomes `has none of`. */
const text = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
