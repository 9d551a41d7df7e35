import { it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { expect } from "vitest"
import { textOn } from "../widget/contrast.js"
import { contrastRatio } from "./contrastRatio.js"

const hex = fc.integer({ min: 0, max: 0xffffff }).map((color) => `#${color.toString(16).padStart(6, "0")}`)

it("has a text contrast of at least 4.5 to 1 on every colour", () => {
  fc.assert(
    fc.property(hex, (color) => {
      const text = textOn(color) === "#000" ? "#000000" : "#ffffff"
      expect(contrastRatio(color, text)).toBeGreaterThanOrEqual(4.5)
    })
  )
})
