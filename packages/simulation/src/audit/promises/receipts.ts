import { erasureOfMessage, erasuresOf } from "../erasures.js"
import type { HandOverRecord, History, MessageHistory, Sighting, VendorReport } from "../History.js"
import { textAt } from "../json.js"
import { failedByOptOut } from "../optOuts.js"
import { inFlight } from "../tolerances.js"
import type { Violation } from "../Violation.js"

const order = ["queued", "sent", "delivered", "read"]

/**
 * A send that the vendor accepted is recorded, and a receipt that was answered 2xx moves its message, unless the
 * message is further already (docs/reference/messages.md#receipts).
 * A message is `delivered` or `read` only if the vendor reported it, `sent` only if the vendor may have it, and
 * `failed` only after a rejection, a receipt of failure, an opt-out, or 24 hours
 * (docs/reference/messages.md#message-status, docs/reference/messages.md#throttled-and-failing-sends,
 * docs/reference/sends.md#opt-outs-while-a-message-waits).
 *
 * Not checked: receipts for a message that was handed over several times or whose answer was lost, because Parley may
 * not know the vendor's id; connections without calls of a vendor, such as the sandbox; why a message failed after
 * `moved` or after an administrator dropped a job.
 */
export function* receipts(history: History): Iterable<Violation> {
  const reports = reportsOf(history)
  const reporting = new Set(history.handOvers.map(({ handOver }) => handOver.connectionId))
  for (const message of history.messages.values()) {
    yield* applied(history, message, reports)
    const first = message.sightings.find((sighting) => textAt(sighting.message, "direction") === "outbound")
    if (first === undefined || !reporting.has(textAt(first.message, "connection_id") ?? "")) continue
    yield* caused(history, message, reports)
  }
}

/** Receipts by connection and the vendor's message id, and by Parley's, where the vendor knows it. */
const reportsOf = (history: History): ReadonlyMap<string, ReadonlyArray<VendorReport>> => {
  const reports = new Map<string, Array<VendorReport>>()
  for (const report of history.reports.values()) {
    if (report.event.report.type !== "receipt") continue
    const { messageId, providerMessageId } = report.event.report
    for (const id of messageId == null ? [providerMessageId] : [providerMessageId, messageId]) {
      const key = `${report.event.connectionId} ${id}`
      const known = reports.get(key)
      if (known === undefined) reports.set(key, [report])
      else known.push(report)
    }
  }
  return reports
}

const receiptsFor = (
  { handOvers, id }: MessageHistory,
  reports: ReadonlyMap<string, ReadonlyArray<VendorReport>>
): ReadonlyArray<VendorReport> => [
  ...new Set(
    handOvers.flatMap(({ handOver: { connectionId }, verdict }) => [
      ...(reports.get(`${connectionId} ${verdict?.providerMessageId}`) ?? []),
      ...(reports.get(`${connectionId} ${id}`) ?? [])
    ])
  )
]

/**
 * The time in ms by which the end of a hand-over is recorded: its process tries again while the storage is away.
 * Infinity where the process crashed before, or is about to.
 */
const recordedBy = ({ faults }: History, { handOver, verdict }: HandOverRecord): number => {
  let until = verdict?.at ?? Infinity
  for (const { fault, until: over } of faults) {
    if (over < handOver.at || fault.at > until + inFlight) continue
    if (fault.crashed === handOver.process) return Infinity
    until = Math.max(until, over)
  }
  return until + inFlight
}

/**
 * Readings of a message that one vendor accepted, at the only hand-over that may have gone out: once the acceptance is
 * recorded, each reading has the receipts that were answered before it.
 */
