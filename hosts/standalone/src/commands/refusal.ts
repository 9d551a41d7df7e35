import type { ApiError } from "./ApiError.js"
import type { Target } from "./Target.js"

/** A refusal in words: what happened, each field's problems in a line of their own, and what to do next where it is known. */
export const refusal = (
  { code, details, message, request_id }: ApiError,
  { path, target }: { readonly path: string; readonly target: Target }
): string => {
  const told = (code === "not_found" && missing(path)) || message
  const fields = Object.entries(details).map(([field, words]) => `  ${field}: ${inWords(words)}`)
  return [`${told} (${code}, request ${request_id})`, ...fields, ...advice(code, details, target)].join("\n")
}

const inWords = (words: unknown): string =>
  Array.isArray(words) ? words.join(", ") : typeof words === "string" ? words : (JSON.stringify(words) ?? "")

/** What `/applications/A/api-keys/K/rotate` names: "There is no api key K of application A." Null where it names nothing. */
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
      `  The Parley at ${url} does not know this admin token, which is from ${tokenFrom}.`,
      "  Give the right one with PARLEY_ADMIN_TOKEN in the environment or --token, or another --server."
    ]
  }
  if (code === "not_found") return ["  The lists show whole ids: `parley help` has the commands."]
  if (code === "rate_limited") return ["  Wait a little, and try again."]
  if (code === "validation_failed" && "url" in details) {
    return [
      "  The server lets webhooks go to https addresses of the public internet; its settings PARLEY_WEBHOOK_ALLOW and",
      "  PARLEY_WEBHOOK_ALLOW_HTTP let more through."
    ]
  }
  if (code === "validation_failed" && inWords(details.connection_ids).includes("marked as test")) {
    return [
      "  A test application uses connections marked as test, a live one the others, and its mode does not change. Make another:",
      "  parley app create <name> --mode <live or test> --connections <ids>"
    ]
  }
  if (code === "validation_failed" && Object.keys(details).some((field) => /^(config|credentials)\b/.test(field))) {
    return ["  `parley providers <kind>` lists what a provider takes."]
  }
  return []
}
