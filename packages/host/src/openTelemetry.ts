import type { Attributes, Context as OtelContext, Span as OtelSpan, Tracer as OtelTracer } from "@opentelemetry/api"
import { Cause, type Context, Exit, Option, Tracer } from "effect"

/** A tracer of OpenTelemetry, from `trace.getTracer(…)` of `@opentelemetry/api`. */
export interface OpenTelemetryTracer {
  readonly startSpan: (name: string, options?: never, context?: never) => unknown
}

/** The tracer of the caller, as Effect's. */
export interface OpenTelemetry {
  readonly tracer: Tracer.Tracer
  /** The span of the caller's trace that is active now. */
  readonly activeSpan: () => Tracer.AnySpan | undefined
}

/** `@opentelemetry/api` is not installed. */
const notInstalled = "createParley: tracer needs @opentelemetry/api: npm install @opentelemetry/api"

/**
 * Loads `@opentelemetry/api`, which callers with a tracer have. `@effect/opentelemetry` does the same as this file, but
 * requires the SDKs of OpenTelemetry to be installed everywhere.
 */
export const openTelemetry = async (given: OpenTelemetryTracer): Promise<OpenTelemetry> => {
  const api = await import("@opentelemetry/api").catch((cause) => {
    throw new TypeError(notInstalled, { cause })
  })
  const otel = given as unknown as OtelTracer
  const { SpanKind } = api
  const kinds = {
    internal: SpanKind.INTERNAL,
    client: SpanKind.CLIENT,
    server: SpanKind.SERVER,
    producer: SpanKind.PRODUCER,
    consumer: SpanKind.CONSUMER
  }
  /** The spans of OpenTelemetry, so that handlers of the caller find the one that is active. */
  const spans = new WeakMap<Tracer.AnySpan, OtelSpan>()
  const spanContextOf = ({ sampled, spanId, traceId }: Tracer.AnySpan) => ({
    traceId,
    spanId,
    traceFlags: sampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE
  })
  const contextWith = (context: OtelContext, span: Tracer.AnySpan): OtelContext =>
    api.trace.setSpan(context, spans.get(span) ?? api.trace.wrapSpanContext({ ...spanContextOf(span), isRemote: true }))

  const span: Tracer.Tracer["span"] = (name, parent, context, links, startTime, kind, options) => {
    const active = api.context.active()
    const opened = otel.startSpan(
      name,
      {
        kind: kinds[kind],
        startTime: hrTime(startTime),
        links: links.map((link) => ({ context: spanContextOf(link.span), attributes: attributesOf(link.attributes) })),
        root: options?.root === true
      },
      Option.match(parent, { onNone: () => active, onSome: (parent) => contextWith(active, parent) })
    )
    const made = new CallersSpan(opened, { name, parent, context, links: [...links], startTime, kind }, (link) => ({
      context: spanContextOf(link.span),
      attributes: attributesOf(link.attributes)
    }))
    spans.set(made, opened)
    return made
  }

  return {
    tracer: Tracer.make({
      span,
      context: (execution, { currentSpan }) =>
        currentSpan === undefined
          ? execution()
          : api.context.with(contextWith(api.context.active(), currentSpan), execution)
    }),
    activeSpan: () => {
      const active = api.trace.getActiveSpan()?.spanContext()
      if (active === undefined || !api.isSpanContextValid(active)) return undefined
      const { spanId, traceFlags, traceId } = active
      return Tracer.externalSpan({ spanId, traceId, sampled: (traceFlags & api.TraceFlags.SAMPLED) !== 0 })
    }
  }
}

interface SpanParts {
  readonly name: string
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly links: Array<Tracer.SpanLink>
  readonly startTime: bigint
  readonly kind: Tracer.SpanKind
}

/** A span of Effect that records into one of OpenTelemetry. */
class CallersSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly name: string
  readonly spanId: string
  readonly traceId: string
  readonly sampled: boolean
  readonly parent: Option.Option<Tracer.AnySpan>
  readonly context: Context.Context<never>
  readonly links: Array<Tracer.SpanLink>
  readonly kind: Tracer.SpanKind
  readonly attributes = new Map<string, unknown>()
  status: Tracer.SpanStatus

  constructor(
    private readonly opened: OtelSpan,
    { context, kind, links, name, parent, startTime }: SpanParts,
    private readonly linkOf: (link: Tracer.SpanLink) => Parameters<OtelSpan["addLink"]>[0]
  ) {
    const { spanId, traceFlags, traceId } = opened.spanContext()
    this.name = name
    this.spanId = spanId
    this.traceId = traceId
    this.sampled = (traceFlags & 1) === 1
    this.parent = parent
    this.context = context
    this.links = links
    this.kind = kind
    this.status = { _tag: "Started", startTime }
  }

  attribute(key: string, value: unknown): void {
    this.attributes.set(key, value)
    this.opened.setAttributes(attributesOf({ [key]: value }))
  }

  event(name: string, startTime: bigint, attributes: Record<string, unknown> = {}): void {
    this.opened.addEvent(name, attributesOf(attributes), hrTime(startTime))
  }

  addLinks(links: ReadonlyArray<Tracer.SpanLink>): void {
    this.links.push(...links)
    for (const link of links) this.opened.addLink(this.linkOf(link))
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
    if (Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)) {
      const error = Cause.squash(exit.cause)
      const message = error instanceof Error ? error.message : String(error)
      this.opened.recordException(error instanceof Error ? error : { name: "Error", message }, hrTime(endTime))
      this.opened.setStatus({ code: errorStatus, message })
    }
    this.opened.end(hrTime(endTime))
  }
}

/** `SpanStatusCode.ERROR` of the API. */
const errorStatus = 2

/** Seconds and nanoseconds, as OpenTelemetry takes a time. */
const hrTime = (nanoseconds: bigint): [number, number] => [
  Number(nanoseconds / 1_000_000_000n),
  Number(nanoseconds % 1_000_000_000n)
]

const attributesOf = (attributes: Readonly<Record<string, unknown>>): Attributes =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      if (value === undefined || value === null) return []
      return [
        [
          name,
          typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : `${value}`
        ]
      ]
    })
  )
