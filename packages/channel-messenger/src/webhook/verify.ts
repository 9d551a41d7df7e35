import { createHmac } from "node:crypto"
import { matchesSecret, type ProviderRequest } from "@parley/core"
import type { MessengerCredentials } from "../MessengerCredentials.js"

/** Whether Meta signed these bytes: `X-Hub-Signature-256: sha256=<hex of HMAC-SHA256(app secret, raw body)>` (channels.md). */
export const isSigned = ({ app_secret }: MessengerCredentials, { body, headers }: ProviderRequest): boolean =>
  matchesSecret(
    headers["x-hub-signature-256"] ?? "",
    `sha256=${createHmac("sha256", app_secret).update(body).digest("hex")}`
  )

/** The answer to Meta's check of the URL, a GET with `hub.mode`, `hub.verify_token` and `hub.challenge`; null: refused. */
export const challengeAnswer = ({ verify_token }: MessengerCredentials, { query }: ProviderRequest): string | null => {
  const challenge = query["hub.challenge"] ?? ""
  const isRight = query["hub.mode"] === "subscribe" && matchesSecret(query["hub.verify_token"] ?? "", verify_token)
  // Nothing comes back that a browser could take for a page.
  return isRight && /^[\w-]{1,256}$/.test(challenge) ? challenge : null
}
