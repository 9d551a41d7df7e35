import {
  type ChannelProvider,
  InboundEvent as Inbound,
  type InboundEvent,
  type OutboundFile,
  type OutboundMessage,
  SendOutcome,
  WebhookUnreadable
} from "@parley/core"
import { Effect, Either, Schema, Stream } from "effect"
import type { VendorEvent } from "../audit/Journal.js"
import type { Chance } from "./Chance.js"
import type { Faults } from "./Faults.js"
import type { Recorder } from "./Recorder.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"
import type { Timeline } from "./Timeline.js"
import { fileLimits, vendorKinds } from "./tenants.js"

/** Probabilities (0 to 1) of what a vendor does with a hand-over. What is left over: it accepts. */
export interface VendorMood {
  readonly rejects: number
  readonly throttles: number
  readonly fails: number
  /** Takes the message, and the answer is lost. */
  readonly losesAnswer: number
  /** Takes nothing, and the answer is lost. */
  readonly losesRequest: number
  /** Takes the message, and never answers. */
  readonly neverAnswers: number
  /** Answers after 20 s: longer than a lease, and than a process waits when it shuts down. */
  readonly answersLate: number
  /** Reports a receipt twice. */
  readonly repeats: number
  /** Reports a message as delivered, then as failed, then as read. */
  readonly contradicts: number
}

export const goodMood: VendorMood = {
  rejects: 0,
  throttles: 0,
  fails: 0,
  losesAnswer: 0,
  losesRequest: 0,
  neverAnswers: 0,
  answersLate: 0,
  repeats: 0,
  contradicts: 0
}

type Report = VendorEvent["report"]

/** The vendors of a history, outside of Parley. */
export interface Vendor {
  readonly setMood: (mood: VendorMood) => void
  /** The providers of a process, which call this vendor. */
  readonly providersOf: (process: SimulatedProcess) => ReadonlyArray<ChannelProvider>
}

const maxLatencyMs = 300
const lateMs = 20_000
/** Long enough that messages pile up on a connection. */
const longHoldMs = 15_000

