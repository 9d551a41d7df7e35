import { HelpDoc, Options, ValidationError } from "@effect/cli"
import { Clock, Effect, Option } from "effect"

const units: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 }
const forms = "a time such as 2026-05-04T08:30:00Z, or a duration before now: 90m, 6h, 2d"

/**
 * The time of a text: a timestamp, which the server checks, or a duration before now such as `90m`, `6h`, `2d`. Null if
 * it is neither.
 */
export const sinceOf = (text: string, now: number): string | null => {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const length = units[unit ?? ""]
  if (length !== undefined) return new Date(now - Number(count) * length).toISOString()
  return /^\d{4}-/.test(text) ? text : null
}

/** A `--since`, as a timestamp. `before`: the description of the time. */
export const requiredSince = (before = "") =>
  Options.text("since").pipe(
    Options.withPseudoName("time"),
    Options.withDescription(before === "" ? forms.replace(/^a/, "A") : `${before} ${forms}`),
    Options.mapEffect((text) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const time = sinceOf(text, now)
        return time === null
          ? Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--since must be ${forms}`)))
          : Effect.succeed(time)
      })
    )
  )

/** An optional `--since`, as a timestamp; null if absent. */
export const sinceOption = (what: string) =>
  requiredSince(`Only ${what} since`).pipe(Options.optional, Options.map(Option.getOrNull))
