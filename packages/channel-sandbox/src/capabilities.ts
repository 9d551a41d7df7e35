import type { Capabilities, Channel, ChoiceLimits } from "@parley/core"

/** What every channel of the sandbox receives: the administration can simulate each type. */
const receives: Capabilities["receives"] = [
  "text",
  "media",
  "location",
  "contacts",
  "choice",
  "form",
  "order",
  "reaction",
  "edit",
  "deletion",
  "system",
  "unsupported"
]

const quickReplies: ChoiceLimits = { options: 13, titleLength: 20, idLength: 255, descriptionLength: 0 }

/**
 * The capabilities of each channel, as with its vendor. Exceptions: Instagram's limit is 1,000 characters instead of
 * bytes, email reports every delivery, which most real servers do not, and each channel receives every type.
 */
export const capabilities: { readonly [C in Channel]: Capabilities } = {
  whatsapp: {
    textMaxLength: 4_096,
    templates: true,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: 24,
    types: ["text", "template", "location", "contacts", "choices", "reaction"],
    receives,
    choices: { options: 10, titleLength: 20, idLength: 200, descriptionLength: 72 },
    quotes: true
  },
  telegram: {
    textMaxLength: 4_096,
    templates: false,
    deliveryReceipts: false,
    readReceipts: false,
    serviceWindowHours: null,
    types: ["text", "location", "choices", "reaction"],
    receives,
    choices: { options: 100, titleLength: 64, idLength: 16, descriptionLength: 0 },
    quotes: true
  },
  email: {
    textMaxLength: null,
    templates: false,
    deliveryReceipts: true,
    readReceipts: false,
    serviceWindowHours: null,
    receives,
    quotes: true
  },
  webchat: {
    textMaxLength: 4_096,
    templates: false,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: null,
    types: ["text", "location", "choices"],
    receives,
    choices: quickReplies
  },
  instagram: {
    textMaxLength: 1_000,
    templates: false,
    deliveryReceipts: false,
    readReceipts: true,
    serviceWindowHours: 24,
    types: ["text", "choices", "reaction"],
    receives,
    choices: quickReplies,
    quotes: true
  },
  facebook: {
    textMaxLength: 2_000,
    templates: false,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: 24,
    types: ["text", "choices"],
    receives,
    choices: quickReplies
  }
}
