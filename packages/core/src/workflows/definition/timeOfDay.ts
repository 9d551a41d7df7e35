import { DateTime, Option, Schema } from "effect"
import { listOf, oneOf, Words } from "../../input/Fields.js"
import type { Timezone, Weekday } from "./RunCondition.js"

/** The days of a week, in their order. */
export const weekdays: ReadonlyArray<Weekday> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

/** Days of the week. */
export const days = listOf(oneOf(weekdays), 7, 1)

/** `HH:MM`, from `00:00` to `23:59`. */
export const timeOfDay: Schema.Schema<string> = Schema.String.pipe(
  Schema.filter((text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text), {
    jsonSchema: { type: "string", pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$", examples: ["09:00"] },
    [Words]: "must be a time such as 09:00"
  })
)

/** The time zone of an IANA name; none where there is no such zone. Offsets such as `+01:00` are no names. */
export const zoneNamed = (name: string): Option.Option<DateTime.TimeZone> =>
  /^[A-Za-z]/.test(name) && name.length <= 64 ? DateTime.zoneMakeNamed(name) : Option.none()

/** `contact`, `workspace`, or an IANA name. */
export const timezone: Schema.Schema<Timezone> = Schema.String.pipe(
  Schema.filter((name) => name === "contact" || name === "workspace" || Option.isSome(zoneNamed(name)), {
    jsonSchema: { type: "string", examples: ["contact", "workspace", "Europe/Berlin"] },
    [Words]: "must be contact, workspace or a time zone of the IANA list such as Europe/Berlin"
  })
)
