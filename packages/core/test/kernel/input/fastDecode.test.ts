import { Either, FastCheck as fc, ParseResult, Schema, SchemaAST } from "effect"
import { describe, expect, it } from "vitest"
import * as core from "../../../src/index.js"
import { fastDecode, nestedStruct, undecoded } from "../../../src/kernel/input/fastDecode.js"
import { SendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"

const { optional, oneOf, requiredText, uuid, wire } = core
const id = "01900000-0000-7000-8100-00000000ABCD"

/** Fields of every kind, some with other names on the wire. */
const Every = Schema.Struct({
  name: requiredText(5),
  kind: wire("the_kind", oneOf(["one", "two"])),
  id: wire("the_id", optional(uuid)),
  plain: Schema.optional(Schema.Number),
  exact: Schema.optionalWith(Schema.Number, { exact: true }),
  withDefault: Schema.optionalWith(Schema.Number, { default: () => 7 }),
  unknown: Schema.optional(Schema.Unknown),
  trimmed: Schema.optionalWith(Schema.Trim, { as: "Option" }),
  inner: Schema.Struct({ list: optional(core.listOf(uuid, 2)), flag: Schema.Boolean })
})

const structs = Object.values({ ...core, SendMessageInput, Every }).flatMap((value) => nestedStruct(value) ?? [])

const values = fc.constantFrom<unknown>(
  ...[undefined, null, "", " ", "one", "x ".repeat(4), id, "whatsapp", "text", "2026-01-02T03:04:05Z", "a@b.example"],
  ...["https://example.org/a", "+491701234567", 0, 7, -1.5, Number.NaN, true, [], [id, id], [id, id, id], {}]
)

/** Objects with the fields of a struct's wire side, and with its inner structs. */
const inputsOf = (struct: Schema.Schema.Any, depth = 0): fc.Arbitrary<unknown> => {
  const { ast } = Schema.encodedSchema(struct)
  const fields = SchemaAST.getPropertySignatures(ast).map(({ name, type }) => {
    const inner = depth < 2 && SchemaAST.isTypeLiteral(type) ? inputsOf(Schema.make(type), depth + 1) : values
    return [String(name), fc.oneof({ arbitrary: inner, weight: 9 }, values)] as const
  })
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] })
}

describe("fast decoding", () => {
  it("decodes as the schema does, or leaves an input to it", () => {
    expect(structs.length).toBeGreaterThan(20)
    for (const struct of structs) {
      const fast = fastDecode(struct)
      const whole = ParseResult.decodeUnknownEither(struct as unknown as Schema.Schema<unknown>, {
        onExcessProperty: "ignore"
      })
      fc.assert(
        fc.property(inputsOf(struct), (input) => {
          const value = fast?.(input) ?? undecoded
          if (value !== undecoded) expect(Either.right(value)).toEqual(whole(input))
        }),
        { numRuns: 200 }
      )
    }
  })

  it("decodes valid inputs itself", () => {
    const inner = { flag: true, list: [id] }
    const input = { name: "a", the_kind: "one", the_id: id, plain: 1, unknown: null, trimmed: " b ", inner, more: 1 }
    expect(fastDecode(Every)?.(input)).toEqual(Schema.decodeUnknownSync(Every)(input))
    const message = {
      channel: "whatsapp",
      to: "+491701234567",
      type: "text",
      message: { body: "a", subject: undefined }
    }
    expect(fastDecode(SendMessageInput)?.(message)).not.toBe(undecoded)
  })

  it("leaves invalid inputs to the schema", () => {
    const decode = fastDecode(Every)
    const valid = { name: "a", the_kind: "one", inner: { flag: true } }
    expect(decode?.(valid)).not.toBe(undecoded)
    for (const invalid of [
      null,
      [],
      "a",
      {},
      { ...valid, name: "" },
      { ...valid, inner: { flag: 1 } },
      { kind: "one" }
    ]) {
      expect(decode?.(invalid)).toBe(undecoded)
    }
  })

  it("has no decoder for a struct without fields, or with more than fields", () => {
    expect(fastDecode(Schema.Struct({}))).toBeNull()
    expect(
      fastDecode(Schema.Struct({ a: Schema.String }, { key: Schema.String, value: Schema.String }) as never)
    ).toBeNull()
  })
})
