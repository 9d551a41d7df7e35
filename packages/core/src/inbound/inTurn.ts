import type { InboundEvent } from "./InboundEvent.js"

/**
 * Events shared out to lists that may be carried out at the same time, each in its order: those of one handle (and of two of
 * which one became the other) are in one list, and so are receipts of one message and the vendor's words on one template.
 */
export const inTurn = (events: ReadonlyArray<InboundEvent>): ReadonlyArray<ReadonlyArray<InboundEvent>> => {
  const turns = new Map<string, Array<InboundEvent>>()
  events.forEach((event, index) => {
    const subjects = subjectsOf(event, index)
    const [turn = [], ...others] = new Set(
      subjects.flatMap((subject) => {
        const known = turns.get(subject)
        return known === undefined ? [] : [known]
      })
    )
    for (const other of others) {
      turn.push(...other)
      for (const [subject, known] of turns) if (known === other) turns.set(subject, turn)
    }
    turn.push(event)
    for (const subject of subjects) turns.set(subject, turn)
  })
  return [...new Set(turns.values())]
}

/** What an event must not overtake other events of. */
const subjectsOf = (event: InboundEvent, index: number): ReadonlyArray<string> => {
  switch (event._tag) {
    case "Message":
      return [`handle ${event.from}`]
    case "Watermark":
    case "OptOut":
      return [`handle ${event.handle}`]
    case "HandleChanged":
      return [`handle ${event.from}`, `handle ${event.to}`]
    case "Receipt":
      return [`message ${event.providerMessageId}`]
    case "TemplateStatus":
      return [`template ${event.language} ${event.name}`]
    case "Unknown":
      return [`unknown ${index}`]
  }
}
