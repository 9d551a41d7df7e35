import type { Journal } from "../audit/Journal.js"
import type { Violation } from "../audit/Violation.js"
import { lineOf } from "../run/storyOf.js"

const maxEntries = 12

/**
 * Violations as text: each with the entries that show it, and the faults around them. Times in s since the beginning.
 */
export const chaosStory = (journal: Journal, violations: ReadonlyArray<Violation>): string => {
  const begun = journal[0]?.at ?? 0
  const line = (entry: number): string => {
    const value = journal[entry]
    if (value === undefined) return ""
    return `${String(entry).padStart(7)} ${((value.at - begun) / 1_000).toFixed(3).padStart(10)}  ${lineOf(value)}`
  }
  const story = ({ entries, promise, text }: Violation): string => {
    const shown = entries.slice(0, maxEntries)
    const [from, until] = [Math.min(...shown), Math.max(...shown)]
    const faults = journal.flatMap(({ kind }, entry) =>
      (kind === "fault" || kind === "quiet") && entry > from && entry < until ? [entry] : []
    )
    const lines = [...new Set([...shown, ...faults])].sort((one, other) => one - other).map(line)
    return [`VIOLATION ${promise}: ${text}`, ...lines].join("\n")
  }
  return violations.map(story).join("\n\n")
}
