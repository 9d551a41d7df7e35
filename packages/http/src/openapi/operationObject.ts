import { OpenApi } from "@effect/platform"
import { Examples } from "@parley/core"
import { Context, Option, Record, type SchemaAST } from "effect"
import { idempotencyKeyHeader, ShowsSecret } from "../contract/IdempotencyKey.js"
import { OwnErrors } from "../contract/OwnErrors.js"
import { TakesFile } from "../contract/TakesFile.js"
import { headersSchemaOf, idempotencyKeyOf } from "../server/Endpoint.js"
import type { ErrorResponses } from "./errorResponses.js"
import { exampleOf } from "./exampleOf.js"
import { isJson, type Json } from "./Json.js"
import type { JsonSchemas } from "./jsonSchemas.js"
import { type Described, raisedCodes, scopesOf } from "./raisedCodes.js"
import { headersOf, headersOfError } from "./responseHeaders.js"

/** Properties that all operations of a document have. */
export interface Shared {
  readonly schemas: JsonSchemas
  readonly errors: ErrorResponses
  /** The security schemes of an operation. */
  readonly securityOf: (described: Described) => ReadonlyArray<Json>
}

/** The content of a request or a response, by content type. */
type Bodies = ReadonlyMap<string, { readonly ast: SchemaAST.AST }>

/** The answers of an operation that was carried out, by status. */
type Successes = ReadonlyMap<number, { readonly ast: Option.Option<SchemaAST.AST> }>

/** An operation of the document; its examples come once all components are known. */
export const operationObject = (
  described: Described,
  payloads: Bodies,
  successes: Successes,
  { schemas, errors, securityOf }: Shared
): Json => {
  const { endpoint, group, annotations } = described
  const own = Option.getOrUndefined(Context.getOption(annotations, OwnErrors))
  const parameters = [
    ...parametersOf(endpoint.pathSchema, "path", schemas),
    ...parametersOf(endpoint.urlParamsSchema, "query", schemas),
    ...parametersOf(headersSchemaOf(endpoint, annotations), "header", schemas)
  ]
  return {
    operationId: operationIdOf(described),
    tags: [titleOf(group)],
    ...annotated(endpoint.annotations, OpenApi.Summary, "summary"),
    ...asDescription(descriptionOf(described)),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(payloads.size === 0 ? {} : { requestBody: { required: true, content: contentOf(payloads, schemas) } }),
    ...(Option.isSome(Context.getOption(annotations, TakesFile)) ? { requestBody: fileBody } : {}),
    responses: {
      ...Object.fromEntries(
        [...successes].map(([status, { ast }]) => [
          status,
          {
            description: "Done.",
            headers:
              idempotencyKeyOf(endpoint, annotations) === "none" ? headersOf() : headersOf("Idempotency-Replayed"),
            ...Option.match(ast, {
              onNone: () => ({}),
              onSome: (ast) => ({ content: { "application/json": { schema: schemas.of(ast) } } })
            })
          }
        ])
      ),
      ...(own === undefined ? errors.of(raisedCodes(described), operationIdOf(described)) : ownErrors(own, schemas))
    },
    security: own === undefined ? securityOf(described) : []
  }
}

/** The body of an operation that takes one file: its bytes, or a form with one file. */
const fileBody: Json = {
  required: true,
  content: {
    "application/octet-stream": { schema: { type: "string", format: "binary" } },
    "multipart/form-data": {
      schema: { type: "object", required: ["file"], properties: { file: { type: "string", format: "binary" } } }
    }
  }
}

const ownErrors = ({ schema, byStatus }: Context.Tag.Service<OwnErrors>, schemas: JsonSchemas): Json =>
  Object.fromEntries(
    Object.entries(byStatus).map(([status, examples]) => [
      status,
      {
        description: Object.keys(examples).join(", "),
        headers: headersOfError(Number(status)),
        content: {
          "application/json": {
            schema: schemas.of(schema.ast),
            examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]))
          }
        }
      }
    ])
  )

