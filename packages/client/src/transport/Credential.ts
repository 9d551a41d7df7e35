import { headerText } from "./Settings.js"

/** Source of the `Authorization` header. */
export interface Credential {
  /** Current bearer token. */
  readonly token: (signal: AbortSignal | undefined) => Promise<string>
  /** Called when a token was refused with 401. Returns whether a new token may help. */
  readonly refused: (token: string) => boolean
}

/** An API key: constant, not renewable. */
export const apiKeyCredential = (apiKey: string): Credential => {
  headerText("apiKey", apiKey)
  return { token: async () => apiKey, refused: () => false }
}
