import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { contactDraft } from "../../src/contacts/ContactInput.js"
import { joinProblems } from "../../src/input/Draft.js"
import { sendMessageDraft } from "../../src/messages/SendMessageInput.js"

describe("a draft", () => {
  it("reads a well-formed input whole, with null for what is absent or empty", () => {
    const { problems, value } = sendMessageDraft({
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
      message: { body: "hello", subject: null, template: null, language: null, variables: null }
    })
  })

  it("names every problem at once by its wire path, and keeps what is well-formed", () => {
    const { problems, value } = sendMessageDraft({
      channel: "pigeon",
      to: 5,
      type: null,
      external_reference: "x".repeat(256),
      connection_id: "not-an-id",
      message: { body: "hello", template: 1, variables: ["one", 2] }
    })
    expect(problems).toEqual({
      channel: ["must be one of whatsapp, telegram, email, webchat, instagram, facebook"],
      to: ["must be a string"],
      type: ["must be one of text, template"],
      external_reference: ["must be at most 255 characters"],
      connection_id: ["must be a UUID"],
      "message.template": ["must be a string"],
      "message.variables.1": ["must be a string"]
    })
    expect(value).toEqual({ message: { body: "hello", subject: null, language: null } })
  })

  it("says what is missing", () => {
    expect(sendMessageDraft({}).problems).toEqual({
      channel: ["is required"],
      to: ["is required"],
      type: ["is required"],
      message: ["is required"]
    })
    expect(sendMessageDraft({ channel: "email", to: " ", type: "text", message: [] }).problems).toEqual({
      to: ["is required"],
      message: ["must be an object"]
    })
  })

  it("refuses what a database could not keep", () => {
    const { problems } = contactDraft({ first_name: "a\u0000b", last_name: "\ud800", city: "🂡 fine" })
    expect(problems).toEqual({
      first_name: ["must be valid Unicode text without U+0000"],
      last_name: ["must be valid Unicode text without U+0000"]
    })
  })

  it("counts characters, not code units", () => {
    expect(contactDraft({ first_name: "😀".repeat(100) }).problems).toEqual({})
    expect(contactDraft({ first_name: "😀".repeat(101) }).problems).toEqual({
      first_name: ["must be at most 100 characters"]
    })
  })

  it("bounds lists", () => {
    expect(contactDraft({ tags: Array.from({ length: 21 }, (_, i) => `tag ${i}`) }).problems).toEqual({
      tags: ["must have at most 20 items"]
    })
  })

  it("counts a list before it looks at its items", () => {
    let looked = 0
    const item = new Proxy({}, { get: () => looked++ })
    expect(contactDraft({ identities: Array.from({ length: 11 }, () => item) }).problems).toEqual({
      identities: ["must have at most 10 items"]
    })
    expect(looked).toBe(0)
  })

  it("never throws and never echoes a value, whatever comes", () => {
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
        for (const read of [sendMessageDraft, contactDraft]) {
          expect(JSON.stringify(Object.values(read(body).problems))).not.toContain(marker)
        }
      })
    )
  })
})

describe("joinProblems", () => {
  it("keeps the problems of both, once each", () => {
    expect(joinProblems({ a: ["x"], b: ["y"] }, { a: ["x", "z"], c: ["w"] })).toEqual({
      a: ["x", "z"],
      b: ["y"],
      c: ["w"]
    })
  })
})
