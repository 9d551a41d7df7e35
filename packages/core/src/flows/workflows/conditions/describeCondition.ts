import type { RunCondition } from "../../../model/RunCondition.js"

/** Describes a condition in one line of English, such as `tag: has vip`. */
export const describeCondition = (condition: RunCondition): string => {
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
