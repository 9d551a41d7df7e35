import type { RunCondition } from "../definition/RunCondition.js"

/** A condition in one line for a person, such as `tag: has vip`. */
export const describeCondition = (condition: RunCondition): string => {
  if ("all" in condition) return together(condition.all, "and")
  if ("any" in condition) return together(condition.any, "or")
  if ("not" in condition) return `not (${describeCondition(condition.not)})`
  return Object.entries(condition)
    .map(([kind, test]) => `${inWords(kind)}: ${testInWords(test)}`)
    .join(", ")
}

const together = (parts: ReadonlyArray<RunCondition>, word: "and" | "or"): string =>
  parts.length === 1 ? parts.map(describeCondition).join("") : `(${parts.map(describeCondition).join(` ${word} `)})`

const testInWords = (test: object): string =>
  Object.entries(test)
    .map(([operator, value]) => `${inWords(operator)} ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join(", ")

/** `hasNoneOf` reads `has none of`. */
const inWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
