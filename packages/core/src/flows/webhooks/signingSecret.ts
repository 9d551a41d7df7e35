import type { Ids } from "../../ports/Ids.js"

/**
 * A new signing secret of an endpoint: `whsec_` and 32 random characters (docs/reference/webhooks.md#signing-secret).
 */
export const signingSecret = (ids: Ids): string => `whsec_${ids.secret(32)}`
