import type { Channel } from "@parley/core"

/** What happens to a message to a handle (docs/reference/sandbox.md#how-a-handle-selects-a-behaviour). */
export type Behaviour = "deliver" | "reject" | "throttle" | "timeout" | "fail" | "unread" | "slow"

const byEnding: { readonly [ending: string]: Behaviour } = {
  "0001": "reject",
  "0002": "throttle",
  "0003": "timeout",
  "0004": "fail",
  "0005": "unread",
  "0006": "slow"
}
const message = Object.values(byEnding)

/**
 * The behaviour that a handle selects: the last four digits of a numeric handle, the first word of any other,
 * case-insensitive. The local part of an email address is always a word, so that `user0001@…` selects nothing.
 */
export const behaviourOf = (channel: Channel, handle: string): Behaviour => {
  if (channel !== "email" && /^\+?[\d\s().-]+$/.test(handle)) {
    return byEnding[handle.replace(/\D/g, "").slice(-4)] ?? "deliver"
  }
  const start = handle.toLowerCase()
  return message.find((word) => start.startsWith(word)) ?? "deliver"
}
