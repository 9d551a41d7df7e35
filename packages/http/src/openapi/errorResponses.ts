import { catalogue, type Details, type ErrorCode, refuse, sampleIds } from "@parley/core"
import type { Json } from "./Json.js"
import { headersOfError } from "./responseHeaders.js"

/** The answers to refused requests, as components of a document. */
export interface ErrorResponses {
  /**
   * References to the answers of an operation that raises these codes, by status. `operationId` names those of many
   * codes.
   */
  readonly of: (codes: ReadonlyArray<ErrorCode>, operationId: string) => Json
  /** Every answer that was referred to, by name. */
  readonly responses: () => Json
  /** The example of each code that was referred to. */
  readonly examples: () => Json
}

export const errorResponses = (): ErrorResponses => {
  const responses: { [name: string]: Json } = {}
  const raised = new Set<ErrorCode>()
  return {
    of: (codes, operationId) => {
      const byStatus: { [status: string]: ReadonlyArray<ErrorCode> } = {}
      for (const code of codes) {
        const { status } = catalogue[code]
        byStatus[status] = [...(byStatus[status] ?? []), code]
        raised.add(code)
      }
      return Object.fromEntries(
        Object.entries(byStatus).map(([status, its]) => {
          const name = its.length <= 2 ? its.map(pascalCase).join("Or") : `${pascalCase(`_${operationId}`)}${status}`
          responses[name] = response(Number(status), its)
          return [status, { $ref: `#/components/responses/${name}` }]
        })
      )
    },
    responses: () => responses,
    examples: () => Object.fromEntries([...raised].map((code) => [code, { summary: code, value: errorExample(code) }]))
  }
}

const response = (status: number, codes: ReadonlyArray<ErrorCode>): Json => ({
  description: codes.map((code) => `\`${code}\`: ${catalogue[code].meaning}. ${catalogue[code].remedy}`).join("\n\n"),
  headers: headersOfError(status),
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["error"],
        properties: {
          error: {
            allOf: [
              { $ref: "#/components/schemas/ErrorBody" },
              { type: "object", properties: { code: { type: "string", enum: codes } } }
            ]
          }
        }
      },
      examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))
    }
  }
})

const details: { readonly [code in ErrorCode]?: Details } = {
  bad_request: { "Idempotency-Key": ["is required"] },
  forbidden: { required_scope: "messages.send" },
  idempotency_conflict: { reason: "still_running" },
  validation_failed: { to: ["is required"], "message.variables": ["must have exactly 2 items, one for each slot"] },
  outside_service_window: { expires_at: "2026-05-03T08:30:00.000Z" },
  provider_error: {
    provider: "sandbox",
    code: "131026",
    message: "Message undeliverable",
    message_id: sampleIds.message
  }
}

/** An envelope with this code (docs/reference/errors.md#error-envelope). */
export const errorExample = (code: ErrorCode): Json => ({
  error: {
    code,
    message: refuse(code).message,
    details: details[code] ?? {},
    request_id: sampleIds.request
  }
})

const pascalCase = (code: string): string =>
  code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
