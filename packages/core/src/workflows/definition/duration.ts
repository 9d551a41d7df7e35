import { Schema } from "effect"
import { day, hour, minute, second } from "../../Instant.js"
import { Words } from "../../input/Fields.js"

/** The longest that anything waits. */
const longestWait = 365 * day

const units = [
  ["d", day],
  ["h", hour],
  ["m", minute],
  ["s", second]
] as const

const unitOf = new Map<string | undefined, number>(units)

/** In ms; undefined where the text is none. */
const millisecondsOf = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const length = unitOf.get(unit)
  return length === undefined ? undefined : Number(count) * length
}

/** A duration of whole seconds as people write it, in the largest unit that it is a multiple of: `90s`, `2h`. */
export const durationText = (milliseconds: number): string => {
  const [unit, length] = units.find(([, length]) => milliseconds % length === 0) ?? ["s", second]
  return `${Math.round(milliseconds / length)}${unit}`
}

/** A duration, `90s`, `10m`, `2h` or `3d` on the wire and in ms inside; from a second to `most`, in ms too. */
export const duration = (most: number = longestWait): Schema.Schema<number, string> =>
  Schema.transform(
    Schema.String.pipe(
      Schema.filter(
        (text) => {
          const length = millisecondsOf(text) ?? 0
          return length > 0 && length <= most
        },
        { [Words]: `must be a duration such as 90s, 10m, 2h or 3d, of at most ${durationText(most)}` }
      )
    ),
    Schema.Number,
    { strict: true, decode: (text) => millisecondsOf(text) ?? 0, encode: durationText }
  ).annotations({ jsonSchema: { type: "string", pattern: "^[0-9]{1,8}[smhd]$", examples: ["90s", "10m", "2h", "3d"] } })
