import { hash } from "node:crypto"

/**
 * Fingerprint of a request: SHA-256 of method, path and the body as canonical JSON, in lower-case hex. It does not
 * depend on the order of keys or on white space (docs/reference/idempotency.md#fingerprint). Recursive: the nesting of
 * the body must fit the stack.
 */
export const fingerprint = (method: string, path: string, body: unknown): string =>
  hash("sha256", `${method} ${path}\n${canonical(body)}`)

// Texts are appended, not joined: that takes half the time where there are many small values.
const canonical = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  let inner = ""
  if (Array.isArray(value)) {
    for (const item of value) inner += `,${canonical(item)}`
    return `[${inner.slice(1)}]`
  }
  const object = value as { readonly [key: string]: unknown }
  for (const key of Object.keys(object).sort()) inner += `,${JSON.stringify(key)}:${canonical(object[key])}`
  return `{${inner.slice(1)}}`
}
