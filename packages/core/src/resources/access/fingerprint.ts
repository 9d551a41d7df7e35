import { hash } from "node:crypto"

/**
 * Fingerprint of a request: SHA-256 of method, path and the body as canonical JSON, in lower-case hex. It does not
 * depend on the order of keys or on white space (docs/reference/idempotency.md#fingerprint). Recursive: the nesting of
 * the body must fit the stack.
 */
export const fingerprint = (method: string, path: string, body: unknown): string =>
  hash("sha256", `${method} ${path}\n${canonical(body)}`)

const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const object = value as { readonly [key: string]: unknown }
  const fields = Object.keys(object)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(object[key])}`)
  return `{${fields.join(",")}}`
}
