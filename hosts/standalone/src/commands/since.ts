import { Options } from "@effect/cli"
import { Clock, Effect, Option } from "effect"

const units: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** The time of a text: a timestamp, or a duration before now such as `90m`, `6h`, `2d`. */
export const sinceOf = (text: string, now: number): string => {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const length = units[unit ?? ""]
  return length === undefined ? text : new Date(now - Number(count) * length).toISOString()
}

/** An optional `--since`, as a timestamp; null if absent. */
export const sinceOption = (what: string) =>
  Options.text("since").pipe(
    Options.withPseudoName("time"),
    Options.withDescription(
      `Only ${what} since a time such as 2026-05-04T08:30:00Z, or a duration before now: 90m, 6h, 2d`
    ),
    Options.mapEffect((text) => Effect.map(Clock.currentTimeMillis, (now) => sinceOf(text, now))),
    Options.optional,
    Options.map(Option.getOrNull)
  )
