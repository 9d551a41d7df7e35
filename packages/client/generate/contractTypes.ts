import { openApiDocument, publicDescription } from "@parley/http"
import openapiTypescript, {
  astToString,
  type OpenAPI3,
  type OperationObject,
  type RequestBodyObject
} from "openapi-typescript"
import ts from "typescript"

/** Path of the generated types, relative to the repository root. */
export const contractTypesFile = "packages/client/src/generated/openapi.ts"

/** First line of generated files. */
export const generatedNotice =
  "// Made by `npm run generate` from the OpenAPI document of @parley/http; change that instead.\n\n"

/** Generates the interface's TypeScript types from the OpenAPI document of `@parley/http`. */
export const contractTypes = async (): Promise<string> => {
  const document = openApiDocument(publicDescription, "https://example.org") as unknown as OpenAPI3
  return `${generatedNotice}${await typesOf(ofTypes(document))}`
}

/** TypeScript types of a document. */
export const typesOf = async (document: OpenAPI3): Promise<string> => {
  const types = await openapiTypescript(JSON.stringify(document), {
    immutable: true,
    alphabetize: true,
    emptyObjectsUnknown: true,
    inject: 'import type { ChannelName } from "../ChannelName.js"\n',
    transform: ({ format }) => (format === "channel" ? ts.factory.createTypeReferenceNode("ChannelName") : undefined)
  })
  return astToString(types)
}

/** The parts of the document that the client's types need: queries, bodies of requests and webhooks, and resources. */
const ofTypes = ({ openapi, info, paths, webhooks, components }: OpenAPI3): OpenAPI3 => ({
  openapi,
  info,
  paths: eachOperation(paths),
  webhooks: eachOperation(webhooks),
  components: { schemas: components?.schemas ?? {} }
})

const eachOperation = (items: object = {}) =>
  Object.fromEntries(
    Object.entries(items).map(([path, item]: [string, { readonly [method: string]: OperationObject }]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, ofOperation(operation)]))
    ])
  )

/** Drops responses, which are resources in envelopes that the client declares itself, and examples. */
const ofOperation = ({ summary, parameters = [], requestBody }: OperationObject): OperationObject => ({
  ...(summary === undefined ? {} : { summary }),
  parameters: parameters.filter((parameter) => "in" in parameter && parameter.in !== "header"),
  ...(requestBody === undefined || !("content" in requestBody) ? {} : { requestBody: withoutExample(requestBody) }),
  responses: {}
})

const withoutExample = ({ required = false, content }: RequestBodyObject): RequestBodyObject => ({
  required,
  content: Object.fromEntries(
    Object.entries(content).map(([type, body]) => [type, "schema" in body ? { schema: body.schema ?? {} } : {}])
  )
})
