import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import ajvFormats from "ajv-formats"

/** The parts of an OpenAPI document that tests use. */
export interface OpenApi {
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly webhooks?: { readonly [type: string]: { readonly post: Operation } }
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly components: {
    readonly schemas: { readonly [name: string]: any }
    readonly responses: { readonly [name: string]: unknown }
    readonly securitySchemes: { readonly [name: string]: any }
  }
}

export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<any>
  readonly requestBody?: any
  readonly responses: { readonly [status: string]: any }
  readonly security: ReadonlyArray<{ readonly [scheme: string]: ReadonlyArray<string> }>
}

/** An operation with its path and method. */
export interface Place {
  readonly method: string
  /** Relative to the server's URL. */
  readonly path: string
  readonly operation: Operation
}

export const operationsOf = (document: OpenApi): ReadonlyArray<Place> =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation }))
  )

/** Resolves a reference; other values are returned. */
export const resolved = (document: OpenApi, value: any): any =>
  value.$ref === undefined
    ? value
    : value.$ref
        .split("/")
        .slice(1)
        .reduce((at: any, key: string) => at[key], document)

/** Differences between a response and the document; empty if none. */
export type Disagreements = (
  operation: Operation,
  answer: { readonly status: number; readonly headers: { readonly [name: string]: string }; readonly json: unknown }
) => ReadonlyArray<string>

export const disagreementsWith = (document: OpenApi): Disagreements => {
  const ajv = new Ajv2020({ allErrors: true, strict: false })
  ajvFormats.default(ajv)
  ajv.addSchema({ $id: "document", components: strictComponents(document) })
  const validators = new Map<unknown, ValidateFunction>()
  return (operation, { status, headers, json }) => {
    const documented = operation.responses[status]
    if (documented === undefined) return [`answers ${status}, which is not documented`]
    const response = resolved(document, documented)
    const names = Object.entries(response.headers).map(([name, header]) => [name, resolved(document, header)] as const)
    const missing = names.filter(([name, { required }]) => required && !(name.toLowerCase() in headers))
    const known = [...ordinary, ...names.map(([name]) => name.toLowerCase())]
    const more = Object.keys(headers).filter((name) => !known.includes(name))
    const media = response.content["application/json"]
    const validate = validators.get(media) ?? ajv.compile(referringTo("document", strict(media.schema)))
    validators.set(media, validate)
    const fits = validate(json)
    return [
      ...missing.map(([name]) => `lacks ${name}`),
      ...more.map((name) => `has ${name}, which is not documented`),
      ...(fits ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`))
    ]
  }
}

/** Headers that HTTP adds to any response. */
const ordinary = [
  "cache-control",
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding"
]

/** Unknown fields count as differences, although clients must ignore them. */
const strict = (schema: any): any => {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== "object" || schema === null) return schema
  const { allOf, ...rest } = schema
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, strict(value)]))
  const closed = "properties" in schema || allOf !== undefined ? { unevaluatedProperties: false } : {}
  return { ...inner, ...(allOf === undefined ? {} : { allOf }), ...closed }
}

/** Parts of an `allOf` are closed at the `allOf`. */
const strictComponents = (document: OpenApi) => ({
  schemas: referringTo(
    "document",
    Object.fromEntries(
      Object.entries(document.components.schemas).map(([name, schema]) => [
        name,
        name === "ErrorBody" ? schema : strict(schema)
      ])
    )
  )
})

const referringTo = (id: string, schema: any): any =>
  JSON.parse(JSON.stringify(schema).replaceAll(`"$ref":"#/`, `"$ref":"${id}#/`))
