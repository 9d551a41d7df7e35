import { DateTime, Option, Schema } from "effect"
import type { Timezone, Weekday } from "../../model/RunCondition.js"
import { FieldMessage, listOf, oneOf } from "./Fields.js"

/** The days of the week, from Monday. */
export const weekdays: ReadonlyArray<Weekday> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/** A list of 1 to 7 weekdays. */
export const days = listOf(oneOf(weekdays), 7, 1)

/** `HH:MM`, from `00:00` to `23:59`. */
export const timeOfDay: Schema.Schema<string> = Schema.String.pipe(
  Schema.filter((text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text), {
    jsonSchema: { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", examples: ["09:00"] },
    [FieldMessage]: "must be a time such as 09:00"
  })
)

/** The time zone with this IANA name, if it exists. Offsets such as `+01:00` are not accepted. */
export const zoneNamed = (name: string): Option.Option<DateTime.TimeZone> =>
  /^[A-Za-z]/.test(name) && name.length <= 64 ? DateTime.zoneMakeNamed(name) : Option.none()

/** `contact`, `workspace`, or an IANA name. */
export const timezone: Schema.Schema<Timezone> = Schema.String.pipe(
  Schema.filter((name) => name === "contact" || name === "workspace" || Option.isSome(zoneNamed(name)), {
    jsonSchema: { type: "string", examples: ["contact", "workspace", "Europe/Berlin"] },
    [FieldMessage]: "must be contact, workspace or a time zone of the IANA list such as Europe/Berlin"
  })
)
