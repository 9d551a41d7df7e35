import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto"
import { matchesSecret, SecretBox, SecretUnreadable } from "@parley/core"
import { Effect, Layer } from "effect"
import type { SecretKey } from "./SecretKey.js"

const version = "v1"
const algorithm = "aes-256-gcm"
const nonceSize = 12
const tagSize = 16

/**
 * Encrypts with AES-256-GCM. Format: `v1.<key id>.<nonce, ciphertext and tag in base64url>`; the part before the last
 * dot is authenticated as additional data. The key id is the first 8 hex digits of the key's SHA-256. Keys in
 * `previous` only decrypt. `open` fails with `SecretUnreadable` if the text has another format, its key is not present,
 * or it was altered.
 *
 * Signatures are HMAC-SHA256 with a key derived by HKDF from the current key. Signatures of previous keys verify too.
 */
export const make = (key: SecretKey, previous: ReadonlyArray<SecretKey> = []): SecretBox => {
  const present = keyId(key)
  const keys = new Map([key, ...previous].map((one) => [keyId(one), one]))
  const signing = signingKey(key)
  const signings = [...keys.values()].map(signingKey)
  return {
    seal: (secret) => {
      const header = headerOf(present)
      const nonce = randomBytes(nonceSize)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(header))
      const sealed = [nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]
      return `${header}.${Buffer.concat(sealed).toString("base64url")}`
    },
    open: (sealed) => {
      const parts = partsOf(sealed)
      if (parts === null) return new SecretUnreadable({ reason: "is not a sealed secret" })
      const opening = keys.get(parts.keyId)
      if (opening === undefined) {
        return new SecretUnreadable({
          reason: `was sealed with another key, ${parts.keyId}: add that key to PARLEY_SECRET_KEY_PREVIOUS, or to previousSecretKeys of createParley`
        })
      }
      return Effect.try({
        try: () => decrypt(opening, headerOf(parts.keyId), Buffer.from(parts.text, "base64url")),
        catch: () => new SecretUnreadable({ reason: "was altered" })
      })
    },
    keyIds: [present, ...[...keys.keys()].filter((id) => id !== present)],
    keyIdOf: (sealed) => partsOf(sealed)?.keyId ?? null,
    sign: (text) => signature(signing, text),
    verifies: (text, given) => signings.some((one) => matchesSecret(given, signature(one, text))),
    signatures: (text) => signings.map((one) => signature(one, text))
  }
}

/** {@link make} as a layer. */
export const layer = (key: SecretKey, previous: ReadonlyArray<SecretKey> = []): Layer.Layer<SecretBox> =>
  Layer.succeed(SecretBox, make(key, previous))

const headerOf = (keyId: string) => `${version}.${keyId}`

const partsOf = (sealed: string): { readonly keyId: string; readonly text: string } | null => {
  const [first, keyId, text, ...rest] = sealed.split(".")
  return first !== version || keyId === undefined || text === undefined || rest.length > 0 ? null : { keyId, text }
}

const keyId = (key: SecretKey): string => createHash("sha256").update(key).digest("hex").slice(0, 8)

const decrypt = (key: SecretKey, header: string, bytes: Buffer): string => {
  const nonce = bytes.subarray(0, nonceSize)
  const tag = bytes.subarray(-tagSize)
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagSize })
  decipher.setAAD(Buffer.from(header)).setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(nonceSize, -tagSize)), decipher.final()]).toString("utf8")
}

const signingKey = (key: SecretKey): Buffer => Buffer.from(hkdfSync("sha256", key, "", "signatures", 32))

const signature = (key: Buffer, text: string): string => createHmac("sha256", key).update(text).digest("base64url")
