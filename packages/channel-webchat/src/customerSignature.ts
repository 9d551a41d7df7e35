import { createHmac } from "node:crypto"
import { matchesSecret } from "@parley/core"

/**
 * What the site's server signs a customer's id with: lower-case hex of HMAC-SHA256, keyed by the connection's
 * `identity_secret`, over the id, both as UTF-8.
 */
export const customerSignature = (identitySecret: string, customer: string): string =>
  createHmac("sha256", identitySecret).update(customer).digest("hex")

/** Whether the site's server signed this. */
export const isSignedCustomer = (identitySecret: string, customer: string, signature: string): boolean =>
  matchesSecret(signature, customerSignature(identitySecret, customer))
