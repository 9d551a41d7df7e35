import type { ApiError } from "./ApiError.js"
import type { Target } from "./Target.js"

/** A refusal as text: the error, a line for each field's problems, and the next step if it is known. */
export const refusal = (
  { code, details, message, request_id }: ApiError,
  { path, target }: { readonly path: string; readonly target: Target }
): string => {
  const summary = (code === "not_found" && missing(path)) || message
  const fields = Object.entries(details).map(([field, message]) => `  ${field}: ${text(message)}`)
  return [`${summary} (${code}, request ${request_id})`, ...fields, ...advice(code, details, target)].join("\n")
}

const text = (message: unknown): string =>
  Array.isArray(message) ? message.join(", ") : typeof message === "string" ? message : (JSON.stringify(message) ?? "")

/**
 * The resource that a path names: "There is no api key K of application A." for `/applications/A/api-keys/K/rotate`.
 * Null if it names none.
 */
const missing = (path: string): string | null => {
  const [segments = ""] = path.split("?")
  const [, ...parts] = segments.split("/").map(decodeURIComponent)
  const named: Array<string> = []
  for (let at = 0; at + 1 < parts.length; at += 2) named.unshift(`${singular(parts[at] ?? "")} ${parts[at + 1]}`)
  return named.length === 0 ? null : `There is no ${named.join(" of ")}.`
}

const singular = (collection: string): string => collection.replaceAll("-", " ").replace(/ies$/, "y").replace(/s$/, "")

const advice = (code: string, details: ApiError["details"], { tokenFrom, url }: Target): ReadonlyArray<string> => {
  if (code === "unauthenticated") {
    return [
      `The Parley at ${url} does not accept this admin token, which is from ${tokenFrom}.`,
      "Set PARLEY_ADMIN_TOKEN or --token to the right one, or give another --server."
    ]
  }
  if (code === "not_found") return ["The list commands show complete ids: see `parley help`."]
  if (code === "rate_limited") return ["Wait and try again."]
  if (code === "validation_failed" && "url" in details) {
    return [
      "The server sends webhooks only to https addresses on the public internet; its settings PARLEY_WEBHOOK_ALLOW and",
      "PARLEY_WEBHOOK_ALLOW_HTTP allow others."
    ]
  }
  if (code === "validation_failed" && text(details.connection_ids).includes("marked as test")) {
    return [
      "A test application uses test connections, a live one the others, and its mode cannot be changed. Create another:",
      "  parley app create <name> --mode <live or test> --connections <ids>"
    ]
  }
  if (code === "validation_failed" && Object.keys(details).some((field) => /^(config|credentials)\b/.test(field))) {
    return ["`parley providers <kind>` lists a provider's settings."]
  }
  return []
}
