import type { InboundEvent } from "../../model/InboundEvent.js"

/**
 * Partitions events into lists that can be applied concurrently, each in order. Events of one handle (or of two handles
 * of which one replaced the other), receipts of one message, and changes of one template share a list.
 */
export const partitionBySubject = (events: ReadonlyArray<InboundEvent>): ReadonlyArray<ReadonlyArray<InboundEvent>> => {
  const subjects = events.map(subjectsOf)
  const groups = groupsOf(subjects)
  const partitions = new Map<string, Array<InboundEvent>>()
  events.forEach((event, index) => {
    const group = groups(subjects[index]?.[0] ?? "")
    const partition = partitions.get(group) ?? []
    partitions.set(group, partition)
    partition.push(event)
  })
  return [...partitions.values()]
}

/**
 * Union-find over subjects: subjects that occur together are in one group. Path halving, as a body may have 100,000
 * subjects.
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

/** The subjects whose order the event must keep. */
const subjectsOf = (event: InboundEvent, index: number): ReadonlyArray<string> => {
  switch (event._tag) {
    case "Message":
      return [`handle ${event.from}`, ...(event.otherHandle == null ? [] : [`handle ${event.otherHandle}`])]
    case "History":
    case "Watermark":
    case "OptOut":
      return [`handle ${event.handle}`]
    case "HandleChanged":
      return [`handle ${event.from}`, `handle ${event.to}`]
    // Ordered with the receipts of the message too.
    case "Echo":
      return [`handle ${event.to}`, `message ${event.providerMessageId}`]
    case "Receipt":
      return [`message ${event.providerMessageId}`]
    case "AccountNotice":
      return ["account"]
    case "TemplateStatus":
      return [`template ${event.language} ${event.name}`]
    case "Unsubscribe":
      return [`signed id ${event.signedId}`]
    case "Unknown":
      return [`unknown ${index}`]
  }
}
