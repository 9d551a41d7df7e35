import type { Entry } from "../audit/Journal.js"
import type { Checked } from "./checkSeed.js"

const maxText = 160
const short = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

/** An entry as a line of text. */
export const lineOf = (entry: Entry): string => {
  switch (entry.kind) {
    case "world":
      return `${entry.applications.length} applications, ${entry.connections.length} connections, ${entry.endpoints.length} endpoints`
    case "request":
      return `#${entry.request} ${entry.caller}: ${entry.method} ${entry.path}${entry.idempotencyKey === null ? "" : ` key ${entry.idempotencyKey}`} ${entry.body === null ? "" : short(entry.body)}`
    case "response":
      return `#${entry.request} answered ${entry.status} ${short(entry.body)}`
    case "enqueue":
      return `${entry.caller} writes the request ${entry.id} in a transaction of ${entry.process}, key ${entry.idempotencyKey} ${short(entry.body)}`
    case "enqueued":
      return `the request ${entry.id} is committed`
    case "enqueued-outcome":
      return `the request ${entry.id} is ${entry.status ?? "unknown"} ${short(entry.answer)}`
    case "hand-over":
      return `#${entry.handOver} ${entry.process} hands message ${entry.messageId} to the vendor, for ${entry.to}`
    case "verdict":
      return `#${entry.handOver} ${entry.outcome}${entry.taken ? `, taken as ${entry.providerMessageId}` : ", not taken"}`
    case "vendor-event":
      return `#${entry.call} the vendor reports ${entry.event} ${short(entry.report)}`
    case "vendor-event-answer":
      return `#${entry.call} the vendor is answered ${entry.status}`
    case "webhook":
      return `#${entry.attempt} ${entry.process} posts to ${entry.url}: ${short(entry.body)}`
    case "webhook-answer":
      return `#${entry.attempt} the receiver answers ${entry.status ?? "nothing: the connection breaks"}${entry.arrived ? "" : ", which does not arrive"}`
    case "subscribe":
      return `${entry.process} handles ${entry.url} from now on`
    case "subscribed":
      return `${entry.url} of ${entry.process} is stored as ${entry.endpointId}`
    case "unsubscribe":
      return `${entry.process} no longer handles ${entry.url}`
    case "handling":
      return `#${entry.attempt} ${entry.process} handles ${entry.url}, attempt ${entry.number}: ${short(entry.body)}`
    case "handled":
      return `#${entry.attempt} the function ${entry.succeeded ? "succeeds" : "fails"}`
    case "fault":
      return `FAULT ${entry.text}`
    case "quiet":
      return "QUIET no more faults"
    case "end":
      return "END"
  }
}

/** A history as text: its entries with their numbers and times in seconds, and what the auditor found. */
export const storyOf = ({ journal, violations }: Checked): string => {
  const begun = journal[0]?.at ?? 0
  const lines = journal.map(
    (entry, n) => `${String(n).padStart(5)} ${((entry.at - begun) / 1_000).toFixed(3).padStart(11)}  ${lineOf(entry)}`
  )
  const found = violations.map(
    ({ entries, promise, text }) => `VIOLATION ${promise}: ${text} (entries ${entries.join(", ")})`
  )
  return [...lines, ...found].join("\n")
}
