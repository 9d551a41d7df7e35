import { createHash, createHmac } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** Credentials that sign requests. */
export interface Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

/** Verifies a request's signature (AWS Signature Version 4). Returns S3's error code, or null if valid. */
export const signatureProblem = (
  { headers, method }: IncomingMessage,
  url: URL,
  body: Buffer,
  { accessKeyId, region, secretAccessKey }: Keys
): string | null => {
  const authorization = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? ""
  )
  if (authorization === null) return "AccessDenied"
  const [, credential = "", signedHeaders = "", signature] = authorization
  const time = String(headers["x-amz-date"])
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  if (credential !== `${accessKeyId}/${scope}`) return "InvalidAccessKeyId"
  const hash = String(headers["x-amz-content-sha256"])
  // The payload hash must be signed and match the body.
  if (hash !== sha256(body)) return "XAmzContentSHA256Mismatch"
  const names = signedHeaders.split(";")
  if (!["host", "x-amz-date", "x-amz-content-sha256"].every((name) => names.includes(name))) return "AccessDenied"
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&")
  const lines = names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, " ")}\n`)
  const canonical = [method, url.pathname, query, lines.join(""), signedHeaders, hash].join("\n")
  const text = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")
  const key = [region, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${secretAccessKey}`, time.slice(0, 8)))
  return hmac(key, text).toString("hex") === signature ? null : "SignatureDoesNotMatch"
}

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex")

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest()

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
