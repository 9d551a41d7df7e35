import type { AttemptRecord, Call, EndpointHistory, History } from "../History.js"
import { isUuid } from "../History.js"
import { hmacSha256 } from "../hmacSha256.js"
import { canonicalJson, type JsonObject, listAt, objectOf, textAt, valueAt } from "../json.js"
import { possibleValues } from "../possibleValues.js"
import { attemptTimeout, clockSkew } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * Each attempt has the documented headers, which agree with its body, and a signature by the endpoint's present secret
 * over its own time and body (docs/reference/webhooks.md#delivery-headers, docs/reference/webhooks.md#signature). All
 * attempts at an event have the same body but for the links of attachments (docs/reference/events.md#payload-objects).
 * The functions of subscriptions get the body only; those of a workspace one with the application.
 *
 * Not checked: signatures of an endpoint whose new secret did not arrive; and bodies of events of a contact that is
 * merged.
 */
export function* webhookForm(history: History): Iterable<Violation> {
  const bodies = new Map<string, AttemptRecord>()
  const isMerged = history.calls.some(({ operation }) => operation === "POST /contacts/{}/merge")
  const attemptIds = new Map<string, AttemptRecord>()
  const signers: Signers = new Map()
  for (const record of history.attempts) {
    const { attempt, endpoint, entry, eventId } = record
    const ofWorkspace = endpoint?.subscription?.workspaceId != null
    const kind = `${eventId} ${ofWorkspace}`
    const first = bodies.get(kind)
    if (first === undefined) bodies.set(kind, record)
    else if (!isMerged && !isSameBody(first, record)) {
      yield violation("webhook-same-body", record, "has another body than an earlier attempt", [first.entry, entry])
    }
    if (endpoint?.subscription != null) continue
    const problem = headerProblem(record)
    if (problem !== null) yield violation("webhook-headers", record, problem, [entry])

    const attemptId = attempt.headers["x-delivery-id"] ?? ""
    const same = attemptIds.get(attemptId)
    // A kept-alive connection that the receiver closed is replaced within the same attempt.
    if (same !== undefined && (same.eventId !== eventId || hasAnswer(same))) {
      yield violation("webhook-headers", record, `has the X-Delivery-ID ${attemptId} of another attempt`, [
        same.entry,
        entry
      ])
    }
    attemptIds.set(attemptId, record)

    if (endpoint !== null && !isSigned(signers, record, endpoint)) {
      yield violation("webhook-signature", record, "is not signed by the endpoint's secret", [entry])
    }
  }
}

const hasAnswer = ({ answer }: AttemptRecord): boolean => answer !== null && answer.status !== null && answer.arrived

const violation = (
  promise: string,
  { attempt, eventId }: AttemptRecord,
  problem: string,
  entries: ReadonlyArray<number>
): Violation => ({ promise, at: attempt.at, text: `A webhook of event ${eventId} ${problem}.`, entries })

const headerProblem = ({ attempt, event, eventId, number, type }: AttemptRecord): string | null => {
  const { headers } = attempt
  if (event === null) return "has a body that is no JSON object"
  if (!isUuid(eventId) || headers["x-event-id"] !== eventId || event.id !== eventId)
    return "has contradicting event ids"
  if (headers["x-event-type"] !== event.type) return `has the X-Event-Type ${type} and the type ${event.type}`
  const timestamp = headers["x-webhook-timestamp"]
  if (headers["x-event-timestamp"] !== timestamp) return "has contradicting timestamps"
  const signedAt = Number(timestamp) * 1000
  // In whole seconds; and the attempt may take its time to connect.
  if (!(signedAt > attempt.at - attemptTimeout - clockSkew - 1000 && signedAt < attempt.at + clockSkew)) {
    return `has the X-Webhook-Timestamp ${timestamp} at ${attempt.at}`
  }
  if (!(Number.isInteger(number) && number >= 1)) return `has the X-Delivery-Attempt ${headers["x-delivery-attempt"]}`
  if (!isUuid(headers["x-delivery-id"] ?? "")) return "has no X-Delivery-ID"
  if (!(headers["content-type"] ?? "").startsWith("application/json")) return "has another Content-Type than JSON"
  if (!(headers["user-agent"] ?? "").endsWith("-Webhooks/1.0")) return "has another User-Agent"
  if (!(Date.parse(textAt(event, "created_at") ?? "") < attempt.at + clockSkew))
    return "has no created_at, or one in the future"
  return null
}

/**
 * The secrets that may be in force at an attempt; null is one that is not known. What is signed before a rotation may
 * arrive later.
 */
const secretsAt = (endpoint: EndpointHistory, at: number): ReadonlySet<string | null> => {
  const rotations = endpoint.changes.filter(({ operation }) => operation === "POST /webhook-endpoints/{}/rotate-secret")
  const secretIn = ({ response }: Call) => textAt(response?.body, "data", "secret")
  return possibleValues(endpoint.secret, rotations, secretIn, at - attemptTimeout, at)
}

const isSigned = (signers: Signers, { attempt }: AttemptRecord, endpoint: EndpointHistory): boolean => {
  const signature = attempt.headers["x-webhook-signature"]
  const isBy = (secret: string | null) => secret === null || signature === signatureOf(signers, secret, attempt)
  return endpoint.changes.length === 0 ? isBy(endpoint.secret) : [...secretsAt(endpoint, attempt.at)].some(isBy)
}

/** Signers by secret: to prepare one costs as much as to sign a short text. */
type Signers = Map<string, (text: string) => string>

const signatureOf = (signers: Signers, secret: string, { body, headers }: AttemptRecord["attempt"]): string => {
  const sign = signers.get(secret) ?? hmacSha256(secret)
  signers.set(secret, sign)
  return `sha256=${sign(`${headers["x-webhook-timestamp"]}.${body}`)}`
}

const isSameBody = (one: AttemptRecord, other: AttemptRecord): boolean =>
  one.attempt.body === other.attempt.body || withoutLinks(one) === withoutLinks(other)

const withoutLinks = ({ event }: AttemptRecord): string => {
  const message = objectOf(valueAt(event, "data", "message"))
  if (event === null || message === null) return canonicalJson(event)
  const attachments = listAt(message, "attachments").map((attachment) => ({
    ...(attachment as JsonObject),
    url: null,
    expires_at: null
  }))
  return canonicalJson({ ...event, data: { ...objectOf(event.data), message: { ...message, attachments } } })
}
