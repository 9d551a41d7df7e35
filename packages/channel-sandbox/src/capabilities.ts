import type { Capabilities, Channel } from "@parley/core"

/**
 * What each channel can do, as with its real vendor. Instagram's limit of 1,000 bytes is one of 1,000 characters here;
 * email reports every delivery, where a real server seldom does.
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
