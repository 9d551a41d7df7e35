import type { UnreliableReceiver } from "./unreliableReceiver.js"

/** What receivers saw, held against the attempts that are written down. */
export interface Journal {
  /**
   * The attempts that receivers saw; some twice, where a kept connection died and they went out again on a fresh one.
   */
  readonly seen: ReadonlySet<string>
  /** Those of them that have no row: their process died before the commit. */
  readonly unwritten: ReadonlyArray<string>
  /** Those whose row says something else than their receiver did. */
  readonly misstated: ReadonlyArray<string>
  /** Events that came to a receiver again after it took them and that was written down. */
  readonly needless: ReadonlyArray<string>
  /** How many came again to a receiver that had taken them. */
  readonly again: number
}

/** Looks through what the receivers saw; `rows`: the attempts that have a row. */
export const journalOf = (
  receivers: ReadonlyArray<UnreliableReceiver>,
  rows: ReadonlyArray<{ readonly id: string; readonly status: unknown; readonly error: unknown }>
): Journal => {
  const written = new Map(rows.map(({ id, status }) => [id, status === null ? null : Number(status)]))
  const errors = new Map(rows.map(({ error, id }) => [id, error]))
  const attempts = new Set<string>()
  const misstated: Array<string> = []
  const needless: Array<string> = []
  let again = 0
  for (const { seen } of receivers) {
    const taken = new Set<string>()
    const finished = new Set<string>()
    for (const { answered, attempt, event } of seen) {
      attempts.add(attempt)
      if (taken.has(event)) again++
      if (finished.has(event)) needless.push(event)
      if (answered === 200) taken.add(event)
      if (answered === null || !written.has(attempt)) continue
      if (written.get(attempt) !== answered) {
        misstated.push(`${attempt}: ${answered}, but ${written.get(attempt)} (${errors.get(attempt)})`)
      }
      if (answered === 200) finished.add(event)
    }
  }
  return { seen: attempts, unwritten: [...attempts].filter((id) => !written.has(id)), misstated, needless, again }
}
