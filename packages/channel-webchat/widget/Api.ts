import { solve } from "./proofOfWork.js"
import { stored } from "./storage.js"

/** The identity that the page gives for the visitor. */
export interface Who {
  readonly customer: string | undefined
  readonly signature: string | undefined
  readonly name: string | undefined
}

/** In ms: no request is retried after a longer time. */
const maxRetryAfter = 300_000

/** The server refused the request. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    /** In ms; zero: not specified. */
    readonly retryAfter: number,
    /** What a new visitor must answer first. */
    readonly challenge?: Challenge
  ) {
    super(`answered ${status}`)
  }

  /** Whether a retry cannot succeed. */
  get isFinal(): boolean {
    const isClientError = this.status >= 400 && this.status < 500
    return this.retryAfter > maxRetryAfter || (isClientError && this.status !== 429 && this.status !== 401)
  }
}

/** What the server asks of a new visitor. */
interface Challenge {
  readonly type: string
  readonly challenge?: string
  readonly bits?: number
}

/** The page may define how visitors answer challenges of other types, such as captchas. */
type AnswersOfPage = { readonly parleyChallenge?: (challenge: Challenge) => Promise<object> | object }

const answerTo = async (given: Challenge): Promise<object | undefined> => {
  const { bits, challenge, type } = given
  if (type !== "proof_of_work" || !challenge || !bits) return (window as AnswersOfPage).parleyChallenge?.(given)
  return { challenge, solution: await solve(challenge, bits) }
}

/** The chat's HTTP API. */
export interface Api {
  /** Whether this visitor or customer may have used the chat before. */
  readonly isKnown: () => boolean
  /**
   * Sends a request in the visitor's session, which is opened first if necessary. Rejects with {@link Refused} unless
   * the status is 2xx.
   */
  readonly call: (path: string, init?: RequestInit) => Promise<Response>
}

interface Kept {
  readonly token: string
  readonly customer: string | null
  /** When half of its lifetime is over, in ms since the epoch. */
  readonly renewAt: number
}

/** The session is stored in the browser under this key. */
export const makeApi = (base: string, key: string, who: Who): Api => {
  const customer = who.customer || null
  const session = stored<Kept>(() => localStorage, key)
  const kept = (): Kept | null => {
    const value = session.get()
    return value !== null && value.customer === customer ? value : null
  }
  if (session.get() !== null && kept() === null) session.set(null)

  const request = async (path: string, token: string | undefined, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (token) headers.set("authorization", `Bearer ${token}`)
    if (typeof init.body === "string") headers.set("content-type", "application/json")
    const response = await fetch(base + path, { ...init, headers, credentials: "omit", cache: "no-store" })
    if (response.ok) return response
    const refusal = await response.json().catch(() => null)
    const retryAfter = Number(response.headers.get("retry-after")) * 1_000 || 0
    throw new Refused(response.status, retryAfter, refusal?.error?.details?.challenge)
  }

  let opening: Promise<string> | undefined
  /** A challenge can expire while it is answered. */
  const admitted = async (answer?: object, tries = 3): Promise<Response> => {
    try {
      return await request("/session", kept()?.token, { method: "POST", body: JSON.stringify({ ...who, answer }) })
    } catch (error) {
      if (!(error instanceof Refused) || !error.challenge || tries === 0) throw error
      const given = await answerTo(error.challenge)
      if (!given) throw error
      return admitted(given, tries - 1)
    }
  }
  const open = async (): Promise<string> => {
    const shown = kept()?.token
    const response = await admitted()
    const { data } = await response.json()
    // Another page may have opened a session meanwhile: the pages of a browser are one visitor.
    const other = kept()?.token
    if (other && other !== shown) return other
    const now = Date.now()
    session.set({ token: data.token, customer, renewAt: now + (Date.parse(data.expires_at) - now) / 2 })
    return data.token
  }
  /** One request at a time, so that a page creates only one visitor. */
  const opened = (): Promise<string> => {
    opening ??= open().finally(() => {
      opening = undefined
    })
    return opening
  }

  return {
    isKnown: () => customer !== null || kept() !== null,
    call: async (path, init) => {
      const known = kept()
      const token = known !== null && known.renewAt > Date.now() ? known.token : await opened()
      try {
        return await request(path, token, init)
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 401) throw error
        return request(path, await opened(), init)
      }
    }
  }
}
