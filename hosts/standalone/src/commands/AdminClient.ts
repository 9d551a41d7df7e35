import { Effect, Either, Redacted, Schema } from "effect"
import { actor } from "./actor.js"
import { CommandFailed } from "./CommandFailed.js"
import { exitCodes } from "./exitCodes.js"
import { refusal } from "./refusal.js"
import type { Target } from "./Target.js"

/** A resource as the admin API shows it. */
export type Resource = { readonly [field: string]: unknown }

/** The newest rows of a list that were not read yet. */
export interface Page {
  readonly rows: ReadonlyArray<Resource>
  /** Whether the list has more than what was asked for; always false where `next` is there. */
  readonly hasMore: boolean
  /** Reads on, where more was asked for than these rows. */
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
  /**
   * The beginning of a list, newest first, read a page at a time. `limit`: how many rows in all, however many pages that is;
   * the server's own page where it is left out.
   */
  readonly list: (
    path: string,
    query: { readonly [name: string]: string | number | null }
  ) => Effect.Effect<Page, CommandFailed>
}

/** The most rows that one answer has. */
const pageSize = 100

/** How long an answer may take, in ms. */
const patienceMs = 60_000

/** How often one request waits until it is let in. */
const mostWaits = 10

export const adminClient = (target: Target): AdminClient => {
  const fetched = <A>(answer: Schema.Schema<A>, method: string, path: string, body?: Resource) =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${target.url}/admin/v1${path}`, {
          method,
          signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
          headers: {
            accept: "application/json",
            authorization: `Bearer ${Redacted.value(target.token)}`,
            "x-actor": actor(),
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        const retryAfter = Number(response.headers.get("retry-after") ?? 1)
        return { status: response.status, retryAfter, text: await response.text() }
      },
      catch: (error) => unreachable(target, error)
    }).pipe(
      // It was not carried out, and long lists ask more often than a minute allows.
      Effect.tap(({ retryAfter, status }) => (status === 429 ? Effect.sleep(`${retryAfter} seconds`) : Effect.void)),
      Effect.repeat({ while: ({ status }) => status === 429, times: mostWaits }),
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
              message: `${target.url} answered ${status}, and not as Parley does: is it the right --server?`,
              code: exitCodes.unreachable
            })
        )
      })
    )

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
    call: (method, path, body) => Effect.map(fetched(One, method, path, body), ({ data }) => data),
    list: (path, { limit = null, ...query }) => {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) if (value !== null) parameters.set(name, String(value))
      return page(path, parameters, limit === null ? null : Number(limit))
    }
  }
}

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

/** Nobody, or somebody else, is where Parley was looked for. */
export const unreachable = ({ url, urlFrom }: Target, error: unknown) =>
  new CommandFailed({
    message: [
      `No Parley answers at ${url}${reason(error)}. That address is from ${urlFrom}.`,
      "  Is it running? `npm start` or `parley serve` starts one.",
      "  Is it somewhere else? Say where with --server, or PARLEY_URL in the environment."
    ].join("\n"),
    code: exitCodes.unreachable
  })

const reason = (error: unknown): string => {
  if (error instanceof Error && error.name === "TimeoutError") return ` within ${patienceMs / 1_000} s`
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && "code" in cause ? ` (${cause.code})` : ""
}