function* applied(
  history: History,
  message: MessageHistory,
  reports: ReadonlyMap<string, ReadonlyArray<VendorReport>>
): Iterable<Violation> {
  const [only, other] = message.handOvers.filter(
    ({ verdict }) => verdict?.outcome !== "throttled" && verdict?.outcome !== "transient"
  )
  if (only?.verdict?.outcome !== "accepted" || other !== undefined) return
  const acceptedAt = only.verdict.at
  const receipts = receiptsFor(message, reports)
  for (const { at, entry: seenAt, message: seen, since } of message.sightings) {
    const status = textAt(seen, "status") ?? ""
    if (since === null || status === "failed") continue
    if (status === "queued") {
      if ((history.journal[since]?.at ?? 0) < recordedBy(history, only)) continue
      yield {
        promise: "accepted-send-is-recorded",
        at,
        text: `The vendor accepted message ${message.id} ${at - acceptedAt} ms ago, and it is still queued.`,
        entries: [only.verdictEntry, seenAt]
      }
      continue
    }
    for (const { acknowledged, entry, event } of receipts) {
      if (event.report.type !== "receipt" || acknowledged === null || acknowledged.entry > since) continue
      const reported = event.report.status
      if (reported === "failed" ? status !== "sent" : order.indexOf(status) >= order.indexOf(reported)) continue
      yield {
        promise: "receipt-moves-the-status",
        at,
        text: `The vendor reported message ${message.id} as ${reported}, was answered 2xx, and the message is ${status}.`,
        entries: [entry, acknowledged.entry, seenAt]
      }
    }
  }
}

/** A message fails where its next try would come 24 h after its first failure; tries are at most 5 min apart. In ms. */
const givesUpAfter = 24 * 3_600_000 - 6 * 60_000

function* caused(
  history: History,
  message: MessageHistory,
  reports: ReadonlyMap<string, ReadonlyArray<VendorReport>>
): Iterable<Violation> {
  for (const sighting of message.sightings) {
    const status = textAt(sighting.message, "status") ?? ""
    const problem =
      status === "failed"
        ? failureProblem(history, message, sighting, reports)
        : progressProblem(message, status, sighting, reports)
    if (problem === null) continue
    yield {
      promise: "status-has-a-cause",
      at: sighting.at,
      text: `Message ${message.id} is ${status}, ${problem}.`,
      entries: [sighting.entry]
    }
    return
  }
}

const progressProblem = (
  message: MessageHistory,
  status: string,
  { entry }: Sighting,
  reports: ReadonlyMap<string, ReadonlyArray<VendorReport>>
): string | null => {
  const rank = order.indexOf(status)
  if (rank < 1) return null
  const mayHaveIt = message.handOvers.some(({ verdict, ...handOver }) => {
    const outcome = handOver.verdictEntry < entry ? verdict?.outcome : "lost"
    return handOver.entry < entry && (outcome === "accepted" || outcome === "lost")
  })
  if (!mayHaveIt) return "and no vendor took it"
  if (rank === 1) return null
  // A receipt may be for a hand-over whose id of the vendor is not known here.
  if (
    message.handOvers.some(({ verdict }) => verdict === null || (verdict.taken && verdict.providerMessageId === null))
  )
    return null
  const reported = receiptsFor(message, reports).some(
    ({ entry: reportedAt, event }) =>
      event.report.type === "receipt" && reportedAt < entry && order.indexOf(event.report.status) >= rank
  )
  return reported ? null : "and the vendor did not report it"
}

const failureProblem = (
  history: History,
  message: MessageHistory,
  sighting: Sighting,
  reports: ReadonlyMap<string, ReadonlyArray<VendorReport>>
): string | null => {
  const { at, entry } = sighting
  if (failedByOptOut(history, message, sighting)) return null
  const began = message.acknowledged[0]?.request.at ?? message.handOvers[0]?.handOver.at ?? -Infinity
  const isAccepted = message.handOvers.some(
    (handOver) => handOver.verdict?.outcome === "accepted" && recordedBy(history, handOver) < began + givesUpAfter
  )
  if ((at - began >= givesUpAfter && !isAccepted) || message.rejected.length > 0) return null
  const isRejected = message.handOvers.some(
    ({ verdict, verdictEntry }) =>
      verdictEntry < entry && (verdict?.outcome === "rejected" || verdict?.outcome === "moved")
  )
  const isReported = receiptsFor(message, reports).some(
    ({ entry: reportedAt, event }) =>
      event.report.type === "receipt" && reportedAt < entry && event.report.status === "failed"
  )
  const isDropped = history.calls.some(({ operation }) => operation === "POST /jobs/{}/drop")
  // The files of an erased contact's message may be gone before the message.
  const erasure = erasureOfMessage(erasuresOf(history), message)
  const isErased = erasure !== null && erasure.entry < entry
  return isRejected || isReported || isDropped || isErased ? null : "and no vendor rejected it"
}
