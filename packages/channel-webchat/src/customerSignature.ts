import { createHmac } from "node:crypto"
import { matchesSecret } from "@parley/core"

/**
 * The signature of a customer's id by the site's server: lower-case hex of HMAC-SHA256, keyed with the connection's
 * `identity_secret`, over the id, both as UTF-8.
 */
export const customerSignature = (identitySecret: string, customer: string): string =>
  createHmac("sha256", identitySecret).update(customer).digest("hex")

/** Whether the signature of the customer's id is valid. */
export const isSignedCustomer = (identitySecret: string, customer: string, signature: string): boolean =>
  matchesSecret(signature, customerSignature(identitySecret, customer))
