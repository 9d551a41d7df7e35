import { headerText } from "./Settings.js"

/** Source of the `Authorization` header. */
export interface Credential {
  /** The bearer token, if it is known without a request; else null. */
  readonly known: () => string | null
  /** Current bearer token. */
  readonly token: (signal: AbortSignal | undefined) => Promise<string>
  /** Called when a token was refused with 401. Returns whether a new token may help. */
  readonly refused: (token: string) => boolean
}

/** An API key or an admin token: constant, not renewable. `option` is its name for errors. */
export const apiKeyCredential = (apiKey: string, option = "apiKey"): Credential => {
  headerText(option, apiKey)
  return { known: () => apiKey, token: async () => apiKey, refused: () => false }
}
