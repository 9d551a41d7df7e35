import type { Answer } from "./Answer.js"
import { everyAnswer } from "./everyAnswer.js"

/** A request as the suite asks it. */
export interface Question {
  readonly method: string
  /** From the host's root, with its query. */
  readonly path: string
  readonly token?: string | null
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, in place of {@link body}. */
  readonly raw?: string | Uint8Array
  readonly headers?: { readonly [name: string]: string }
}

/** Asks one of the deployment's hosts. */
export type Wire = (question: Question) => Promise<Answer>

/** Asks these hosts in turn, and checks of every answer what the specification says of every answer. */
export const wireTo = (baseUrls: ReadonlyArray<string>): Wire => {
  let asked = 0
  return async ({ method, path, token, body, raw, headers }) => {
    const base = baseUrls[asked++ % baseUrls.length] as string
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
