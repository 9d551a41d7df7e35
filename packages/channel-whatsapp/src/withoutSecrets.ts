import type { WhatsAppCredentials } from "./WhatsAppCredentials.js"

/** Meta repeats a token that it cannot read: its words go nowhere before the credentials are out of them. */
export const withoutSecrets = (words: string, credentials: WhatsAppCredentials): string =>
  Object.values(credentials).reduce((rest, secret) => rest.replaceAll(secret, "…"), words)
