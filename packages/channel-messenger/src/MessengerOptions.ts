import type { GraphOptions } from "@parley/meta-graph"

export { defaultApiVersion } from "@parley/meta-graph"

/** The options of `messenger()`. */
export interface MessengerOptions extends GraphOptions {}
