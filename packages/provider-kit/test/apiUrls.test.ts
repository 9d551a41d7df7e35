import { Either, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { apiOfConnection, withApiUrl } from "../src/index.js"

const allowed = "http://simulator:8081"
const Config = Schema.Struct({ name: Schema.String })
const decode = (config: Schema.Schema.AnyNoContext, value: unknown) =>
  Either.isRight(Schema.decodeUnknownEither(config, { onExcessProperty: "error" })(value))

describe("the setting api_url", () => {
  it("takes the URLs of the host only, and does not exist without any", () => {
    const config = withApiUrl(Config, { apiUrls: [allowed] })
    expect(decode(config, { name: "a" })).toBe(true)
    expect(decode(config, { name: "a", api_url: allowed })).toBe(true)
    expect(decode(config, { name: "a", api_url: "http://169.254.169.254" })).toBe(false)
    expect(decode(withApiUrl(Config, {}), { name: "a", api_url: allowed })).toBe(false)
  })
  it("selects the API of a connection, never the vendor's for another URL", () => {
    const apiOf = apiOfConnection({ apiUrls: [allowed] }, "vendor", (url) => url)
    expect(apiOf({ config: {} })).toEqual(Either.right("vendor"))
    expect(apiOf({ config: { api_url: allowed } })).toEqual(Either.right(allowed))
    for (const other of ["http://removed:8081", null, 7, "toString"]) {
      expect(Either.isLeft(apiOf({ config: { api_url: other } }))).toBe(true)
    }
  })
})
