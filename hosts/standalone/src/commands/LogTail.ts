import type { Resource } from "./AdminClient.js"

/** The state of following a log: the lines shown last. */
export interface LogTail {
  /** The times of the shown lines that may be read again, by id. */
  readonly shown: ReadonlyMap<string, number>
  /** The time of the newest line, shown or not. */
  readonly newest: number
  /** Earlier lines are not shown any more. */
  readonly since: number
}

/**
 * How much later than a newer line a line may appear, in ms: lines are ordered by the start of the request and written
 * when it is answered.
 */
export const maxLatenessMs = 6_000

/** A tail without shown lines. Lines before `since` are never shown. */
export const tailSince = (since: number): LogTail => ({ shown: new Map(), newest: since, since })

/** The tail of a log whose newest line, including lines that the filter excludes, has this time. */
export const reaching = (tail: LogTail, newest: number): LogTail => ({ ...tail, newest: Math.max(tail.newest, newest) })

/** The earliest time of a new line, in ms. */
export const newSince = ({ newest, since }: LogTail): number => Math.max(since, newest - maxLatenessMs)

/** Whether a line, and therefore every earlier one, is too old to be new. */
export const isPast = (tail: LogTail, line: Resource): boolean => timeOf(line) < newSince(tail)

/** The lines that were not shown yet, oldest first, and the tail after them. */
export const following = (
  tail: LogTail,
  read: ReadonlyArray<Resource>
): { readonly lines: ReadonlyArray<Resource>; readonly tail: LogTail } => {
  const lines = read
    .filter((line) => !isPast(tail, line) && !tail.shown.has(String(line.id)))
    .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1))
  const newest = Math.max(tail.newest, ...lines.map(timeOf))
  const shown = new Map([...tail.shown, ...lines.map((line) => [String(line.id), timeOf(line)] as const)])
  for (const [id, time] of shown) if (time < newest - maxLatenessMs) shown.delete(id)
  return { lines, tail: { ...tail, shown, newest } }
}

const timeOf = ({ created_at }: Resource): number => Date.parse(String(created_at))
