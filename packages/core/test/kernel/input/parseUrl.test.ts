import { describe, expect, it } from "vitest"
import { parseUrl } from "../../../src/kernel/input/parseUrl.js"

describe("parseUrl", () => {
  it("parses absolute and relative URLs, and nothing else", () => {
    expect(parseUrl("https://example.com/a?b=c")?.href).toBe("https://example.com/a?b=c")
    expect(parseUrl("/d", "https://example.com/a")?.href).toBe("https://example.com/d")
    for (const text of ["", "example.com", "/d", "https://", "https://[::1"]) expect(parseUrl(text)).toBeNull()
  })

  it("returns the same result on every call", () => {
    const hosts = new Set<string | undefined>()
    for (let i = 0; i < 50_000; i++) hosts.add(parseUrl("https://bücher.example/é")?.host)
    expect([...hosts]).toEqual(["xn--bcher-kva.example"])
  })
})
