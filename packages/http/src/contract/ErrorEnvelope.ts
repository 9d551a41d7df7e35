import { component, errorCodes, field, ids } from "@parley/core"
import { Schema } from "effect"

/** The form of all errors (docs/reference/errors.md#error-envelope). */
export const ErrorEnvelope = Schema.Struct({
  error: component("ErrorBody", "An error. Branch on `code`.", {
    code: field(Schema.Literal(...errorCodes), { description: "Branch on this.", examples: ["validation_failed"] }),
    message: field(Schema.String, { description: "For people to read.", examples: ["Invalid data."] }),
    details: field(Schema.Record({ key: Schema.String, value: Schema.Unknown }), {
      description:
        "For `validation_failed`, the problems of each field by its name, such as `message.template`; otherwise the details of the code.",
      examples: [{ to: ["is required"], "message.variables": ["must have exactly 2 items, one for each slot"] }]
    }),
    request_id: field(ids.request, { description: "Equals the X-Request-ID header." })
  })
}).annotations({ identifier: "Error" })
export type ErrorEnvelope = typeof ErrorEnvelope.Type
