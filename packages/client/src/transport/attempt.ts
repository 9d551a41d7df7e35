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
export const attempt = async (settings: Settings, request: RawRequest): Promise<RawAnswer> => {
  const { method, url, headers, body, timeoutMs, idempotencyKey, signal } = request
  signal?.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort(signal?.reason)
  signal?.addEventListener("abort", stop, { once: true })
  const cancelTimeout = settings.timing.after(timeoutMs, () => controller.abort())
  try {
    const response = await settings.fetch(url, {
      method,
      headers,
      // The service never redirects. Following a redirect would send a credential or a message elsewhere.
      redirect: "manual",
      signal: controller.signal,
      ...(body === null ? {} : { body: typeof body === "string" ? body : (body.bytes as Uint8Array<ArrayBuffer>) })
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (cause) {
    signal?.throwIfAborted()
    throw controller.signal.aborted
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
