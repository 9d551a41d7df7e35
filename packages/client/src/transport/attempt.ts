import { ParleyError } from "../ParleyError.js"
import type { Settings } from "./Settings.js"

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

/** Sends one request. Fails with the signal's reason, or with `network_error` or `timeout`. */
export const attempt = async (
  settings: Settings,
  { method, url, body, timeoutMs, idempotencyKey, signal }: Omit<RawRequest, "headers">,
  headers: RawRequest["headers"]
): Promise<RawAnswer> => {
  signal?.throwIfAborted()
  let controller: AbortController | undefined
  let isOver = false
  let stop = () => {}
  // A `fetch` within this process need not read the signal: its request then goes on without the caller.
  const stopped = new Promise<never>((_, reject) => {
    stop = () => {
      isOver = true
      controller?.abort(signal?.reason)
      reject(signal?.reason)
    }
  })
  signal?.addEventListener("abort", stop, { once: true })
  const cancelTimeout = settings.timing.after(timeoutMs, stop)
  const answered = async (): Promise<RawAnswer> => {
    const response = await settings.fetch(url, {
      method,
      headers,
      // The service never redirects. Following a redirect would send a credential or a message elsewhere.
      redirect: "manual",
      // Made when it is read: it costs more than the rest of an attempt, and a `fetch` within this process may not need
      // it.
      get signal() {
        if (controller === undefined) {
          controller = new AbortController()
          if (isOver) controller.abort(signal?.reason)
        }
        return controller.signal
      },
      ...(body === null ? {} : { body: typeof body === "string" ? body : (body.bytes as Uint8Array<ArrayBuffer>) })
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  try {
    return await Promise.race([answered(), stopped])
  } catch (cause) {
    signal?.throwIfAborted()
    throw isOver
      ? new ParleyError({ code: "timeout", message: `No answer within ${timeoutMs} ms.`, idempotencyKey, cause })
      : new ParleyError({
          code: "network_error",
          message: "The network failed before a response arrived.",
          idempotencyKey,
          cause
        })
  } finally {
    cancelTimeout()
    signal?.removeEventListener("abort", stop)
  }
}
