import type { Refusal } from "../../../errors/Refusal.js"

/** An English text of a refusal: the code, and the problem of each field, else the message. */
export const refusalText = ({ code, details, message }: Refusal): string => {
  const problems = Object.entries(details).flatMap(([field, message]) =>
    Array.isArray(message) ? [`${field} ${message.join(", ")}`] : []
  )
  return `${code}: ${problems.length === 0 ? message : problems.join("; ")}`
}
