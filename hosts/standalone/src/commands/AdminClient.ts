import { Effect, Either, Redacted, Schema } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import type { Target } from "./Target.js"

/** A resource as the admin API shows it. */
export type Resource = { readonly [field: string]: unknown }

/** Calls the admin API. */
export interface AdminClient {
  /** The `data` of the answer. */
  readonly call: (
    method: "POST" | "PATCH" | "DELETE" | "GET",
    path: string,
    body?: Resource
  ) => Effect.Effect<Resource, CommandFailed>
  /** The newest of a list, and whether there are more. */
  readonly list: (
    path: string,
    query: { readonly [name: string]: string | number | null }
  ) => Effect.Effect<{ readonly rows: ReadonlyArray<Resource>; readonly hasMore: boolean }, CommandFailed>
}

export const adminClient = (target: Target): AdminClient => {
  const fetched = <A>(answer: Schema.Schema<A>, method: string, path: string, body?: Resource) =>
    Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(`${target.url}/admin/v1${path}`, {
          method,
          signal,
          headers: {
            accept: "application/json",
            authorization: `Bearer ${Redacted.value(target.token)}`,
            ...(body === undefined ? {} : { "content-type": "application/json" })
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        return { status: response.status, text: await response.text() }
      },
      catch: (error) =>
        new CommandFailed({ message: `There is no Parley at ${target.url}${reason(error)}; start it with npm start` })
    }).pipe(
      Effect.flatMap(({ status, text }): Either.Either<A, CommandFailed> => {
        const refused = Schema.decodeUnknownEither(Schema.parseJson(ErrorEnvelope))(text)
        if (Either.isRight(refused))
          return Either.left(new CommandFailed({ message: sentences(refused.right, target.url) }))
        return Either.mapLeft(
          Schema.decodeUnknownEither(Schema.parseJson(answer))(text),
          () => new CommandFailed({ message: `${target.url} answered ${status}, and not as Parley does` })
        )
      })
    )
  return {
    call: (method, path, body) => Effect.map(fetched(One, method, path, body), ({ data }) => data),
    list: (path, query) => {
      const parameters = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) if (value !== null) parameters.set(name, String(value))
      return Effect.map(fetched(Page, "GET", `${path}?${parameters}`), ({ data, meta }) => ({
        rows: data,
        hasMore: meta.has_more
      }))
    }
  }
}

const Data = Schema.Record({ key: Schema.String, value: Schema.Unknown })
const One = Schema.Struct({ data: Data })
const Page = Schema.Struct({ data: Schema.Array(Data), meta: Schema.Struct({ has_more: Schema.Boolean }) })
const ErrorEnvelope = Schema.Struct({
  error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Data, request_id: Schema.String })
})

const reason = (error: unknown): string => {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && "code" in cause ? `${cause.code}` : ""
  return code === "" || code === "ECONNREFUSED" ? "" : ` (${code})`
}

/** What happened, then each field's problems. */
const sentences = ({ error }: typeof ErrorEnvelope.Type, url: string): string => {
  const details = Object.entries(error.details).map(
    ([field, words]) => `  ${field}: ${Array.isArray(words) ? words.join(", ") : JSON.stringify(words)}`
  )
  const hint =
    error.code === "unauthenticated"
      ? [
          `  The admin token is not the one of the Parley at ${url}: give --token or PARLEY_ADMIN_TOKEN, or another --url.`
        ]
      : []
  return [`${error.message} (${error.code}, request ${error.request_id})`, ...details, ...hint].join("\n")
}
