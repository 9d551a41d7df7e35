/** An event of a message, as a webhook reported it. */
export interface ReportedEvent {
  /** The message's own reference, chosen by the victim. */
  readonly reference: string
  readonly type: string
  readonly eventId: string
}

/** What was accepted, and what webhooks reported about it. */
export interface Ledger {
  /** Expects events of these types about an accepted message. */
  readonly accept: (reference: string, types: ReadonlyArray<string>) => void
  /** Records a webhook; true for the first one about the message. */
  readonly report: (event: ReportedEvent) => boolean
  /** The accepted messages with the types that are missing. */
  readonly missing: () => ReadonlyArray<string>
  /** The messages that had one type of event under several event ids. The same event id again is a redelivery. */
  readonly repeated: () => ReadonlyArray<string>
}

export const makeLedger = (): Ledger => {
  const expected = new Map<string, ReadonlyArray<string>>()
  const reported = new Map<string, Map<string, Set<string>>>()
  return {
    accept: (reference, types) => {
      expected.set(reference, types)
    },
    report: ({ eventId, reference, type }) => {
      const isFirst = !reported.has(reference)
      const types = reported.get(reference) ?? new Map<string, Set<string>>()
      reported.set(reference, types.set(type, (types.get(type) ?? new Set()).add(eventId)))
      return isFirst
    },
    missing: () =>
      [...expected].flatMap(([reference, types]) => {
        const left = types.filter((type) => !reported.get(reference)?.has(type))
        return left.length === 0 ? [] : [`${reference}: ${left.join(", ")}`]
      }),
    repeated: () =>
      [...reported].flatMap(([reference, types]) =>
        [...types].flatMap(([type, ids]) => (ids.size > 1 ? [`${reference}: ${type} as ${[...ids].join(", ")}`] : []))
      )
  }
}
