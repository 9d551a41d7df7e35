/** Black or white, whichever has the higher contrast on a colour (`#rrggbb`): at least 4.5 to 1, as WCAG requires. */
export const textOn = (color: string): string => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  // White has the higher contrast below a luminance of 0.179.
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff"
}
