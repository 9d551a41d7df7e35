import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import { SecretBox, SecretUnreadable } from "@parley/core"
import { Effect, Layer } from "effect"
import type { SecretKey } from "./SecretKey.js"

const algorithm = "aes-256-gcm"
const nonceSize = 12
const tagSize = 16

/**
 * Seals with AES-256-GCM. The text is `v1.<key id>.<nonce, ciphertext and tag in base64url>`; what stands before the last
 * dot is authenticated too. The key id is the beginning of the key's hash, so that a later version can hold several keys.
 * `open` fails with `SecretUnreadable`: no sealed secret, another key, or altered.
 */
export const make = (key: SecretKey): SecretBox => {
  const header = `v1.${keyId(key)}`
  return {
    seal: (secret) => {
      const nonce = randomBytes(nonceSize)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(header))
      const sealed = [nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]
      return `${header}.${Buffer.concat(sealed).toString("base64url")}`
    },
    open: (sealed) => {
      const [version, id, text, ...rest] = sealed.split(".")
      if (version !== "v1" || id === undefined || text === undefined || rest.length > 0) {
        return new SecretUnreadable({ reason: "is not a sealed secret" })
      }
      if (`v1.${id}` !== header) return new SecretUnreadable({ reason: "was sealed with another key" })
      return Effect.try({
        try: () => decrypt(key, header, Buffer.from(text, "base64url")),
        catch: () => new SecretUnreadable({ reason: "was altered" })
      })
    }
  }
}

/** {@link make} as a layer. */
export const layer = (key: SecretKey): Layer.Layer<SecretBox> => Layer.succeed(SecretBox, make(key))

const keyId = (key: SecretKey): string => createHash("sha256").update(key).digest("hex").slice(0, 8)

const decrypt = (key: SecretKey, header: string, bytes: Buffer): string => {
  const nonce = bytes.subarray(0, nonceSize)
  const tag = bytes.subarray(-tagSize)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagSize })
  decipher.setAAD(Buffer.from(header)).setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(nonceSize, -tagSize)), decipher.final()]).toString("utf8")
}
