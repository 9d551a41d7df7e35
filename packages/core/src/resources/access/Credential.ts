import { hash, timingSafeEqual } from "node:crypto"
import type { Mode } from "../../model/Application.js"

/** Lower-case hex SHA-256, the stored form of credentials. They are long and random, so an unsalted hash is enough. */
export const hashOf = (secret: string): string => hash("sha256", secret)

/** Whether the hash belongs to this secret. Compares in constant time. */
export const matchesHash = (secret: string, kept: string): boolean =>
  timingSafeEqual(digest(secret), Buffer.from(kept, "hex"))

/** Whether a text equals a secret or a signature. Compares in constant time. */
export const matchesSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

/** The text of an API key: `<svc>_live_<32 characters>` (docs/reference/authentication.md#api-keys). */
export const apiKeyText = (serviceName: string, mode: Mode, random: string): string =>
  `${serviceName}_${mode}_${random}`

/** The text of an access token: `<svc>_at_<32 characters>` (docs/reference/authentication.md#access-tokens). */
export const accessTokenText = (serviceName: string, random: string): string => `${serviceName}_at_${random}`

/** Whether a bearer token has the form of an access token. No API key has it. */
export const isAccessToken = (text: string): boolean => /_at_[0-9A-Za-z]{32}$/.test(text)

/** The text of a `client_id`: `<svc>_client_<24 characters>`. */
export const clientIdText = (serviceName: string, random: string): string => `${serviceName}_client_${random}`

/** The text of an OAuth client's secret: `<svc>_secret_<32 characters>`. */
export const clientSecretText = (serviceName: string, random: string): string => `${serviceName}_secret_${random}`

/** Number of random characters of a key, token or secret. */
export const keyLength = 32

/** Number of random characters of a `client_id`. */
export const clientIdLength = 24

const digest = (text: string): Buffer => hash("sha256", text, "buffer")
