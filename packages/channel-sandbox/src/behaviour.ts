import type { Channel } from "@parley/core"

/** What a message to a handle meets (decisions.md §16). */
export type Behaviour = "deliver" | "reject" | "throttle" | "timeout" | "fail" | "unread" | "slow"

const byEnding: { readonly [ending: string]: Behaviour } = {
  "0001": "reject",
  "0002": "throttle",
  "0003": "timeout",
  "0004": "fail",
  "0005": "unread",
  "0006": "slow"
}
const words = Object.values(byEnding)

/**
 * What a handle asks for: one of digits by its last four, any other by the word it starts with, whatever the case; of an
 * email address, its local part always counts as a word, so that `user0001@…` is nobody special.
 */
export const behaviourOf = (channel: Channel, handle: string): Behaviour => {
  if (channel !== "email" && /^\+?[\d\s().-]+$/.test(handle)) {
    return byEnding[handle.replace(/\D/g, "").slice(-4)] ?? "deliver"
  }
  const start = handle.toLowerCase()
  return words.find((word) => start.startsWith(word)) ?? "deliver"
}
