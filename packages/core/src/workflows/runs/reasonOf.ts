import type { Refusal } from "../../errors/Refusal.js"

/** Why a rule refused, for a person: its code, and each field's problem where it has some. */
export const reasonOf = ({ code, details, message }: Refusal): string => {
  const problems = Object.entries(details).flatMap(([field, words]) =>
    Array.isArray(words) ? [`${field} ${words.join(", ")}`] : []
  )
  return `${code}: ${problems.length === 0 ? message : problems.join("; ")}`
}
