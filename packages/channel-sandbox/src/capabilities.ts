import type { Capabilities, Channel } from "@parley/core"

/**
 * The capabilities of each channel, as with its vendor. Exceptions: Instagram's limit is 1,000 characters instead of
 * bytes, and email reports every delivery, which most real servers do not.
 */
export const capabilities: { readonly [C in Channel]: Capabilities } = {
  whatsapp: {
    textMaxLength: 4_096,
    templates: true,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: 24
  },
  telegram: {
    textMaxLength: 4_096,
    templates: false,
    deliveryReceipts: false,
    readReceipts: false,
    serviceWindowHours: null
  },
  email: {
    textMaxLength: null,
    templates: false,
    deliveryReceipts: true,
    readReceipts: false,
    serviceWindowHours: null
  },
  webchat: {
    textMaxLength: 4_096,
    templates: false,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: null
  },
  instagram: {
    textMaxLength: 1_000,
    templates: false,
    deliveryReceipts: false,
    readReceipts: true,
    serviceWindowHours: 24
  },
  facebook: {
    textMaxLength: 2_000,
    templates: false,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: 24
  }
}
