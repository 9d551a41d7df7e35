import { type HttpApiEndpoint, HttpApiSchema } from "@effect/platform"
import { type PartialDecode, type Problems, partialDecode, type Scope } from "@parley/core"
import { SchemaAST as AST, Context, Either, Option, ParseResult, Schema } from "effect"
import {
  AcceptsIdempotencyKeys,
  idempotencyKeyHeader,
  OptionalIdempotencyKey,
  ShowsSecret
} from "../contract/IdempotencyKey.js"
import { RequiredScopes } from "../contract/RequiredScopes.js"
import { TakesFile } from "../contract/TakesFile.js"
import type { JsonObject } from "./jsonBody.js"
import { parameterNames, queryReader, unknownParameters } from "./queryReader.js"

/** An endpoint of a contract, compiled for serving. */
export interface Endpoint {
  /** First path segment and group name, for example `api/messages`; labels metrics. */
  readonly group: string
  readonly method: string
  /** Path segments; parameters as `:name`. */
  readonly segments: ReadonlyArray<string>
  readonly purpose: "read" | "write"
  readonly scopes: ReadonlyArray<Scope>
  readonly idempotencyKey: "required" | "accepted" | "none"
  /** Path parameters in the contract's types; none if one is malformed. */
  readonly readPath: (values: { readonly [name: string]: string }) => Option.Option<unknown>
  /** Parses a query string without `?`. */
  readonly readQuery: (search: string) => PartialDecode<unknown>
  /** A problem for each unknown parameter. */
  readonly unknownParameters: (search: string) => Problems
  readonly takesBody: boolean
  readonly readBody: (body: JsonObject) => PartialDecode<unknown>
  readonly status: number
  /** Encodes the success from the contract's type to its wire form. */
  readonly encode: (value: unknown) => unknown
  /** Whether its response contains a secret that is shown once. */
  readonly showsSecret: boolean
  /** Whether its body is a file. Its handler reads it, and applies the key, since the bytes are part of the request. */
  readonly takesFile: boolean
}

const empty: PartialDecode<unknown> = { value: {}, problems: {} }
const emptyPath = Option.some({})

/** Compiles an endpoint. Throws on one that cannot be served. */
export const compileEndpoint = (
  endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
  group: string,
  annotations: Context.Context<never>
): Endpoint => {
  const query = Option.map(endpoint.urlParamsSchema, (schema) => structOf(endpoint, schema))
  const segments = endpoint.path.split("/").slice(1)
  return {
    group: `${segments[0]}/${group}`,
    method: endpoint.method,
    segments,
    purpose: endpoint.method === "GET" ? "read" : "write",
    scopes: scopesOf(endpoint, annotations),
    idempotencyKey: idempotencyKeyOf(endpoint, annotations),
    readPath: Option.match(endpoint.pathSchema, {
      onNone: () => () => emptyPath,
      onSome: (schema) => {
        const decode = ParseResult.decodeUnknownEither(schema as Schema.Schema<unknown>)
        return (values) => Either.getRight(decode(values))
      }
    }),
    readQuery: Option.match(query, { onNone: () => () => empty, onSome: queryReader }),
    unknownParameters: unknownParameters(Option.match(query, { onNone: () => [], onSome: parameterNames })),
    takesBody: Option.isSome(endpoint.payloadSchema),
    readBody: Option.match(endpoint.payloadSchema, {
      onNone: () => () => empty,
      onSome: (schema) => partialDecode(structOf(endpoint, schema))
    }),
    status: HttpApiSchema.getStatusSuccess(endpoint.successSchema),
    encode: Schema.encodeUnknownSync(endpoint.successSchema as Schema.Schema<unknown>),
    showsSecret: Option.isSome(Context.getOption(annotations, ShowsSecret)),
    takesFile: Option.isSome(Context.getOption(annotations, TakesFile))
  }
}

const scopesOf = (
  endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
  annotations: Context.Context<never>
): ReadonlyArray<Scope> => {
  const scopes = annotations.unsafeMap.get(RequiredScopes.key) as ReadonlyArray<Scope> | undefined
  if (scopes === undefined) throw new Error(`${endpoint.method} ${endpoint.path} declares no scopes.`)
  return scopes
}

/** The headers of an endpoint: its own, else those that its contract gives to each POST. */
export const headersSchemaOf = (
  endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
  annotations: Context.Context<never>
): Option.Option<Schema.Schema.Any> =>
  Option.orElse(endpoint.headersSchema, () =>
    endpoint.method === "POST" && Option.isSome(Context.getOption(annotations, AcceptsIdempotencyKeys))
      ? Option.some(OptionalIdempotencyKey)
      : Option.none()
  )

/** Whether an endpoint requires an `Idempotency-Key`, accepts one, or ignores it. */
export const idempotencyKeyOf = (
  endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
  annotations: Context.Context<never>
): Endpoint["idempotencyKey"] => {
  const headers = headersSchemaOf(endpoint, annotations)
  if (Option.isNone(headers)) return "none"
  const ast = AST.encodedAST(headers.value.ast)
  const header = AST.getPropertySignatures(ast).find((signature) => signature.name === idempotencyKeyHeader)
  if (header === undefined) return "none"
  return header.isOptional ? "accepted" : "required"
}

const structOf = (endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps, schema: Schema.Schema.Any) => {
  // A schema with several encodings repeats the same struct in each.
  const given = "members" in schema ? (schema.members as ReadonlyArray<Schema.Schema.Any>)[0] : schema
  if (given === undefined || !("fields" in given)) {
    throw new Error(`${endpoint.method} ${endpoint.path} declares a schema that is not a struct.`)
  }
  return given as Schema.Struct<Schema.Struct.Fields>
}
