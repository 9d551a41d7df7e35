import type { Recorder } from "../run/Recorder.js"

/** A response as its caller received it. */
export interface Received {
  readonly status: number
  readonly body: unknown
}

/** Calls of applications and administrators to the hosts, written to the journal. */
export interface Callers {
  readonly tokens: Map<string, string>
  /** Sends a request to any host. Null: the connection broke or timed out, and the result is unknown. */
  readonly request: (
    caller: string,
    method: string,
    path: string,
    options?: { readonly idempotencyKey?: string; readonly body?: unknown }
  ) => Promise<Received | null>
}

const timeoutMs = 20_000

export const makeCallers = (adminToken: string, recorder: Recorder, originOf: () => string): Callers => {
  const tokens = new Map([["administrator", adminToken]])
  return {
    tokens,
    request: async (caller, method, path, { body, idempotencyKey } = {}) => {
      const request = recorder.number()
      recorder.record({
        kind: "request",
        request,
        caller,
        method,
        path,
        idempotencyKey: idempotencyKey ?? null,
        body: body ?? null
      })
      try {
        const response = await fetch(`${originOf()}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${tokens.get(caller)}`,
            ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          body: body === undefined ? null : JSON.stringify(body),
          signal: AbortSignal.timeout(timeoutMs)
        })
        const text = await response.text()
        const received = { status: response.status, body: text === "" ? null : (JSON.parse(text) as unknown) }
        recorder.record({ kind: "response", request, headers: Object.fromEntries(response.headers), ...received })
        return received
      } catch {
        return null
      }
    }
  }
}
