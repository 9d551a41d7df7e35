import type { InboundEvent } from "./InboundEvent.js"

/**
 * Events shared out to lists that may be carried out at the same time, each in its order: those of one handle (and of two of
 * which one became the other) are in one list, and so are receipts of one message and the vendor's words on one template.
 */
export const inTurn = (events: ReadonlyArray<InboundEvent>): ReadonlyArray<ReadonlyArray<InboundEvent>> => {
  const subjects = events.map(subjectsOf)
  const groups = groupsOf(subjects)
  const turns = new Map<string, Array<InboundEvent>>()
  events.forEach((event, index) => {
    const group = groups(subjects[index]?.[0] ?? "")
    const turn = turns.get(group) ?? []
    turns.set(group, turn)
    turn.push(event)
  })
  return [...turns.values()]
}

/**
 * The group of a subject, where those that are named together are of one group, and so on. Each points at another of its
 * group, and is pointed nearer to the last one as it is looked for (union-find): a body may name a hundred thousand.
 */
const groupsOf = (namedTogether: ReadonlyArray<ReadonlyArray<string>>): ((subject: string) => string) => {
  const pointers = new Map<string, string>()
  const groupOf = (subject: string): string => {
    let at = subject
    for (let next = pointers.get(at); next !== undefined; next = pointers.get(at)) {
      pointers.set(at, pointers.get(next) ?? next)
      at = next
    }
    return at
  }
  for (const [first = "", ...others] of namedTogether) {
    for (const other of others) {
      const [one, another] = [groupOf(first), groupOf(other)]
      if (one !== another) pointers.set(one, another)
    }
  }
  return groupOf
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
