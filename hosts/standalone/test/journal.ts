import type { UnreliableReceiver } from "./unreliableReceiver.js"

/** The webhooks that receivers saw, compared with the stored attempts. */
export interface Journal {
  /**
   * The attempts that receivers saw; some twice, where a kept connection died and they went out again on a fresh one.
   */
  readonly seen: ReadonlySet<string>
  /** Those of them that have no row: their process died before the commit. */
  readonly unwritten: ReadonlyArray<string>
  /** Those whose row has another status than their receiver answered: the id, both, and the row's error. */
  readonly misstated: ReadonlyArray<string>
  /** Events that a receiver got again after it had answered 200 and the attempt was stored with this status. */
  readonly needless: ReadonlyArray<string>
  /** How many came again to a receiver that had taken them. */
  readonly again: number
}

/** Looks through what the receivers saw; `rows`: the attempts that have a row. */
export const journalOf = (
  receivers: ReadonlyArray<UnreliableReceiver>,
  rows: ReadonlyArray<{ readonly id: string; readonly status: unknown; readonly error: unknown }>
): Journal => {
  const written = new Map(rows.map((row) => [row.id, row]))
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
      const row = written.get(attempt)
      if (answered === null || row === undefined) continue
      const status = row.status === null ? null : Number(row.status)
      if (status !== answered) misstated.push(`${attempt}: ${answered}, but ${status} (${row.error})`)
      else if (answered === 200) finished.add(event)
    }
  }
  return { seen: attempts, unwritten: [...attempts].filter((id) => !written.has(id)), misstated, needless, again }
}
