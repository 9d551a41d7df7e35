import { expect, it } from "@effect/vitest"
import { problemsOf } from "@parley/core"
import { Either, JSONSchema, ParseResult, Schema } from "effect"
import { WebchatConfig, WebchatCredentials, webchat } from "../src/index.js"

const problems = <A, I>(schema: Schema.Schema<A, I>, input: object) =>
  Either.match(ParseResult.decodeUnknownEither(schema, { errors: "all" })(input), {
    onLeft: problemsOf,
    onRight: () => ({})
  })

it("generates a different visitor secret each time if none is given", () => {
  const make = () => Schema.decodeUnknownSync(WebchatCredentials)({}).visitor_secret
  expect(make()).toMatch(/^[\w-]{43}$/)
  expect(make()).not.toBe(make())
})

it("keeps given secrets", () => {
  const given = { visitor_secret: "v".repeat(32), identity_secret: "i".repeat(32) }
  const kept = Schema.encodeSync(WebchatCredentials)(Schema.decodeUnknownSync(WebchatCredentials)(given))
  expect(kept).toEqual(given)
})

const origin =
  "must be an origin as browsers send it, such as https://shop.example: without a path, in lower case, a name with other letters as xn--…; or *"

it("names every wrong setting", () => {
  expect(
    problems(WebchatConfig, {
      allowed_origins: ["https://shop.example/", "shop.example", "null", "file://", "*"],
      title: "x".repeat(61),
      accent_color: "red",
      file_types: ["image/*", "PDF"],
      pre_chat: ["name", "age"],
      office_hours: {
        time_zone: "Mars/Base",
        hours: [
          { days: ["mon"], from: "09:00", to: "24:00" },
          { days: ["mon"], from: "17:00", to: "09:00" }
        ]
      },
      sound: "loud",
      labels: { send: "" }
    })
  ).toEqual({
    "allowed_origins.0": [origin],
    "allowed_origins.1": [origin],
    "allowed_origins.2": [origin],
    "allowed_origins.3": [origin],
    title: ["must be at most 60 characters"],
    accent_color: ["must be a colour such as #0b57d0"],
    "file_types.1": ["must be a media type in lower case, such as image/png or image/*"],
    "office_hours.time_zone": ["must be a time zone of the IANA list such as Europe/Berlin"],
    "office_hours.hours.1": ["must end after its beginning, on the same day"],
    "pre_chat.1": ["must be one of name, email, phone"],
    sound: ["must be true or false"],
    "labels.send": ["is required"]
  })
  expect(problems(WebchatCredentials, { visitor_secret: "short", identity_secret: 7 })).toEqual({
    visitor_secret: ["must be 32 to 200 characters"],
    identity_secret: ["must be 32 to 200 characters"]
  })
})

it("is described by a JSON Schema without secrets", () => {
  expect(JSONSchema.make(WebchatConfig)).toHaveProperty("$defs.WebchatConfig.properties.allowed_origins.description")
  expect(JSON.stringify(JSONSchema.make(WebchatCredentials))).not.toMatch(/"default"/)
})

it("accepts handles of visitors and customers as recipients, and any handle for the business", () => {
  const { parseHandle, parseOwnHandle } = webchat()
  const read = (text: string) => Either.getOrNull(parseHandle("webchat", text))
  expect(read("visitor:01900000-0000-7000-8000-00000000000A")).toBe("visitor:01900000-0000-7000-8000-00000000000a")
  expect(read("customer:A 42")).toBe("customer:A 42")
  for (const text of ["visitor:1", "customer:", "customer: 42", "customer:4\u00002", "Ada", ""])
    expect(read(text)).toBeNull()
  expect(parseOwnHandle?.("webchat", "shop.example")).toEqual(Either.right("shop.example"))
})
