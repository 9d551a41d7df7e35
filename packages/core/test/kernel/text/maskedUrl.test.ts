import { describe, expect, it } from "vitest"
import { maskedUrl } from "../../../src/kernel/text/maskedUrl.js"

describe("a masked URL", () => {
  it.each([
    ["https://shop.example/hooks/1", "https://shop.example/hooks/1"],
    ["https://shop.example/?token=s3cret&v=2", "https://shop.example/?token=…&v=…"],
    ["https://shop.example/?flag&empty=#part", "https://shop.example/?flag&empty=#part"],
    ["https://ada:s3cret@shop.example/a@b", "https://…@shop.example/a@b"]
  ])("of %s is %s", (url, masked) => {
    expect(maskedUrl(url)).toBe(masked)
  })
})
