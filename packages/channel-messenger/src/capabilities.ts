import type { Capabilities, Channel } from "@parley/core"

/** The capabilities of Meta's two channels (docs/reference/messenger.md#limits). */
export const capabilities = (channel: Channel): Capabilities => ({
  textMaxLength: channel === "instagram" ? instagramLimit : 2_000,
  templates: false,
  deliveryReceipts: channel !== "instagram",
  readReceipts: true,
  serviceWindowHours: 24,
  types: ["text", "media", "choices", "reaction"],
  receives: ["text", "media", "location", "choice", "order", "reaction", "edit", "deletion", "system", "unsupported"],
  choices: { options: 13, titleLength: 20, idLength: 1_000, descriptionLength: 0 },
  ...(channel === "instagram" ? { reactions: ["❤"] } : {}),
  quotes: true,
  typing: true,
  readMarks: true,
  // Files have no caption.
  files: {
    count: 1,
    bytes: 25 * 1_048_576,
    bytesByType: { image: 8 * 1_048_576 },
    ...(channel === "instagram" ? { types: instagramTypes } : {}),
    captionLength: 0
  }
})

/** What Instagram takes as a file (docs/reference/messenger.md#files-that-are-sent). */
const instagramTypes: ReadonlyArray<string> = [
  "image/png",
  "image/jpeg",
  "image/gif",
  "video/mp4",
  "video/ogg",
  "video/x-msvideo",
  "video/quicktime",
  "video/webm",
  "audio/aac",
  "audio/mp4",
  "audio/x-m4a",
  "audio/wav",
  "audio/x-wav",
  "application/pdf"
]

/** The maximum length of a text in bytes of UTF-8. */
const instagramLimit = 1_000

/** Instagram limits the bytes of a text: a letter with an accent has two, an emoji four or more. */
export const textProblem = (channel: Channel, text: string): string | null =>
  channel === "instagram" && new TextEncoder().encode(text).length > instagramLimit
    ? `must be at most ${instagramLimit} bytes of UTF-8`
    : null
