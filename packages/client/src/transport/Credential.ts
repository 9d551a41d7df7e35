import { headerText } from "./Settings.js"

/** What stands behind the `Authorization` header. */
export interface Credential {
  /** The bearer token to use now. */
  readonly token: (signal: AbortSignal | undefined) => Promise<string>
  /** Told that a token was refused with 401: whether a new one may help. */
  readonly refused: (token: string) => boolean
}

/** An API key is what it is. */
export const apiKeyCredential = (apiKey: string): Credential => {
  headerText("apiKey", apiKey)
  return { token: async () => apiKey, refused: () => false }
}
