import { createHmac, timingSafeEqual } from "node:crypto"
import type { ProviderRequest } from "@parley/core"

/** Whether Courier sent these bytes: `courier-signature` is the hex HMAC-SHA256 of the raw body. */
export const isSigned = (webhookSecret: string, { body, headers }: ProviderRequest): boolean => {
  const right = Buffer.from(createHmac("sha256", webhookSecret).update(body).digest("hex"))
  const given = Buffer.from(headers["courier-signature"] ?? "")
  return given.length === right.length && timingSafeEqual(given, right)
}
