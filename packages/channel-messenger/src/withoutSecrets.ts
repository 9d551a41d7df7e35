import type { MessengerCredentials } from "./MessengerCredentials.js"

/** Meta repeats a token that it cannot read: its words go nowhere before the credentials are out of them. */
export const withoutSecrets = (words: string, credentials: MessengerCredentials): string =>
  Object.values(credentials).reduce((rest, secret) => rest.replaceAll(secret, "…"), words)
