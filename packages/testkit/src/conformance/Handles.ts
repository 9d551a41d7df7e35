import type { Channel } from "./Resources.js"

/**
 * How a sandbox connection treats a message (docs/reference/sandbox.md#how-a-handle-selects-a-behaviour): by the last
 * digits of a number, or the first word of any other handle.
 */
const endings = {
  deliver: "9999",
  reject: "0001",
  throttle: "0002",
  timeout: "0003",
  fail: "0004",
  unread: "0005",
  slow: "0006"
} as const
export type Behaviour = keyof typeof endings

let made = 0

/** A phone number in E.164 that was not used before. */
export const freshNumber = (behaviour: Behaviour = "deliver"): string =>
  `+1555${String(++made).padStart(6, "0")}${endings[behaviour]}`

/** An email address that was not used before. */
export const freshEmail = (behaviour: Behaviour = "deliver"): string => `${behaviour}-${++made}@customer.example`

/** A handle on a channel that was not used before. */
export const freshHandle = (channel: Channel | "phone", behaviour: Behaviour = "deliver"): string =>
  channel === "whatsapp" || channel === "phone"
    ? freshNumber(behaviour)
    : channel === "email"
      ? freshEmail(behaviour)
      : `${behaviour}-${++made}`
