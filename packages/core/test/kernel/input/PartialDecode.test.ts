import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { joinProblems } from "../../../src/kernel/input/PartialDecode.js"
import { decodeContactInput } from "../../../src/resources/contacts/ContactInput.js"
import { decodeSendMessageInput } from "../../../src/resources/messages/SendMessageInput.js"

describe("partial decoding", () => {
  it("decodes a valid input, with null for absent and empty fields", () => {
    const { problems, value } = decodeSendMessageInput({
      channel: "whatsapp",
      to: "+491701234567",
      type: "text",
      external_reference: "",
      unknown: 1,
      message: { body: "hello" }
    })
    expect(problems).toEqual({})
    expect(value).toEqual({
      channel: "whatsapp",
      to: "+491701234567",
      type: "text",
      externalReference: null,
      connectionId: null,
      message: {
        body: "hello",
        subject: null,
        template: null,
        language: null,
        variables: null,
        headerVariable: null,
        buttonVariables: null,
        cards: null,
        products: null,
        content: null,
        quoted: null,
        automatic: null,
        attachments: null
      }
    })
  })

  it("reports all problems by wire path and keeps the valid fields", () => {
    const { problems, value } = decodeSendMessageInput({
      channel: " ",
      to: 5,
      type: null,
      external_reference: "x".repeat(256),
      connection_id: "not-an-id",
      message: { body: "hello", template: 1, variables: ["one", 2] }
    })
    expect(problems).toEqual({
      channel: ["is required"],
      to: ["must be a string"],
      type: ["must be one of text, template, media, location, contacts, choices, reaction"],
      external_reference: ["must be at most 255 characters"],
      connection_id: ["must be a UUID"],
      "message.template": ["must be a string"],
      "message.variables.1": ["must be a string"]
    })
    expect(value).toEqual({
      message: {
        body: "hello",
        subject: null,
        language: null,
        headerVariable: null,
        buttonVariables: null,
        cards: null,
        products: null,
        content: null,
        quoted: null,
        automatic: null,
        attachments: null
      }
    })
  })

  it("reports missing fields", () => {
    expect(decodeSendMessageInput({}).problems).toEqual({
      channel: ["is required"],
      to: ["is required"],
      type: ["is required"],
      message: ["is required"]
    })
    expect(decodeSendMessageInput({ channel: "email", to: " ", type: "text", message: [] }).problems).toEqual({
      to: ["is required"],
      message: ["must be an object"]
    })
  })

  it("refuses text that cannot be stored", () => {
    const { problems } = decodeContactInput({ first_name: "a\u0000b", last_name: "\ud800", city: "🂡 fine" })
    expect(problems).toEqual({
      first_name: ["must be valid Unicode text without U+0000"],
      last_name: ["must be valid Unicode text without U+0000"]
    })
  })

  it("counts code points, not code units", () => {
    expect(decodeContactInput({ first_name: "😀".repeat(100) }).problems).toEqual({})
    expect(decodeContactInput({ first_name: "😀".repeat(101) }).problems).toEqual({
      first_name: ["must be at most 100 characters"]
    })
  })

  it("limits the length of lists", () => {
    expect(decodeContactInput({ tags: Array.from({ length: 21 }, (_, i) => `tag ${i}`) }).problems).toEqual({
      tags: ["must have at most 20 items"]
    })
  })

  it("checks the list length before the items", () => {
    let looked = 0
    const item = new Proxy({}, { get: () => looked++ })
    expect(decodeContactInput({ identities: Array.from({ length: 11 }, () => item) }).problems).toEqual({
      identities: ["must have at most 10 items"]
    })
    expect(looked).toBe(0)
  })

  it("never throws and never echoes a value, for any input", () => {
    const marker = "S3CRET-VALUE"
    const garbage = fc.anything({ values: [fc.constant(marker), fc.string(), fc.double(), fc.constant(null)] })
    const fields = [
      "channel",
      "to",
      "type",
      "external_reference",
      "connection_id",
      "message",
      "tags",
      "identities",
      "custom_fields",
      "email"
    ]
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...fields), garbage), (body) => {
        for (const read of [decodeSendMessageInput, decodeContactInput]) {
          expect(JSON.stringify(Object.values(read(body).problems))).not.toContain(marker)
        }
      })
    )
  })
})

describe("joinProblems", () => {
  it("merges problems without duplicates", () => {
    expect(joinProblems({ a: ["x"], b: ["y"] }, { a: ["x", "z"], c: ["w"] })).toEqual({
      a: ["x", "z"],
      b: ["y"],
      c: ["w"]
    })
  })
})
