import { HttpApi } from "@effect/platform"
import { AdminApi, adminDescription, openApiDocument } from "@parley/http"
import type { OpenAPI3, OperationObject, ParameterObject, RequestBodyObject, SchemaObject } from "openapi-typescript"
import { generatedNotice, typesOf } from "./contractTypes.js"

/** Path of the generated admin types and routes, relative to the repository root. */
export const adminTypesFile = "packages/client/src/generated/admin.ts"

/** The content type by which the document describes a body that is a file. */
const fileType = "application/octet-stream"

/** An operation of the admin contract, as the client calls it. */
interface AdminOperation {
  readonly group: string
  readonly name: string
  readonly method: string
  /** With parameters as `{name}`. */
  readonly path: string
  readonly summary: string
  /** Name of the schema of its body; null without a body. */
  readonly body: string | null
  /** Whether its body is a file. */
  readonly takesFile: boolean
  /** Schema of its query; null without a query. */
  readonly query: SchemaObject | null
  /** Name of the schema of its resource. */
  readonly resource: string
  readonly isPage: boolean
}

/**
 * Generates the types of the admin resources, the interface of the admin client, and its routes, from the admin
 * contract and its OpenAPI document.
 */
export const adminTypes = async (): Promise<string> => {
  const document = openApiDocument(adminDescription, "https://example.org") as unknown as OpenAPI3
  const operations = operationsOf(document)
  const queries = Object.fromEntries(
    operations.flatMap((operation) => (operation.query === null ? [] : [[queryName(operation), operation.query]]))
  )
  const types = await typesOf({
    openapi: document.openapi,
    info: document.info,
    paths: {},
    components: { schemas: { ...document.components?.schemas, ...queries } }
  })
  const imports =
    'import type { Answer, CursorPage } from "../Answer.js"\nimport type { CreateOptions, RequestOptions } from "../ClientOptions.js"\n'
  const groups = [...new Set(operations.map(({ group }) => group))].map((group) => ({
    group,
    own: operations.filter((operation) => operation.group === group)
  }))
  return [
    generatedNotice,
    imports,
    types,
    '\ntype Schemas = components["schemas"]\n\n/** Inputs and resources of the admin API, by name. */\nexport type AdminSchemas = Schemas\n',
    "\n/** Calls of the admin API, by group. */\nexport interface AdminCalls {\n",
    ...groups.map(({ group, own }) => `  readonly ${group}: {\n${own.map(signature).join("")}  }\n`),
    "}\n\n/** Method, path and input of each call. */\nexport const adminRoutes = {\n",
    groups.map(({ group, own }) => `  ${group}: {\n${own.map(route).join(",\n")}\n  }`).join(",\n"),
    "\n} as const\n"
  ].join("")
}

const operationsOf = (document: OpenAPI3): ReadonlyArray<AdminOperation> => {
  const operations: Array<AdminOperation> = []
  HttpApi.reflect(AdminApi as unknown as HttpApi.HttpApi.AnyWithProps, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const path = endpoint.path.slice(adminDescription.prefix.length).replace(/:(\w+)\??/g, "{$1}")
      const item = document.paths?.[path] as { readonly [method: string]: OperationObject }
      const operation = item[endpoint.method.toLowerCase()] as OperationObject
      operations.push({
        group: group.identifier,
        name: endpoint.name,
        method: endpoint.method,
        path,
        summary: operation.summary ?? "",
        body: schemaName(jsonSchema(operation.requestBody)),
        takesFile: Object.hasOwn((operation.requestBody as RequestBodyObject | undefined)?.content ?? {}, fileType),
        query: queryOf(operation),
        ...resourceOf(operation)
      })
    }
  })
  return operations
}

const queryOf = ({ parameters = [] }: OperationObject): SchemaObject | null => {
  const given = (parameters as ReadonlyArray<ParameterObject>).filter((parameter) => parameter.in === "query")
  if (given.length === 0) return null
  const properties = given.map(({ description, name, schema }) => [name, { ...schema, description }] as const)
  return {
    type: "object",
    required: given.filter(({ required }) => required === true).map(({ name }) => name),
    properties: Object.fromEntries(properties) as Record<string, SchemaObject>
  }
}

/** A response is one resource or a page of them. */
const resourceOf = ({ operationId, responses }: OperationObject): Pick<AdminOperation, "resource" | "isPage"> => {
  const [, response] = Object.entries(responses ?? {}).find(([status]) => status.startsWith("2")) ?? []
  const { data } = (jsonSchema(response) as { readonly properties: { readonly data: Json } }).properties
  const isPage = data.type === "array"
  const resource = schemaName(isPage ? (data.items as Json) : data)
  if (resource === null) throw new Error(`${operationId}: its response is no named resource`)
  return { resource, isPage }
}

type Json = { readonly [key: string]: unknown }

/** The JSON schema of a request body or a response. */
const jsonSchema = (holder: unknown): Json | null =>
  (holder as { readonly content?: { readonly [type: string]: { readonly schema: Json } } } | undefined)?.content?.[
    "application/json"
  ]?.schema ?? null

const schemaName = (schema: Json | null): string | null =>
  typeof schema?.$ref === "string" ? (schema.$ref.split("/").at(-1) ?? null) : null

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const queryName = ({ group, name }: AdminOperation): string => `${capitalised(group)}${capitalised(name)}Query`

const signature = (operation: AdminOperation): string => {
  const { body, isPage, method, name, path, query, resource, summary, takesFile } = operation
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => `${camelCase(id as string)}: string`)
  const isOptional = query !== null && (query as { readonly required: ReadonlyArray<string> }).required.length === 0
  const input = [
    ...(takesFile ? ["file: Uint8Array | Blob"] : []),
    ...(body === null ? [] : [`body: Schemas["${body}"]`]),
    ...(query === null ? [] : [`query${isOptional ? "?" : ""}: Schemas["${queryName(operation)}"]`])
  ]
  const options = `options?: ${method === "POST" ? "CreateOptions" : "RequestOptions"}`
  const parameters = [...ids, ...input, options].join(", ")
  const type = `Schemas["${resource}"]`
  const calls = `    /** \`${method} ${path}\`: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}. */\n`
  if (!isPage) return `${calls}    readonly ${name}: (${parameters}) => Promise<Answer<${type}>>\n`
  return `${calls}    readonly ${name}: (${parameters}) => Promise<CursorPage<${type}>>
    /** Every row of {@link ${name}}; fetches pages on demand. */
    readonly ${name}All: (${parameters}) => AsyncGenerator<${type}, void, undefined>\n`
}

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const route = ({ body, isPage, method, name, path, query, takesFile }: AdminOperation): string => {
  const input = takesFile ? "file" : body === null ? (query === null ? "none" : "query") : "body"
  return `    ${name}: { method: "${method}", path: "${path}", input: "${input}", isPage: ${isPage} }`
}
