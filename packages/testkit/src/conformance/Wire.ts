import type { Answer } from "./Answer.js"
import { everyAnswer } from "./everyAnswer.js"

/** A request of the suite. */
export interface Question {
  readonly method: string
  /** The path from the host's root, with the query. */
  readonly path: string
  readonly token?: string | null
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged, in place of {@link body}. */
  readonly raw?: string | Uint8Array
  readonly headers?: { readonly [name: string]: string }
}

/** Sends a request to one of the deployment's hosts. */
export type Wire = (question: Question) => Promise<Answer>

/** Sends requests to these hosts in turn, and checks the rules for every response. */
export const wireTo = (baseUrls: ReadonlyArray<string>): Wire => {
  let count = 0
  return async ({ method, path, token, body, raw, headers }) => {
    const base = baseUrls[count++ % baseUrls.length] as string
    const carries = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(base.replace(/\/+$/, "") + path, {
      method,
      redirect: "manual",
      headers: {
        accept: "application/json",
        ...(token == null ? {} : { authorization: `Bearer ${token}` }),
        ...(carries === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(carries === undefined ? {} : { body: carries as string })
    })
    const text = await response.text()
    const answer: Answer = {
      request: `${method} ${path}`,
      status: response.status,
      headers: response.headers,
      text,
      json: parsed(text)
    }
    everyAnswer(answer)
    return answer
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
