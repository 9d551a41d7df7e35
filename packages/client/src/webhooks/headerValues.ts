/** Request headers: `Headers`, or an object with names in any case. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | { readonly [name: string]: string | ReadonlyArray<string> | undefined }

/** All values of a header. Repeated headers may be a list or joined by commas. */
export const headerValues = (headers: WebhookHeaders, name: string): ReadonlyArray<string> => {
  const found = isHeaders(headers)
    ? [headers.get(name) ?? ""]
    : Object.entries(headers).flatMap(([given, value]) => (given.toLowerCase() === name ? (value ?? []) : []))
  return found.flatMap((values) => values.split(",").map((value) => value.trim())).filter((value) => value !== "")
}

const isHeaders = (headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } =>
  typeof headers.get === "function"
