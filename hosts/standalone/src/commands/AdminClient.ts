import { randomUUID } from "node:crypto"
import { Effect, Either, Redacted, Schema } from "effect"
import { actor } from "./actor.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { refusal } from "./refusal.js"
import type { Target } from "./Target.js"

/** A resource in the wire shape of the admin API. */
export type Resource = { readonly [field: string]: unknown }

/** A file to upload. */
export interface FileUpload {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** A page of a list, newest first. */
export interface Page {
  readonly rows: ReadonlyArray<Resource>
  /** Whether the list has more rows than requested; always false if `next` is present. */
  readonly hasMore: boolean
  /** Reads the next page, if more rows were requested than are on this page. */
  readonly next: Effect.Effect<Page, CommandFailed> | null
}

/** Calls the admin API. */
export interface AdminClient {
  /** The `data` of the answer. */
  readonly call: (
    method: "POST" | "PATCH" | "DELETE" | "GET",
    path: string,
    body?: Resource
  ) => Effect.Effect<Resource, CommandFailed>
  /** The `data` of the answer to a POST whose body is a file. */
  readonly upload: (
    path: string,
    query: { readonly [name: string]: string },
    file: FileUpload
  ) => Effect.Effect<Resource, CommandFailed>
  /**
   * The first rows of a list, newest first, read page by page. `limit`: the total number of rows; the server's default
   * page if it is absent.
   */
  readonly list: (
    path: string,
    query: { readonly [name: string]: string | number | null }
  ) => Effect.Effect<Page, CommandFailed>
}

/** The API's maximum number of rows on a page. */
const pageSize = 100

/** The request timeout, in ms. */
const timeoutMs = 60_000

/** The maximum number of waits of one request for the rate limit. */
const maxRetries = 10

export const adminClient = (target: Target): AdminClient => {
  const fetched = <A>(answer: Schema.Schema<A>, method: string, path: string, body?: string | FileUpload) => {
    // All tries of a POST have one key, so that it takes effect once.
    const key = method === "POST" ? { "idempotency-key": randomUUID() } : null
    return Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${target.url}/admin/v1${path}`, {
          method,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          headers: {
            accept: "application/json",
            // As in the client: a compressed answer can end the process (packages/client/src/transport/exchange.ts).
            "accept-encoding": "identity",
            authorization: `Bearer ${Redacted.value(target.token)}`,
            "x-actor": actor(),
            ...key,
            ...(body === undefined ? {} : { "content-type": contentTypeOf(body) })
          },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : body.bytes })
        })
        const retryAfter = Number(response.headers.get("retry-after") ?? 1)
        return { status: response.status, retryAfter, text: await response.text() }
      },
      catch: (error) => error
    }).pipe(
      Effect.retry({ times: 1, while: (error) => key !== null && isLost(error) }),
      Effect.mapError((error) => unreachable(target, error)),
      // A rate-limited request was not carried out. Long lists can exceed the requests allowed per minute.
      Effect.tap(({ retryAfter, status }) => (status === 429 ? Effect.sleep(`${retryAfter} seconds`) : Effect.void)),
      Effect.repeat({ while: ({ status }) => status === 429, times: maxRetries }),
      Effect.flatMap(({ status, text }): Either.Either<A, CommandFailed> => {
        const refused = Schema.decodeUnknownEither(Schema.parseJson(ErrorEnvelope))(text)
        if (Either.isRight(refused)) {
          const { error } = refused.right
          return Either.left(new CommandFailed({ message: refusal(error, { target, path }), refused: error }))
        }
        return Either.mapLeft(
          Schema.decodeUnknownEither(Schema.parseJson(answer))(text),
          () =>
            new CommandFailed({
              message: `${target.url} answered ${status}, but not with a response of Parley: check --server`,
              code: exitCodes.unreachable
            })
        )
      })
    )
  }

  const page = (path: string, parameters: URLSearchParams, wanted: number | null): Effect.Effect<Page, CommandFailed> =>
    Effect.suspend(() => {
      if (wanted !== null) parameters.set("limit", String(Math.min(wanted, pageSize)))
      return Effect.map(fetched(Rows, "GET", `${path}?${parameters}`), ({ data, links, meta }) => {
        const left = wanted === null ? 0 : wanted - data.length
        const cursor = links.next === null ? null : new URL(links.next, target.url).searchParams.get("cursor")
        if (!meta.has_more || cursor === null || left <= 0) return { rows: data, hasMore: meta.has_more, next: null }
        const further = new URLSearchParams(parameters)
        further.set("cursor", cursor)
        return { rows: data, hasMore: false, next: page(path, further, left) }
      })
    })

  return {
    call: (method, path, body) =>
      Effect.map(fetched(One, method, path, body && JSON.stringify(body)), ({ data }) => data),
    upload: (path, query, file) =>
      Effect.map(fetched(One, "POST", `${path}?${new URLSearchParams(query)}`, file), ({ data }) => data),
    list: (path, { limit = null, ...query }) => {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) if (value !== null) parameters.set(name, String(value))
      return page(path, parameters, limit === null ? null : Number(limit))
    }
  }
}

const contentTypeOf = (body: string | FileUpload): string =>
  typeof body === "string" ? "application/json" : body.contentType

const Data = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const One = Schema.Struct({ data: Data })
const Rows = Schema.Struct({
  data: Schema.Array(Data),
  meta: Schema.Struct({ has_more: Schema.Boolean }),
  links: Schema.Struct({ next: Schema.NullOr(Schema.String) })
})
const ErrorEnvelope = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Data, request_id: Schema.String })
})

/** Connection failed, or the server is not Parley. */
export const unreachable = ({ url, urlFrom }: Target, error: unknown) =>
  new CommandFailed({
    message: [
      `No Parley answers at ${url}${reason(error)}. That address is from ${urlFrom}.`,
      "To start it, run `npm start` or `parley serve`.",
      "To use another address, give --server, or PARLEY_URL in the environment."
    ].join("\n"),
    code: exitCodes.unreachable
  })

/** Whether the connection ended before the answer, so that the request may have been carried out. */
const isLost = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  return (
    cause instanceof Error && "code" in cause && ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(`${cause.code}`)
  )
}

const reason = (error: unknown): string => {
  if (error instanceof Error && error.name === "TimeoutError") return ` within ${timeoutMs / 1_000} s`
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && "code" in cause ? ` (${cause.code})` : ""
}
