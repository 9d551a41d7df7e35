import { createHmac } from "node:crypto"
import { matchesSecret, type ProviderRequest } from "@parley/core"
import { withConnectionOverrides } from "../connectionOverrides.js"
import { callbackUrl } from "./callbackUrl.js"

/**
 * Whether the signature is valid: `X-Twilio-Signature` is the base64 of HMAC-SHA1(auth token, URL and the form's
 * fields by name, each name followed by its values). Covers the URL that Twilio called
 * (docs/reference/sms.md#signature).
 */
export const isSigned = (authToken: string, { body, headers, query, webhookUrl }: ProviderRequest): boolean => {
  if (webhookUrl === undefined) return false
  const form = new URLSearchParams(new TextDecoder().decode(body))
  const names = [...new Set(form.keys())].sort()
  const fields = names.flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value))
  const url = callbackUrl(webhookUrl, query.message)
  // Twilio does not document whether the fragment of the registered URL is signed.
  return [url, withConnectionOverrides(url)].some((signed) =>
    matchesSecret(
      headers["x-twilio-signature"] ?? "",
      createHmac("sha1", authToken)
        .update(signed + fields.join(""))
        .digest("base64")
    )
  )
}
