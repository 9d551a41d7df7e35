import { day, defaultSettings, keptAsLong, type Retention } from "@parley/core"
import { Either } from "effect"

/** How long history is kept, in days, as a host is told; the default where a kind is left out. */
export type RetentionDays = { readonly [Kind in keyof Retention]?: number | undefined }

/** A hundred years. */
const most = 36_500

/** What days of retention must be. */
export const retentionDaysWords = `must be a whole number of days from 1 to ${most}`

export const areRetentionDays = (days: unknown): days is number =>
  typeof days === "number" && Number.isInteger(days) && days >= 1 && days <= most

/** The retention of so many days. Left: the kind that would be kept shorter than another that needs it. */
export const retentionOf = (
  given: RetentionDays
): Either.Either<Retention, { readonly kind: keyof Retention; readonly neededBy: keyof Retention }> => {
  const of = (kind: keyof Retention): number => {
    const days = given[kind]
    return days === undefined ? defaultSettings.retention[kind] : days * day
  }
  const retention: Retention = {
    events: of("events"),
    deliveries: of("deliveries"),
    attempts: of("attempts"),
    requestLog: of("requestLog"),
    runs: of("runs")
  }
  for (const [kind, neededBy] of keptAsLong) {
    if (retention[kind] < retention[neededBy]) return Either.left({ kind, neededBy })
  }
  return Either.right(retention)
}
