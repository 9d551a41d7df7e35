import { Effect } from "effect"
import { adminDescription, openApiDocument, publicDescription } from "../../src/index.js"
import type { Served } from "../serve.js"
import { disagreementsWith, type OpenApi, operationsOf } from "./agreement.js"

const documents = [publicDescription, adminDescription].map((description) => {
  const document = openApiDocument(description, "") as unknown as OpenApi
  const operations = operationsOf(document).map(({ method, path, operation }) => ({
    method,
    operation,
    pattern: new RegExp(`^${description.prefix}${path.replace(/\{\w+\}/g, "[^/]+")}$`)
  }))
  return { operations, disagreements: disagreementsWith(document) }
})

/** Calls a server, and fails if a response does not match the OpenAPI documents. */
export const agreeing =
  (request: Served["request"]): Served["request"] =>
  (method, path, options) =>
    Effect.tap(request(method, path, options), (answer) => {
      for (const { operations, disagreements } of documents) {
        const found = operations.find((one) => one.method === method && one.pattern.test(path.replace(/\?.*/s, "")))
        const differs = found === undefined ? [] : disagreements(found.operation, answer)
        if (differs.length > 0) return Effect.dieMessage(`${method} ${path} ${answer.status} ${differs.join("; ")}`)
      }
      return Effect.void
    })
