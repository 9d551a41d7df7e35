import type { Capabilities, Channel } from "@parley/core"

/** What Meta's two channels can do (channels.md, What differs by channel). */
export const capabilities = (channel: Channel): Capabilities => ({
  textMaxLength: channel === "instagram" ? instagramLimit : 2_000,
  templates: false,
  deliveryReceipts: channel !== "instagram",
  readReceipts: true,
  serviceWindowHours: 24
})

/** Of a text, in bytes of UTF-8. */
const instagramLimit = 1_000

/** Instagram counts bytes, where a letter with an accent is two and an emoji four or more. */
export const textProblem = (channel: Channel, text: string): string | null =>
  channel === "instagram" && new TextEncoder().encode(text).length > instagramLimit
    ? `must be at most ${instagramLimit} bytes of UTF-8`
    : null