/** `report` sends an event to Parley's webhook, until Parley confirms it. */
export const makeVendor = (
  timeline: Timeline,
  chance: Chance,
  recorder: Recorder,
  faults: Faults,
  report: (connectionId: string, event: string, report: Report) => void
): Vendor => {
  let mood = goodMood
  const taken = new Map<string, string>()

  const take = (connectionId: string, message: OutboundMessage, dedupes: boolean): string => {
    const earlier = dedupes ? taken.get(message.id) : undefined
    if (earlier !== undefined) return earlier
    const id = `vendor-${recorder.number()}`
    taken.set(message.id, id)
    const fails = chance.happens(mood.fails / 2)
    let after = chance.between(0, 400)
    const statuses = chance.happens(mood.contradicts)
      ? (["delivered", "failed", "read"] as const)
      : fails
        ? (["failed"] as const)
        : (["delivered", "read"] as const)
    for (const status of statuses) {
      if (!fails && chance.happens(0.1)) continue
      for (let n = chance.happens(mood.repeats) ? 2 : 1; n > 0; n--) {
        const happenedAt = timeline.now() + after
        // Out of order: the event of an earlier status may arrive after that of a later one.
        timeline.after(after + chance.between(0, 1_500), () =>
          report(connectionId, `${id}-${status}`, {
            type: "receipt",
            providerMessageId: id,
            // The vendor that dedupes knows the message by Parley's id.
            messageId: dedupes ? message.id : null,
            status,
            happenedAt
          })
        )
      }
      after += chance.between(1, 2_000)
    }
    return id
  }

  /** What the vendor does with a hand-over: whether it takes the message, and its answer. Null: none. */
  const decide = (connectionId: string, message: OutboundMessage, dedupes: boolean) => {
    const { rejects, throttles, fails, losesAnswer, losesRequest, neverAnswers } = mood
    let left = chance.between(0, 999) / 1_000
    const is = (probability: number) => {
      left -= probability
      return left < 0
    }
    if (is(rejects)) {
      const rejected = {
        scope: "recipient",
        code: "provider_error",
        providerCode: "no",
        providerMessage: "No."
      } as const
      return { id: null, outcome: "rejected", answer: SendOutcome.Rejected(rejected) } as const
    }
    if (is(throttles)) {
      const scope = chance.happens(0.5) ? "connection" : "recipient"
      return {
        id: null,
        outcome: "throttled",
        answer: SendOutcome.Throttled({
          retryAfterMs: chance.happens(0.2) ? longHoldMs : chance.between(1, 3_000),
          scope
        })
      } as const
    }
    if (is(fails))
      return { id: null, outcome: "transient", answer: SendOutcome.Transient({ reason: "try later" }) } as const
    const unknown = SendOutcome.Unknown({ reason: "the connection broke" })
    if (is(losesRequest)) return { id: null, outcome: "lost", answer: unknown } as const
    const id = take(connectionId, message, dedupes)
    if (is(losesAnswer)) return { id, outcome: "lost", answer: unknown } as const
    if (is(neverAnswers)) return { id, outcome: "lost", answer: null } as const
    return { id, outcome: "accepted", answer: SendOutcome.Accepted({ providerMessageId: id, receipts: [] }) } as const
  }

  const send =
    (process: SimulatedProcess, dedupes: boolean): ChannelProvider["send"] =>
    (connection, _credentials, message) =>
      Effect.flatMap(Effect.forEach(message.files ?? [], textOf), (files) =>
        Effect.async((resume) => {
          const handOver = recorder.number()
          recorder.record({
            kind: "hand-over",
            handOver,
            process: process.name,
            connectionId: connection.id,
            messageId: message.id,
            to: message.to,
            text: message.body,
            files
          })
          timeline.after(chance.between(0, maxLatencyMs), () => {
            const { answer, id, outcome } = decide(connection.id, message, dedupes)
            const verdict = { kind: "verdict", handOver, taken: id !== null, providerMessageId: id } as const
            if (answer === null) return recorder.record({ ...verdict, outcome: "lost" })
            process.loop.setTimer(
              () => {
                recorder.record({ ...verdict, outcome })
                resume(Effect.succeed(answer))
              },
              chance.between(0, maxLatencyMs) + (chance.happens(mood.answersLate) ? lateMs : 0)
            )
          })
        })
      )

  const sendAt =
    (process: SimulatedProcess, dedupes: boolean): ChannelProvider["send"] =>
    (...given) =>
      faults.crashingAt(process, "provider", send(process, dedupes)(...given))

  return {
    setMood: (next) => {
      mood = next
    },
    providersOf: (process) =>
      vendorKinds.map((kind) => ({
        ...provider,
        kind,
        dedupes: kind === "dedupes",
        capabilities: () => ({ ...capabilities, files: { ...fileLimits[kind], bytes: 1_000 } }),
        send: sendAt(process, kind === "dedupes")
      }))
  }
}

const capabilities = {
  textMaxLength: 4_096,
  templates: false,
  deliveryReceipts: true,
  readReceipts: true,
  serviceWindowHours: null,
  types: ["text", "media"]
} as const

const provider: Omit<ChannelProvider, "kind" | "send" | "dedupes" | "capabilities"> = {
  channels: [
    { name: "whatsapp", identity: "whatsapp", standard: true },
    { name: "telegram", identity: "telegram", standard: true }
  ],
  config: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  credentials: Schema.Unknown,
  parseHandle: (_channel, handle) => Either.right(handle),
  webhook: {
    verify: () => true,
    parse: (_connection, { body }) =>
      Effect.mapBoth(
        Effect.try(() => eventOf(JSON.parse(Buffer.from(body).toString("utf8")))),
        {
          onFailure: () => new WebhookUnreadable({ reason: "no JSON" }),
          onSuccess: (event) => [{ account: null, events: [event] }]
        }
      )
  }
}

const textOf = ({ bytes }: OutboundFile) => Stream.mkString(Stream.decodeText(Stream.orDie(bytes)))

const eventOf = (report: Report): InboundEvent =>
  report.type === "message"
    ? Inbound.Message({
        providerMessageId: report.providerMessageId,
        from: report.from,
        body: report.text,
        subject: null,
        displayName: null,
        attachments: [],
        automatic: false
      })
    : Inbound.Receipt({
        providerMessageId: report.providerMessageId,
        messageId: report.messageId ?? null,
        receipt: {
          status: report.status,
          at: report.happenedAt,
          error:
            report.status === "failed" ? { code: "provider_error", message: "The vendor could not deliver it." } : null
        }
      })
