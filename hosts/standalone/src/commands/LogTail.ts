import type { Resource } from "./AdminClient.js"

/** How far a log has been followed: which of its last lines were shown. */
export interface LogTail {
  /** The times of the lines that were shown and may be read again, by their ids. */
  readonly shown: ReadonlyMap<string, number>
  /** The time of the newest line, shown or not. */
  readonly newest: number
  /** Lines before this time are not shown any more. */
  readonly since: number
}

/**
 * How long after a newer line one may come, in ms: lines are in the order in which requests came, and are written once they
 * are answered, which takes a slow one some seconds.
 */
export const lateness = 6_000

/** Nothing was shown; lines before `since` never will be. */
export const tailSince = (since: number): LogTail => ({ shown: new Map(), newest: since, since })

/** The tail of a log whose newest line, of those that are not followed too, is of this time. */
export const reaching = (tail: LogTail, newest: number): LogTail => ({ ...tail, newest: Math.max(tail.newest, newest) })

/** Since when a line may be new, in ms. */
export const newSince = ({ newest, since }: LogTail): number => Math.max(since, newest - lateness)

/** Whether a line, and therefore each before it, is too old to be new. */
export const isPast = (tail: LogTail, line: Resource): boolean => timeOf(line) < newSince(tail)

/** The lines among these that were not shown yet, oldest first, and the tail after them. */
export const following = (
  tail: LogTail,
  read: ReadonlyArray<Resource>
): { readonly lines: ReadonlyArray<Resource>; readonly tail: LogTail } => {
  const lines = read
    .filter((line) => !isPast(tail, line) && !tail.shown.has(String(line.id)))
    .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
  const newest = Math.max(tail.newest, ...lines.map(timeOf))
  const shown = new Map([...tail.shown, ...lines.map((line) => [String(line.id), timeOf(line)] as const)])
  for (const [id, time] of shown) if (time < newest - lateness) shown.delete(id)
  return { lines, tail: { ...tail, shown, newest } }
}

const timeOf = ({ created_at }: Resource): number => Date.parse(String(created_at))
