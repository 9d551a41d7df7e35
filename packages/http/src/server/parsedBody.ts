import type { IncomingMessage } from "node:http"

/**
 * Bytes of a body that a body parser has consumed: `rawBody` if present, else `body` serialised again. Null if neither
 * is present.
 */
export const parsedBody = (request: IncomingMessage): Uint8Array | null => {
  if ("rawBody" in request && request.rawBody instanceof Uint8Array) return request.rawBody
  const body = "body" in request ? request.body : undefined
  if (body instanceof Uint8Array) return body
  if (typeof body === "string") return Buffer.from(body)
  if (body === undefined) return null
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")
  return Buffer.from(isForm ? formOf(body) : JSON.stringify(body))
}

const formOf = (fields: unknown): string => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item))
  }
  return form.toString()
}
