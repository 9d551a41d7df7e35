/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** The components of `#rrggbb`, or of an opaque `rgb(r, g, b)` as browsers compute it. */
export const rgbOf = (color: string): Rgb => {
  const parts = color.startsWith("#")
    ? [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    : /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color)?.slice(1).map(Number)
  if (parts === undefined) throw new Error(`not an opaque colour: ${color}`)
  return parts as unknown as Rgb
}

/** The contrast of two colours as WCAG defines it: from 1, equal, to 21, black on white. */
export const contrastRatio = (one: string, other: string): number => {
  const [light, dark] = [luminance(rgbOf(one)), luminance(rgbOf(other))].sort((a, b) => b - a) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

const luminance = (color: Rgb): number => {
  const [red, green, blue] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
