import type { Capabilities } from "@parley/core"

const mebibyte = 1_048_576

/** What Twilio carries as SMS and MMS (docs/reference/sms.md#limits). */
export const capabilities: Capabilities = {
  textMaxLength: 1_600,
  templates: false,
  deliveryReceipts: true,
  readReceipts: false,
  serviceWindowHours: null,
  types: ["text", "media"],
  receives: ["text", "media"],
  files: {
    count: 10,
    bytes: 5 * mebibyte,
    types: ["image/*", "video/*", "audio/*", "text/vcard", "text/calendar", "application/pdf"],
    captionLength: 1_600
  }
}
