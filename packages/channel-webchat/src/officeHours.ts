/** When the business answers: a list of times on days of the week, in one time zone. */
export interface OfficeHours {
  /** A name of the IANA list, such as `Europe/Berlin`. */
  readonly timeZone: string
  readonly hours: ReadonlyArray<{
    /** `mon` to `sun`. */
    readonly days: ReadonlyArray<string>
    /** `HH:MM`. */
    readonly from: string
    /** `HH:MM`, after {@link from}; `24:00` is the end of the day. Itself outside of the hours. */
    readonly to: string
  }>
}

/** Whether the time is within the hours. */
export const isOpenAt = ({ hours, timeZone }: OfficeHours, at: Date): boolean => {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  }).formatToParts(at)
  const part = (wanted: string): string => parts.find(({ type }) => type === wanted)?.value ?? ""
  const day = part("weekday").toLowerCase()
  const time = `${part("hour")}:${part("minute")}`
  return hours.some(({ days, from, to }) => days.includes(day) && from <= time && time < to)
}
