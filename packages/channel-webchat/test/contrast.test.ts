import { it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { expect } from "vitest"
import { textOn } from "../widget/contrast.js"

const luminance = (color: string): number => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const hex = fc.integer({ min: 0, max: 0xffffff }).map((color) => `#${color.toString(16).padStart(6, "0")}`)

it("has a text contrast of at least 4.5 to 1 on every colour", () => {
  fc.assert(
    fc.property(hex, (color) => {
      const [light, dark] = [luminance(color), textOn(color) === "#000" ? 0 : 1].sort((a, b) => b - a) as [
        number,
        number
      ]
      expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5)
    })
  )
})
