import type { RateLimit, Received } from "../Answer.js"
import type { CreateOptions, RequestOptions } from "../ClientOptions.js"
import type { FileBody, RawRequest } from "./attempt.js"
import type { Credential } from "./Credential.js"
import { checkOptions } from "./checkOptions.js"
import { exchange } from "./exchange.js"
import { checkedTimeout, headerText, type Settings } from "./Settings.js"

/** Query parameters by wire name. Null and undefined are omitted. */
export type Query = { readonly [name: string]: string | number | boolean | null | undefined }

/** Sends requests for the resources. `path` is relative to the base URL. */
export interface Call {
  readonly get: <A extends Received>(path: string, query: object, options: RequestOptions) => Promise<A>
  /** Every POST carries an `Idempotency-Key`; those that create nothing ignore it. */
  readonly post: <A extends Received>(path: string, body: object, options: CreateOptions) => Promise<A>
  /** A POST with an `Idempotency-Key` whose body is a file. */
  readonly upload: <A extends Received>(
    path: string,
    query: object,
    file: FileBody,
    options: CreateOptions
  ) => Promise<A>
  readonly patch: <A extends Received>(path: string, body: object, options: RequestOptions) => Promise<A>
  readonly delete: <A extends Received>(path: string, options: RequestOptions) => Promise<A>
}

export const makeCall = (settings: Settings, credential: Credential): Call => {
  const send = async <A extends Received>(
    request: Pick<RawRequest, "method" | "body"> & { readonly path: string },
    idempotencyKey: string | null,
    { signal, timeoutMs = settings.timeoutMs }: RequestOptions
  ): Promise<A> => {
    const { method, path, body } = request
    const { body: answered, headers } = await exchange(settings, {
      method,
      url: `${settings.baseUrl}${path}`,
      body,
      timeoutMs: checkedTimeout(timeoutMs),
      idempotencyKey,
      signal,
      credential,
      fits: hasData
    })
    return Object.assign(answered, received(headers)) as unknown as A
  }
  const create = <A extends Received>(path: string, body: string | FileBody, options: CreateOptions): Promise<A> => {
    checkOptions(ofCalls, options, createOptionNames)
    const { idempotencyKey = crypto.randomUUID(), ...others } = options
    return send({ method: "POST", path, body }, headerText("idempotencyKey", idempotencyKey, 255), others)
  }
  return {
    get: async (path, query, options) =>
      send({ method: "GET", path: `${path}${queryText(query as Query)}`, body: null }, null, checked(options)),
    post: async (path, body, options) => create(path, jsonOf(path, body), options),
    upload: async (path, query, file, options) => create(`${path}${queryText(query as Query)}`, file, options),
    patch: async (path, body, options) =>
      send({ method: "PATCH", path, body: jsonOf(path, body) }, null, checked(options)),
    delete: async (path, options) => send({ method: "DELETE", path, body: null }, null, checked(options))
  }
}

const requestOptionNames = Object.keys({
  signal: true,
  timeoutMs: true
} satisfies { readonly [Name in keyof Required<RequestOptions>]: true })

const createOptionNames = ["idempotencyKey", ...requestOptionNames]

const ofCalls = "the options of a call must be an object"

const checked = (options: RequestOptions): RequestOptions => {
  checkOptions(ofCalls, options, requestOptionNames)
  return options
}

/** The body as text. Untyped JavaScript may leave it out, and undefined has no JSON. */
const jsonOf = (path: string, body: object): string => {
  const text: string | undefined = JSON.stringify(body)
  if (text === undefined) throw new TypeError(`the body of ${path} must be an object`)
  return text
}

const hasData = ({ data }: { readonly [key: string]: unknown }): boolean => typeof data === "object" && data !== null

const queryText = (query: Query): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) parameters.set(name, String(value))
  }
  return parameters.size === 0 ? "" : `?${parameters}`
}

const received = (headers: Headers): Received => ({
  requestId: headers.get("x-request-id"),
  rateLimit: rateLimitOf(headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")),
  replayed: headers.get("idempotency-replayed") === "true"
})

const rateLimitOf = (limit: string | null, remaining: string | null): RateLimit | null =>
  limit === null || remaining === null ? null : { limit: Number(limit), remaining: Number(remaining) }
