import { createHash } from "node:crypto"

/**
 * What an idempotency key stands for: SHA-256 of method, path and the body as canonical JSON, in lower-case hex. Key order
 * and white space do not matter (decisions.md §5). The body must not be nested deeper than the stack.
 */
export const fingerprint = (method: string, path: string, body: unknown): string =>
  createHash("sha256")
    .update(`${method} ${path}\n${canonical(body)}`)
    .digest("hex")

const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const fields = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`)
  return `{${fields.join(",")}}`
}
