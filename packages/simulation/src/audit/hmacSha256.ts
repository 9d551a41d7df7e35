import { createHmac } from "node:crypto"

/** HMAC-SHA256 with a key, of texts in UTF-8. Lower-case hex. */
export const hmacSha256 =
  (key: string): ((text: string) => string) =>
  (text) =>
    createHmac("sha256", key).update(text, "utf8").digest("hex")
