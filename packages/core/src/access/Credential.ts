import { createHash } from "node:crypto"
import type { Mode } from "./Application.js"

/** Lower-case hex SHA-256: how credentials are kept. They are long and random, so that a plain hash is enough. */
export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex")

/** The text of an API key: `<svc>_live_<32 characters>` (spec, Authentication 1). */
export const apiKeyText = (serviceName: string, mode: Mode, random: string): string =>
  `${serviceName}_${mode}_${random}`

/** How many random characters a key has. */
export const keyLength = 32
