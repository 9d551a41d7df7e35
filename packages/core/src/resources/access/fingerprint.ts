import { hash } from "node:crypto"
import { exactNumbersOf } from "../../kernel/input/exactNumbers.js"

/**
 * Fingerprint of a request: SHA-256 of method, path and the body as canonical JSON, in lower-case hex. It does not
 * depend on the order of keys or on white space; numbers that doubles do not hold count as written
 * (docs/reference/idempotency.md#fingerprint). Recursive: the nesting of the body must fit the stack.
 */
export const fingerprint = (method: string, path: string, body: unknown): string =>
  hash("sha256", `${method} ${path}\n${canonical(body)}`)

// Texts are appended, not joined: that takes half the time where there are many small values.
const canonical = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const exact = exactNumbersOf(value)
  let inner = ""
  if (Array.isArray(value)) {
    let index = 0
    for (const item of value) inner += `,${exact.get(String(index++)) ?? canonical(item)}`
    return `[${inner.slice(1)}]`
  }
  const object = value as { readonly [key: string]: unknown }
  for (const key of Object.keys(object).sort()) {
    inner += `,${JSON.stringify(key)}:${exact.get(key) ?? canonical(object[key])}`
  }
  return `{${inner.slice(1)}}`
}
