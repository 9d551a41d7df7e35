import { day, defaultSettings, minimumRetention, type Retention } from "@parley/core"
import { Either } from "effect"

/** Retention periods in days. Absent kinds keep their default. */
export type RetentionDays = { readonly [Kind in keyof Retention]?: number | undefined }

/** A hundred years, in days. */
const most = 36_500

/** Validation message of a retention period. */
export const retentionDaysMessage = `must be a whole number of days from 1 to ${most}`

export const areRetentionDays = (days: unknown): days is number =>
  typeof days === "number" && Number.isInteger(days) && days >= 1 && days <= most

/**
 * Converts days to the engine's retention. Left: a kind whose period is shorter than that of another kind that depends
 * on it.
 */
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
  for (const [kind, neededBy] of minimumRetention) {
    if (retention[kind] < retention[neededBy]) return Either.left({ kind, neededBy })
  }
  return Either.right(retention)
}
