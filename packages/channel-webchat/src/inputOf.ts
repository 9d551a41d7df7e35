import { invalid, type ProviderRequest, partialDecode, type Refusal, refuse } from "@parley/core"
import { Either, type Schema } from "effect"

/** Decodes the JSON of a request. Reports all problems at once. */
export const inputOf = <F extends Schema.Struct.Fields>(schema: Schema.Struct<F>) => {
  const read = partialDecode(schema)
  return (request: ProviderRequest): Either.Either<Schema.Struct.Type<F>, Refusal> =>
    Either.flatMap(objectOf(request.body), (object) => {
      const { value, problems } = read(object)
      return Object.keys(problems).length === 0
        ? Either.right(value as Schema.Struct.Type<F>)
        : Either.left(invalid(problems))
    })
}

const objectOf = (body: Uint8Array): Either.Either<{ readonly [key: string]: unknown }, Refusal> => {
  const unreadable = () => refuse("bad_request", {}, "The body must be a JSON object.")
  return Either.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)),
    catch: unreadable
  }).pipe(Either.filterOrLeft(isObject, unreadable))
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
