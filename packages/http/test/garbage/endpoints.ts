import { HttpApi } from "@effect/platform"
import type { ErrorCode } from "@parley/core"
import { Context, Option } from "effect"
import { OwnErrors } from "../../src/contract/OwnErrors.js"
import { adminDescription } from "../../src/openapi/adminDescription.js"
import { exampleOf, nameOf } from "../../src/openapi/exampleOf.js"
import { isJson, type Json } from "../../src/openapi/Json.js"
import { jsonSchemas } from "../../src/openapi/jsonSchemas.js"
import type { Description } from "../../src/openapi/OpenApiDocument.js"
import { publicDescription } from "../../src/openapi/publicDescription.js"
import { type Described, raisedCodes } from "../../src/openapi/raisedCodes.js"
import { idempotencyKeyOf } from "../../src/server/Endpoint.js"

/** An endpoint from its contract, with everything needed to call it correctly or not. */
export interface Endpoint {
  /** For example `POST /api/v1/contacts`. */
  readonly name: string
  readonly api: "public" | "admin"
  readonly method: string
  /** Parameters as `:name`. */
  readonly path: string
  /** Names of its query parameters. */
  readonly query: ReadonlyArray<string>
  readonly body: { readonly fields: ReadonlyArray<Field>; readonly examples: ReadonlyArray<Json> } | null
  readonly idempotencyKey: "required" | "accepted" | "none"
  /** Error codes that it declares; null if its errors have their own format. */
  readonly raises: ReadonlyArray<ErrorCode> | null
}

/** A field of a body at any depth. Items of a list are under `0`. */
export interface Field {
  readonly path: ReadonlyArray<string>
  readonly schema: Json
}

const endpointsOf = (name: Endpoint["api"], { api }: Description): ReadonlyArray<Endpoint> => {
  const schemas = jsonSchemas()
  const found: Array<() => Endpoint> = []
  HttpApi.reflect(api as unknown as HttpApi.HttpApi.AnyWithProps, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations, payloads }) => {
      const described = { api, group, endpoint, annotations: mergedAnnotations } as unknown as Described
      const query = Option.match(described.endpoint.urlParamsSchema, {
        onNone: () => [],
        onSome: ({ ast }) => Object.keys(propertiesOf(schemas.of(ast)))
      })
      const [payload] = payloads.values()
      const schema = payload === undefined ? null : schemas.of(payload.ast)
      // Components are complete once all endpoints are visited.
      found.push(() => ({
        name: `${endpoint.method} ${endpoint.path}`,
        api: name,
        method: endpoint.method,
        path: endpoint.path,
        query,
        body:
          schema === null
            ? null
            : {
                fields: fieldsOf(schema, schemas.components()),
                examples: endpoint.method === "PATCH" ? [...examplesOf(schema), {}] : examplesOf(schema)
              },
        idempotencyKey: idempotencyKeyOf(described.endpoint, described.annotations),
        raises: Option.isSome(Context.getOption(mergedAnnotations, OwnErrors)) ? null : raisedCodes(described)
      }))
    }
  })

  const examplesOf = (schema: Json): ReadonlyArray<Json> => {
    const components = schemas.components()
    const { examples } = (typeof schema.$ref === "string" && components[nameOf(schema.$ref)]) || schema
    return (Array.isArray(examples) ? examples : [exampleOf(schema, components)]).filter(isJson)
  }
  return found.map((make) => make())
}

const fieldsOf = (
  schema: Json,
  components: { readonly [name: string]: Json },
  path: ReadonlyArray<string> = []
): ReadonlyArray<Field> => {
  if (typeof schema.$ref === "string") return fieldsOf(components[nameOf(schema.$ref)] ?? {}, components, path)
  const parts = isJson(schema.items) ? { 0: schema.items } : propertiesOf(schema)
  const inner = Object.entries(parts).flatMap(([name, part]) => fieldsOf(part, components, [...path, name]))
  return path.length === 0 ? inner : [{ path, schema }, ...inner]
}

const propertiesOf = (schema: Json): { readonly [name: string]: Json } =>
  isJson(schema.properties) ? (schema.properties as { readonly [name: string]: Json }) : {}

/** All endpoints of both contracts. */
export const endpoints: ReadonlyArray<Endpoint> = [
  ...endpointsOf("admin", adminDescription),
  ...endpointsOf("public", publicDescription)
]
