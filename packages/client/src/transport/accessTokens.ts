import type { OAuthAccess } from "../ClientOptions.js"
import type { Credential } from "./Credential.js"
import { exchange } from "./exchange.js"
import { headerText, type Settings } from "./Settings.js"
import { untilAborted } from "./Timing.js"

/** How long before expiry a token is renewed, in ms: time for calls in progress. */
const margin = 60_000

/**
 * Access tokens by client credentials: requested on first use, renewed shortly before they expire and after a refusal.
 */
export const accessTokens = (settings: Settings, access: OAuthAccess): Credential => {
  headerText("clientId", access.clientId)
  headerText("clientSecret", access.clientSecret)
  let current: { readonly token: string; readonly renewAt: number } | undefined
  let renewal: Promise<string> | undefined

  const renew = async (): Promise<string> => {
    const requestedAt = settings.timing.now()
    const { access_token, expires_in } = await requestToken(settings, access)
    const lifetime = expires_in * 1_000
    current = { token: access_token, renewAt: requestedAt + lifetime - Math.min(margin, lifetime / 10) }
    return access_token
  }

  const known = (): string | null =>
    current !== undefined && settings.timing.now() < current.renewAt ? current.token : null

  return {
    known,
    token: async (signal) => {
      const token = known()
      if (token !== null) return token
      // Concurrent calls share one renewal. Aborting one of them must not abort the renewal.
      renewal ??= renew().finally(() => {
        renewal = undefined
      })
      return untilAborted(renewal, signal)
    },
    refused: (token) => {
      // Another call may have renewed the token already.
      if (current?.token === token) current = undefined
      return true
    }
  }
}

const requestToken = async (settings: Settings, { clientId, clientSecret, scope }: OAuthAccess) => {
  const { body } = await exchange(settings, {
    method: "POST",
    url: `${settings.baseUrl}/oauth/token`,
    body: JSON.stringify({
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope })
    }),
    timeoutMs: settings.timeoutMs,
    idempotencyKey: null,
    signal: undefined,
    credential: null,
    fits: ({ access_token, expires_in }) => typeof access_token === "string" && typeof expires_in === "number"
  })
  return body as { readonly access_token: string; readonly expires_in: number }
}
