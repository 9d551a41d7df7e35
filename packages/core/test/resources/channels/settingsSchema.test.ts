import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { wholeNumber, withMessage } from "../../../src/kernel/input/Fields.js"
import { settingsSchema } from "../../../src/resources/channels/settingsSchema.js"

const exact = { exact: true } as const
const secret = Schema.Trim.pipe(Schema.pattern(/^\S+$/), withMessage("must be without spaces"))
const port = wholeNumber(1, 65_535).annotations({ title: "Port", description: "Default: 25." })

describe("the JSON Schema of settings", () => {
  it("has the title and description of each field", () => {
    const settings = Schema.Struct({
      token: secret.annotations({ title: "Token", description: "From the vendor's dashboard." }),
      port: Schema.optionalWith(port, exact),
      plain: Schema.String
    })
    expect(settingsSchema(settings)).toEqual({
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      additionalProperties: false,
      required: ["token", "plain"],
      properties: {
        token: { type: "string", title: "Token", description: "From the vendor's dashboard." },
        port: { type: "integer", minimum: 1, maximum: 65_535, title: "Port", description: "Default: 25." },
        plain: { type: "string" }
      }
    })
  })

  it("is inlined in wire shape for renamed, nested and defaulted fields", () => {
    const settings = Schema.Struct({
      server: Schema.Struct({ port }).annotations({ identifier: "Server", title: "Server" }),
      made: Schema.optionalWith(secret, { default: () => "made" }).annotations({ title: "Made" }),
      kept: Schema.optionalWith(secret, exact).annotations({ title: "Kept" }),
      ownName: Schema.propertySignature(secret).annotations({ title: "Own" }).pipe(Schema.fromKey("own_name"))
    }).annotations({ identifier: "Settings" })
    expect(settingsSchema(settings)).toMatchObject({
      type: "object",
      required: ["server", "own_name"],
      properties: {
        server: { type: "object", title: "Server", properties: { port: { type: "integer", title: "Port" } } },
        made: { type: "string", title: "Made" },
        kept: { type: "string", title: "Kept" },
        own_name: { type: "string", title: "Own" }
      }
    })
  })
})