export const titleOf = (group: Described["group"]): string =>
  Context.getOrElse(group.annotations, OpenApi.Title, () => group.identifier)

/** As a name in most languages: `contactsCreate`. */
const operationIdOf = ({ group, endpoint }: Described): string =>
  Context.getOrElse(
    endpoint.annotations,
    OpenApi.Identifier,
    () => `${group.identifier}${endpoint.name[0]?.toUpperCase()}${endpoint.name.slice(1)}`
  )

const descriptionOf = ({ endpoint, annotations }: Described): string => {
  const scopes = scopesOf(annotations).map((scope) => `\`${scope}\``)
  const parts = [Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Description), () => "")]
  if (scopes.length === 1) parts.push(`Needs the scope ${scopes[0]}.`)
  if (scopes.length > 1) parts.push(`Needs one of the scopes ${scopes.join(", ")}.`)
  if (idempotencyKeyOf(endpoint, annotations) === "required") {
    parts.push("Send it as often as you like under one `Idempotency-Key`: within 24 hours it is done once.")
  }
  if (Option.isSome(Context.getOption(annotations, ShowsSecret))) {
    parts.push("With an `Idempotency-Key`, this response is repeated for 10 minutes; then the key is free.")
  }
  const description = parts.filter((part) => part !== "").join("\n\n")
  // Client generators and linters expect a description.
  return description === "" ? Context.getOrElse(endpoint.annotations, OpenApi.Summary, () => "") : description
}

const asDescription = (description: string): Json => (description === "" ? {} : { description })

/** An annotation under a name, where there is one. */
export const annotated = <I>(annotations: Context.Context<never>, tag: Context.Tag<I, string>, name: string): Json =>
  Option.match(Context.getOption(annotations, tag), { onNone: () => ({}), onSome: (text) => ({ [name]: text }) })

const parametersOf = (
  section: Described["endpoint"]["pathSchema"],
  where: "path" | "query" | "header",
  schemas: JsonSchemas
): ReadonlyArray<Json> => {
  if (Option.isNone(section)) return []
  const struct = schemas.of(section.value.ast)
  const required = Array.isArray(struct.required) ? struct.required : []
  return Object.entries(isJson(struct.properties) ? struct.properties : {}).map(([name, schema]) => {
    const { description, ...rest } = isJson(schema) ? schema : {}
    return {
      name: name === idempotencyKeyHeader ? "Idempotency-Key" : name,
      in: where,
      required: where === "path" || required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(where === "path" ? { example: exampleOf(rest, {}) } : {}),
      schema: rest
    }
  })
}

const contentOf = (bodies: Bodies, schemas: JsonSchemas): Json =>
  Object.fromEntries(
    [...bodies].map(([contentType, { ast }]) => [contentType, { schema: schemas.of(ast), ...namedExamples(ast) }])
  )

/** The examples of a body by name, where it has several. */
const namedExamples = ({ annotations }: SchemaAST.AST): Json => {
  const examples = annotations[Examples] as Json | undefined
  if (examples === undefined || Object.keys(examples).length === 1) return {}
  return { examples: Record.map(examples, (value) => ({ value })) }
}

/** The operation with an example of each body that has none. */
export const withExamples = (operation: Json, components: { readonly [name: string]: Json }): Json => {
  const illustrated = (holder: unknown): unknown => {
    if (!isJson(holder) || !isJson(holder.content)) return holder
    const content = Record.map(holder.content, (media) =>
      !isJson(media) || !isJson(media.schema) || "examples" in media || "example" in media
        ? media
        : { ...media, example: exampleOf(media.schema, components) }
    )
    return { ...holder, content }
  }
  const { requestBody, responses, ...rest } = operation
  return {
    ...rest,
    ...(requestBody === undefined ? {} : { requestBody: illustrated(requestBody) }),
    responses: isJson(responses) ? Record.map(responses, illustrated) : {}
  }
}
