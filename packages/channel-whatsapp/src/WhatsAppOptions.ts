import type { GraphOptions } from "@parley/meta-graph"

export { defaultApiVersion } from "@parley/meta-graph"

/** The options of `whatsapp()`. */
export interface WhatsAppOptions extends GraphOptions {}
