import {
  isPushed,
  type ProviderAnswer,
  type ProviderContext,
  type ProviderRequest,
  type PushedBody
} from "@parley/core"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { type WebchatOptions, webchat } from "../src/index.js"

/** Options of a connection and a request. */
export interface Given {
  readonly options?: WebchatOptions
  readonly config?: { readonly [key: string]: unknown }
  readonly credentials?: { readonly [key: string]: unknown }
}

export const visitorSecret = "v".repeat(32)
export const identitySecret = "i".repeat(32)
export const connectionId = "01900000-0000-7000-8000-0000000000c1"

/** A web chat with the requests of a page. */
export const webchatAt = (context: ProviderContext, given: Given = {}) => {
  const provider = webchat(given.options)
  const connection = aConnection({
    id: connectionId,
    channel: "webchat",
    provider: "webchat",
    name: "Shop",
    handle: "shop.example",
    config: given.config ?? {}
  })
  const credentials = given.credentials ?? { visitor_secret: visitorSecret, identity_secret: identitySecret }

  const request = (
    method: string,
    path: string,
    more: Partial<ProviderRequest> = {}
  ): Effect.Effect<ProviderAnswer> => {
    const whole = { method, path, query: {}, headers: {}, body: new Uint8Array(), ...more }
    return Effect.orDie(
      provider.serve?.(connection, credentials, whole, context) ?? Effect.dieMessage("it does not serve")
    )
  }
  const post = (path: string, body: unknown, token?: string, more: Partial<ProviderRequest> = {}) =>
    request("POST", path, {
      ...more,
      headers: { ...more.headers, ...authorization(token) },
      body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))
    })
  const get = (path: string, token?: string, more: Partial<ProviderRequest> = {}) =>
    request("GET", path, { ...more, headers: { ...more.headers, ...authorization(token) } })
  const upload = (
    token: string,
    id: string,
    body: Uint8Array,
    { name = "fox.png", type = "image/png" }: { readonly name?: string; readonly type?: string } = {}
  ) =>
    request("POST", "/files", { query: { id, name }, headers: { ...authorization(token), "content-type": type }, body })
  const open = (body: object = {}, token?: string) =>
    Effect.map(post("/session", body, token), (answer): { readonly token: string; readonly handle: string } => {
      const { data } = bodyOf(answer)
      return data
    })
  return { provider, connection, request, post, get, open, upload }
}

/** An image of one red pixel. */
export const png: Uint8Array = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
    "base64"
  )
)

const authorization = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` })

/** The JSON of a response. */
export const bodyOf = (answer: ProviderAnswer): any => JSON.parse(String(answer.body))

/** The pushed body of a response. */
export const pushedOf = ({ body }: ProviderAnswer): PushedBody => {
  if (!isPushed(body)) throw new Error(`no pushed body: ${body}`)
  return body
}

/** A client of a pushed body that takes everything, until `room` bytes are written. */
export const readPushed = (body: PushedBody, room = Number.POSITIVE_INFINITY) => {
  const texts: Array<string> = []
  const state = { isOver: false, isDestroyed: false, room }
  const finish = () => {
    if (state.isOver) return
    state.isOver = true
    // As a transport: after the call that opens the body.
    queueMicrotask(() => writer.closed())
  }
  const writer = body.open({
    write: (text) => {
      if (state.isOver) throw new Error("written after the end")
      texts.push(text)
      state.room -= text.length
      return state.room > 0
    },
    end: finish,
    destroy: () => {
      state.isDestroyed = true
      finish()
    }
  })
  return {
    texts,
    state,
    writer,
    /** The client disconnects. */
    leave: Effect.sync(finish),
    /** The client takes what was written, and has this room again. */
    take: (room: number) =>
      Effect.sync(() => {
        state.room = room
        writer.drained()
      }),
    places: () => [...texts.join("").matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
  }
}
