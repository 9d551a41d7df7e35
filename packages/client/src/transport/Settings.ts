import type { ClientOptions } from "../ClientOptions.js"
import { makeShutdown, type Shutdown } from "./Shutdown.js"
import { realTiming, type Timing } from "./Timing.js"

/** Validated options of a client. */
export interface Settings {
  /** Includes the version prefix, without trailing slash. */
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly timeoutMs: number
  readonly maxRetries: number
  /** Headers of every request. */
  readonly headers: { readonly [name: string]: string }
  readonly timing: Timing
  readonly shutdown: Shutdown
}

/** Path of an interface below the URL of the service. */
export type VersionPrefix = "/api/v1" | "/admin/v1"

/** Throws a `TypeError` that names the invalid option. */
export const settingsOf = (
  baseUrl: string,
  options: ClientOptions,
  timing: Timing = realTiming,
  prefix: VersionPrefix = "/api/v1"
): Settings => {
  const { timeoutMs = 30_000, maxRetries = 3, userAgent = "parley-client" } = options
  if (!(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new TypeError("maxRetries must be a whole number from 0")
  return {
    baseUrl: complete(baseUrl, prefix),
    // Some runtimes reject a `fetch` that is not called on the global object.
    fetch: options.fetch ?? ((...given) => globalThis.fetch(...given)),
    timeoutMs: checkedTimeout(timeoutMs),
    maxRetries,
    headers: {
      accept: "application/json",
      // The `fetch` of Node 22 and 24 ends the process if a proxy compresses a long answer and then closes the
      // connection: its parser is paused while it decompresses (nodejs/undici#5360).
      "accept-encoding": "identity",
      "user-agent": headerText("userAgent", userAgent)
    },
    timing,
    shutdown: makeShutdown(options.shutdownSignal)
  }
}

/** Timeout of an attempt, in ms; `Infinity` for none. */
export const checkedTimeout = (timeoutMs: number): number => {
  if (!(timeoutMs > 0)) throw new TypeError("timeoutMs must be more than 0")
  return timeoutMs
}

/**
 * Checks text for a header. An environment variable with a stray line end then fails here instead of as a network
 * error.
 */
export const headerText = (name: string, text: string, max = 4_096): string => {
  if (typeof text !== "string" || text.length > max || !/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)) {
    throw new TypeError(`${name} must be 1 to ${max} printable ASCII characters, without spaces around them`)
  }
  return text
}

const parsed = (text: string): URL | undefined => {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const complete = (baseUrl: string, prefix: VersionPrefix): string => {
  const url = parsed(baseUrl)
  if (url === undefined || !/^https?:$/.test(url.protocol) || `${url.username}${url.password}` !== "") {
    throw new TypeError("baseUrl must be an http or https URL without credentials")
  }
  const path = url.pathname.replace(/\/+$/, "")
  return `${url.origin}${path.endsWith(prefix) ? path : `${path}${prefix}`}`
}
