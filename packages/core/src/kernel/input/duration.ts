import { Schema } from "effect"
import { day, hour, minute, second } from "../../model/Instant.js"
import { FieldMessage } from "./Fields.js"

/** Maximum duration, in ms. */
const maxWait = 365 * day

const units = [
  ["d", day],
  ["h", hour],
  ["m", minute],
  ["s", second]
] as const

const unitOf = new Map<string | undefined, number>(units)

/** Parses a duration to ms; undefined if the text is no duration. */
const millisecondsOf = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,8})([smhd])$/.exec(text) ?? []
  const length = unitOf.get(unit)
  return length === undefined ? undefined : Number(count) * length
}

/** Formats a duration of whole seconds in the largest unit that divides it: `90s`, `2h`. */
export const durationText = (milliseconds: number): string => {
  const [unit, length] = units.find(([, length]) => milliseconds % length === 0) ?? ["s", second]
  return `${Math.round(milliseconds / length)}${unit}`
}

/** A duration: `90s`, `10m`, `2h` or `3d` on the wire, decoded to ms. From 1 s to `max` (ms). */
export const duration = (max: number = maxWait): Schema.Schema<number, string> =>
  Schema.transform(
    Schema.String.pipe(
      Schema.filter(
        (text) => {
          const length = millisecondsOf(text) ?? 0
          return length > 0 && length <= max
        },
        { [FieldMessage]: `must be a duration such as 90s, 10m, 2h or 3d, of at most ${durationText(max)}` }
      )
    ),
    Schema.Number,
    { strict: true, decode: (text) => millisecondsOf(text) ?? 0, encode: durationText }
  ).annotations({ jsonSchema: { type: "string", pattern: "^[0-9]{1,8}[smhd]$", examples: ["90s", "10m", "2h", "3d"] } })
