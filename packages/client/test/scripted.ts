import { makeClient } from "../src/createClient.js"
import type { Client, ClientOptions, OAuthAccess } from "../src/index.js"
import { virtualTiming } from "./virtualTiming.js"

/** A request that the scripted server received, with its time. */
export interface Seen {
  readonly at: number
  readonly method: string
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  readonly body: any
}

export interface Reply {
  readonly status?: number
  readonly headers?: { readonly [name: string]: string }
  /** Text is sent as is; other values as JSON. */
  readonly body?: unknown
}

/** Reaction to a request: a response, a network failure, or no response until the request is aborted. */
export type Step = Reply | Error | "silence" | ((seen: Seen) => Reply | Promise<Reply>)

/** The envelope of an error. */
export const refusal = (status: number, code: string, headers: { readonly [name: string]: string } = {}): Reply => ({
  status,
  headers,
  body: { error: { code, message: `It is ${code}.`, details: { why: ["so"] }, request_id: "request-1" } }
})

export const ok: Reply = { status: 200, body: { data: { id: "1" } } }

/** A client of a scripted server, in virtual time. The last step repeats. */
export const scripted = (
  steps: ReadonlyArray<Step>,
  options: ClientOptions & {
    readonly oauth?: Partial<OAuthAccess>
    readonly random?: number
    readonly baseUrl?: string
  } = {}
) => {
  const { oauth, random, baseUrl = "https://parley.test", ...more } = options
  const { timing, clock, waiting } = virtualTiming(random)
  const seen: Array<Seen> = []
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const request = {
      at: clock.now,
      method: String(init.method),
      url: String(url),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === "string" ? JSON.parse(init.body) : (init.body ?? undefined)
    }
    const step = steps[Math.min(seen.length, steps.length - 1)]
    seen.push(request)
    if (step instanceof Error) throw step
    if (step === "silence" || step === undefined) return silence(init.signal)
    const { status = 200, headers = {}, body } = typeof step === "function" ? await step(request) : step
    const text = typeof body === "string" ? body : JSON.stringify(body)
    return { status, headers: new Headers(headers), text: async () => text } as Response
  }
  const access = { baseUrl }
  const client: Client = makeClient(
    oauth === undefined ? { ...access, apiKey: "parley_test_key" } : { ...access, ...credentials, ...oauth },
    { fetch: fetch as typeof globalThis.fetch, ...more },
    timing
  )
  return { client, seen, clock, waiting }
}

const credentials = { clientId: "client", clientSecret: "secret" }

const silence = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }))

/** The error of a call that must fail. */
export const failure = async (call: Promise<unknown>): Promise<any> => {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error("The call did not fail.")
}
