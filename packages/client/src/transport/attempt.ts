import { isParleyError, ParleyError } from "../ParleyError.js"
import type { Settings } from "./Settings.js"
import { withKey } from "./withKey.js"

/** A response with its body read. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A file as the body of a request. */
export interface FileBody {
  readonly bytes: Uint8Array
  readonly contentType: string
}

export interface RawRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE"
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** A text is JSON. */
  readonly body: string | FileBody | null
  readonly timeoutMs: number
  readonly idempotencyKey: string | null
  readonly signal: AbortSignal | undefined
}

/**
 * Sends one request. Fails with the signal's reason, with `network_error` or `timeout`, or with the `ParleyError` of a
 * `fetch` within this process that takes no more calls.
 */
export const attempt = (
  settings: Settings,
  { method, url, body, timeoutMs, idempotencyKey, signal }: Omit<RawRequest, "headers">,
  headers: RawRequest["headers"]
): Promise<RawAnswer> =>
  // One promise: the race of an answer with an abort would take several more.
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    let controller: AbortController | undefined
    let isOver = false
    const fail = (cause: unknown) => {
      end()
      if (signal?.aborted) return reject(signal.reason)
      if (isParleyError(cause)) return reject(withKey(cause, idempotencyKey))
      const failure = isOver
        ? { code: "timeout" as const, message: `No answer within ${timeoutMs} ms.` }
        : { code: "network_error" as const, message: "The network failed before a response arrived." }
      reject(new ParleyError({ ...failure, idempotencyKey, cause }))
    }
    // A `fetch` within this process need not read the signal: its request then goes on without the caller.
    const stop = () => {
      isOver = true
      controller?.abort(signal?.reason)
      fail(signal?.reason)
    }
    let cancelTimeout = () => {}
    const end = () => {
      cancelTimeout()
      signal?.removeEventListener("abort", stop)
    }
    cancelTimeout = settings.timing.after(timeoutMs, stop)
    signal?.addEventListener("abort", stop, { once: true })
    const answered = async () => {
      const response = await settings.fetch(url, {
        method,
        headers,
        // The service never redirects. Following a redirect would send a credential or a message elsewhere.
        redirect: "manual",
        // Made when it is read: it costs more than the rest of an attempt, and a `fetch` within this process may not
        // need it.
        get signal() {
          if (controller === undefined) {
            controller = new AbortController()
            if (isOver) controller.abort(signal?.reason)
          }
          return controller.signal
        },
        ...(body === null ? {} : { body: typeof body === "string" ? body : (body.bytes as Uint8Array<ArrayBuffer>) })
      })
      const text = await response.text()
      end()
      resolve({ status: response.status, headers: response.headers, text })
    }
    answered().catch(fail)
  })
