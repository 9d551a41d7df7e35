import { type HttpApiEndpoint, HttpApiSchema } from "@effect/platform"
import { type CommitError, type Draft, draft, type Refusal, type Scope } from "@parley/core"
import { SchemaAST as AST, type Context, type Effect, Either, Option, ParseResult, Schema } from "effect"
import { idempotencyKeyHeader } from "../contract/IdempotencyKey.js"
import { RequiredScopes } from "../contract/RequiredScopes.js"
import type { Call } from "./Call.js"
import type { JsonObject } from "./jsonBody.js"
import type { Manner } from "./Manner.js"
import { queryReader } from "./queryReader.js"

/** An endpoint of a contract with everything that serving it needs, worked out once. */
export interface Operation {
  /** The group of the contract, after the first segment of its paths: `api/messages`. */
  readonly group: string
  readonly method: string
  /** The segments of its path; parameters as `:name`. */
  readonly segments: ReadonlyArray<string>
  readonly purpose: "read" | "write"
  readonly scopes: ReadonlyArray<Scope>
  readonly idempotencyKey: "required" | "accepted" | "none"
  /** The path's values as the contract types them; none where one is malformed. */
  readonly readPath: (values: { readonly [name: string]: string }) => Option.Option<unknown>
  /** Reads a query string, without its `?`. */
  readonly readQuery: (search: string) => Draft<unknown>
  readonly takesBody: boolean
  readonly readBody: (body: JsonObject) => Draft<unknown>
  readonly status: number
  /** The success on the wire, from the value in the contract's type. */
  readonly encode: (value: unknown) => unknown
  readonly handle: (call: UntypedCall) => Effect.Effect<unknown, Refusal | CommitError>
  /** Null: as its surface. */
  readonly manner: Manner<unknown> | null
}

type UntypedCall = Call<unknown, unknown, unknown, unknown, unknown>

const empty: Draft<unknown> = { value: {}, problems: {} }
const emptyPath = Option.some({})

/** Works out an endpoint. Throws on a contract that cannot be served: it is read once, when a process starts. */
export const operation = (
  endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
  group: string,
  annotations: Context.Context<never>,
  handle: Operation["handle"],
  manner: Operation["manner"]
): Operation => {
  const segments = endpoint.path.split("/").slice(1)
  return {
    group: `${segments[0]}/${group}`,
    method: endpoint.method,
    segments,
    purpose: endpoint.method === "GET" ? "read" : "write",
    scopes: scopesOf(endpoint, annotations),
    idempotencyKey: idempotencyKeyOf(endpoint),
    readPath: Option.match(endpoint.pathSchema, {
      onNone: () => () => emptyPath,
      onSome: (schema) => {
        const decode = ParseResult.decodeUnknownEither(schema as Schema.Schema<unknown>)
        return (values) => Either.getRight(decode(values))
      }
    }),
    readQuery: Option.match(endpoint.urlParamsSchema, {
      onNone: () => () => empty,
      onSome: (schema) => queryReader(structOf(endpoint, schema))
    }),
    takesBody: Option.isSome(endpoint.payloadSchema),
    readBody: Option.match(endpoint.payloadSchema, {
      onNone: () => () => empty,
      onSome: (schema) => draft(structOf(endpoint, schema))
    }),
    status: HttpApiSchema.getStatusSuccess(endpoint.successSchema),
    encode: Schema.encodeUnknownSync(endpoint.successSchema as Schema.Schema<unknown>),
    handle,
    manner
  }
}

const scopesOf = (
  endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
  annotations: Context.Context<never>
): ReadonlyArray<Scope> => {
  const scopes = annotations.unsafeMap.get(RequiredScopes.key) as ReadonlyArray<Scope> | undefined
  if (scopes === undefined) throw new Error(`${endpoint.method} ${endpoint.path} says nothing about scopes.`)
  return scopes
}

/** Whether an endpoint demands an `Idempotency-Key`, takes one, or knows none. */
export const idempotencyKeyOf = (
  endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
): Operation["idempotencyKey"] => {
  if (Option.isNone(endpoint.headersSchema)) return "none"
  const ast = AST.encodedAST(endpoint.headersSchema.value.ast)
  const header = AST.getPropertySignatures(ast).find((signature) => signature.name === idempotencyKeyHeader)
  if (header === undefined) return "none"
  return header.isOptional ? "accepted" : "required"
}

const structOf = (endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps, schema: Schema.Schema.Any) => {
  // One struct in several encodings.
  const given = "members" in schema ? (schema.members as ReadonlyArray<Schema.Schema.Any>)[0] : schema
  if (given === undefined || !("fields" in given)) {
    throw new Error(`${endpoint.method} ${endpoint.path} takes something else than a struct.`)
  }
  return given as Schema.Struct<Schema.Struct.Fields>
}
