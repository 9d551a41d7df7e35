import { hash, timingSafeEqual } from "node:crypto"
import type { Mode } from "./Application.js"

/** Lower-case hex SHA-256: how credentials are kept. They are long and random, so that a plain hash is enough. */
export const hashOf = (secret: string): string => hash("sha256", secret)

/** Whether this is the secret that the hash was made of; how long the answer takes tells nothing about it. */
export const matchesHash = (secret: string, kept: string): boolean =>
  timingSafeEqual(digest(secret), Buffer.from(kept, "hex"))

/** Whether a text is the secret, or the signature, that it has to be; how long the answer takes tells nothing about either. */
export const matchesSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret))

/** The text of an API key: `<svc>_live_<32 characters>` (spec, Authentication 1). */
export const apiKeyText = (serviceName: string, mode: Mode, random: string): string =>
  `${serviceName}_${mode}_${random}`

/** The text of an access token: `<svc>_at_<32 characters>` (spec, Authentication 2). */
export const accessTokenText = (serviceName: string, random: string): string => `${serviceName}_at_${random}`

/** Whether a bearer token has the form of an access token, which no API key has. */
export const isAccessToken = (text: string): boolean => /_at_[0-9A-Za-z]{32}$/.test(text)

/** What an OAuth client calls itself: `<svc>_client_<24 characters>`. */
export const clientIdText = (serviceName: string, random: string): string => `${serviceName}_client_${random}`

/** The text of an OAuth client's secret: `<svc>_secret_<32 characters>`. */
export const clientSecretText = (serviceName: string, random: string): string => `${serviceName}_secret_${random}`

/** How many random characters a key, a token or a secret has. */
export const keyLength = 32

/** How many random characters a client's name for itself has. */
export const clientIdLength = 24

const digest = (text: string): Buffer => hash("sha256", text, "buffer")
