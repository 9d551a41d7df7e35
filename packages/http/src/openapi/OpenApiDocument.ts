import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option, Record } from "effect"
import { ErrorEnvelope } from "../contract/ErrorEnvelope.js"
import { errorResponses } from "./errorResponses.js"
import { exampleOf } from "./exampleOf.js"
import type { Json } from "./Json.js"
import { jsonSchemas } from "./jsonSchemas.js"
import { annotated, operationObject, titleOf, withExamples } from "./operationObject.js"
import type { Described } from "./raisedCodes.js"
import { headerComponents } from "./responseHeaders.js"
import { webhookObjects } from "./webhookObjects.js"

/** A contract, and the parts of its document that are not in the contract. */
export interface Description {
  readonly api: HttpApi.HttpApi.Any
  /** Prefix of all paths of the contract; the document has it in its server. */
  readonly prefix: string
  /** Markdown. */
  readonly introduction: string
  /** By name, on a server at this URL. */
  readonly securitySchemes: (serverUrl: string) => Json
  readonly securityOf: (described: Described) => ReadonlyArray<Json>
  /** Whether the document describes the webhooks. */
  readonly webhooks: boolean
}

/**
 * The OpenAPI 3.1 document of a contract: every operation with its parameters, bodies, headers, errors and examples, as
 * they are served. `mount` is the URL below which the contract is served, such as `https://example.org/messaging`.
 */
export const openApiDocument = (description: Description, mount: string): Json => {
  const { prefix, securityOf } = description
  const api = description.api as unknown as HttpApi.HttpApi.AnyWithProps
  const schemas = jsonSchemas()
  const errors = errorResponses()
  const paths: { [path: string]: { [method: string]: Json } } = {}
  const tags: Array<Json> = []
  HttpApi.reflect(api, {
    onGroup: ({ group }) => {
      const described = group as unknown as Described["group"]
      tags.push({ name: titleOf(described), ...annotated(group.annotations, OpenApi.Description, "description") })
    },
    onEndpoint: ({ group, endpoint, mergedAnnotations, payloads, successes }) => {
      const described = { api, group, endpoint, annotations: mergedAnnotations } as unknown as Described
      const path = endpoint.path.slice(prefix.length).replace(/:(\w+)\??/g, "{$1}")
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operationObject(described, payloads, successes, {
          schemas,
          errors,
          securityOf
        })
      }
    }
  })
  schemas.of(ErrorEnvelope.fields.error.ast)
  const webhooks = description.webhooks ? webhookObjects(schemas) : null
  const parts = schemas.components()
  const components = Record.map(parts, (schema) => ({
    ...schema,
    examples: schema.examples ?? [exampleOf(schema, parts)]
  }))
  const illustrated = Record.map((operations: { readonly [method: string]: Json }) =>
    Record.map(operations, (one) => withExamples(one, components))
  )
  const responses = errors.responses()
  return {
    openapi: "3.1.0",
    info: {
      title: Context.getOrElse(api.annotations, OpenApi.Title, () => api.identifier),
      version: Option.getOrThrow(Context.getOption(api.annotations, OpenApi.Version)),
      description: description.introduction,
      contact: { name: "The operator of this service", url: mount },
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: `${mount}${prefix}` }],
    tags: webhooks === null ? tags : [...tags, webhooks.tag],
    paths: illustrated(paths),
    ...(webhooks === null ? {} : { webhooks: illustrated(webhooks.objects) }),
    components: {
      schemas: components,
      responses,
      ...(webhooks === null ? {} : { parameters: webhooks.parameters }),
      headers: usedHeaders(JSON.stringify([paths, responses])),
      examples: errors.examples(),
      securitySchemes: description.securitySchemes(`${mount}${prefix}`)
    }
  }
}

const usedHeaders = (document: string): Json =>
  Object.fromEntries(
    Object.entries(headerComponents).filter(([name]) => document.includes(`"#/components/headers/${name}"`))
  )
