import { catalogue, type ProviderAnswer, type Refusal } from "@parley/core"

/** A JSON answer that must not be cached. */
export const json = (status: number, body: object): ProviderAnswer => ({
  status,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body: JSON.stringify(body)
})

/** An answer without a body. */
export const empty = (status: number, headers: ProviderAnswer["headers"] = {}): ProviderAnswer => ({
  status,
  headers,
  body: ""
})

/** The answer to a refused request: `{ error: { code, message, details } }`. The request id is in `X-Request-ID`. */
export const refusalAnswer = ({ code, message, details }: Refusal): ProviderAnswer =>
  json(catalogue[code].status, { error: { code, message, details } })

/** The answer with additional headers. */
export const withHeaders = (answer: ProviderAnswer, headers: ProviderAnswer["headers"]): ProviderAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers }
})
