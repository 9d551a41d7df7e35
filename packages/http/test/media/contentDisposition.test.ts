import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { contentDisposition } from "../../src/media/contentDisposition.js"

describe("contentDisposition", () => {
  it("displays pictures, sound and film inline, and nothing that may contain scripts", () => {
    for (const type of ["image/png", "image/jpeg", "image/webp", "audio/ogg", "video/mp4"]) {
      expect(contentDisposition(type, null)).toBe("inline")
    }
    for (const type of ["image/svg+xml", "text/html", "application/pdf", "application/xhtml+xml", "text/xml", ""]) {
      expect(contentDisposition(type, null)).toBe("attachment")
    }
  })

  it("contains the full name, and an ASCII name for old clients", () => {
    expect(contentDisposition("application/pdf", "bill 7.pdf")).toBe('attachment; filename="bill 7.pdf"')
    expect(contentDisposition("application/pdf", "Café (1)'*.pdf")).toBe(
      `attachment; filename="Caf_ (1)'*.pdf"; filename*=UTF-8''Caf%C3%A9%20%281%29%27%2A.pdf`
    )
    expect(contentDisposition("application/pdf", '"; x=\\%41.pdf')).toBe(
      `attachment; filename="_; x=__41.pdf"; filename*=UTF-8''%22%3B%20x%3D%5C%2541.pdf`
    )
  })

  it("is a valid header for any file name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 255 }), (name) => {
        const header = contentDisposition("application/pdf", name)
        expect(header).toMatch(/^attachment; filename="[^"\\]*"(; filename\*=UTF-8''[\w.~!#$&+^`|%-]*)?$/)
        expect(header).toMatch(/^[\x20-\x7e]*$/)
        const whole = /filename\*=UTF-8''(.*)$/.exec(header)?.[1]
        expect(whole === undefined ? /filename="(.*)"$/.exec(header)?.[1] : decodeURIComponent(whole)).toBe(name)
      })
    )
  })
})
