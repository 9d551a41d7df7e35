import { createClient } from "@parley/client"
import { Dispatcher, Engine, metrics, ownSeries, prometheusText } from "@parley/core"
import {
  adminModule,
  clientFetch,
  type Incoming,
  inProcessHandler,
  inProcessOrigin,
  makeInterpreter,
  mounted,
  nodeListener,
  publicModule,
  webHandler
} from "@parley/http"
import { Cause, Effect, Either, Exit, Fiber, Layer, Logger, ManagedRuntime, Option, Scope } from "effect"
import { makeAdmin } from "./Admin.js"
import { type InFlight, makeInFlight } from "./InFlight.js"
import { engine } from "./layers/engine.js"
import { jsonLogger } from "./layers/jsonLogger.js"
import { type LogEntry, logEntry } from "./layers/LogEntry.js"
import { readiness } from "./layers/Readiness.js"
import * as TracedPorts from "./layers/TracedPorts.js"
import { makeEnqueue } from "./makeEnqueue.js"
import { makeSubscriptions } from "./makeSubscriptions.js"
import { areOptions, makeOptionReader, refuse } from "./OptionReader.js"
import { type OpenTelemetry, openTelemetry } from "./openTelemetry.js"
import type { ApplicationOptions, InProcessOptions, Parley } from "./Parley.js"
import type { ParleyOptions } from "./ParleyOptions.js"
import { portsOf, secretKeySettingOf } from "./portsOf.js"
import { readOptions, type ValidatedOptions } from "./readOptions.js"

/** Maximum time to finish responses in progress on close, in ms. Jobs in progress have the same time beside that. */
const answersMs = 10_000
/**
 * Maximum time of an orderly close, in ms. Unfinished jobs are then abandoned; other processes take them over when
 * their leases expire.
 */
const timeoutMs = 12_000
/** Maximum time to close the storage after that, in ms. It goes on in the background. */
const storageMs = 1_000

/**
 * Opens the storage, runs migrations and starts the worker. Rejects if an option is invalid, the database cannot be
 * used, or the secret key is not the one that encrypted the database's secrets. The message says what to do.
 *
 * @example
 * ```ts
 * const parley = await createParley({ storage: { url: "sqlite:./parley.db" }, channels: [SandboxProvider] })
 * express().use("/messaging", parley.listener).listen(3000)
 * process.once("SIGTERM", () => void parley.close())
 * ```
 */
export const createParley = (options: ParleyOptions): Promise<Parley> => {
  const trace: { stack?: string } = {}
  Error.captureStackTrace(trace, createParley)
  const caller = trace.stack?.split("\n")[1]?.trim()
  return startParley(options, { process: Layer.empty, ports: (ports) => ports, openedBy: caller })
}

/** What stands in for this Node process, its clock and its network, in tests. */
export interface Surroundings {
  /** The clock, the event loop, the scheduler and the source of random numbers; empty: those of Node. */
  readonly process: Layer.Layer<never>
  /** Replaces some of the ports that the options build. */
  readonly ports: (ports: Layer.Layer<Engine.Ports, unknown>) => Layer.Layer<Engine.Ports, unknown>
  /** Where the program starts the engine, such as `at <file>:<line>:<column>`, for errors. */
  readonly openedBy?: string | undefined
}

/** {@link createParley} in given surroundings. */
export const startParley = async (options: ParleyOptions, surroundings: Surroundings): Promise<Parley> => {
  const read = Either.getOrThrowWith(readOptions(options), (invalid) => invalid)
  const logging = loggingOf(read, options)
  const telemetry = options.tracer === undefined ? null : await openTelemetry(options.tracer)
  const ports = surroundings.ports(portsOf(read, options, surroundings.openedBy))
  const tracedPorts = telemetry === null ? ports : Layer.provideMerge(TracedPorts.layer, ports)
  const tracing = telemetry === null ? Layer.setTracerEnabled(false) : Layer.setTracer(telemetry.tracer)
  const runtime = ManagedRuntime.make(
    engine(tracedPorts, secretKeySettingOf(read)).pipe(
      Layer.provideMerge(Layer.mergeAll(logging, ownSeries, tracing, surroundings.process))
    )
  )
  const inFlight = makeInFlight()
  const activeSpan = telemetry?.activeSpan ?? (() => undefined)
  const opened = await runtime.runPromiseExit(open(read, inFlight, activeSpan))
  if (Exit.isFailure(opened)) {
    await runtime.dispose()
    throw Cause.squash(opened.cause)
  }
  const { admin, drain, enqueue, fetch, inProcess, listener, metrics, setup, subscriptions, worker } = opened.value

  const end = Effect.gen(function* () {
    yield* Scope.close(worker, Exit.void)
    // Until then, functions that jobs wait for may call Parley.
    yield* Effect.zip(Effect.timeoutOption(inFlight.ended, answersMs), drain, { concurrent: true })
    inFlight.stopCalls()
    yield* inFlight.callsEnded
    // Also after an interruption, which ends the wait for jobs. Without `ensuring`, it would leave the storage open.
  }).pipe(Effect.ensuring(Effect.sync(inFlight.stopCalls)), Effect.ensuring(runtime.disposeEffect))
  const close = Effect.gen(function* () {
    const ending = yield* Effect.forkDaemon(end)
    if (Option.isSome(yield* Effect.timeoutOption(Fiber.join(ending), timeoutMs))) return
    yield* Effect.logWarning("Parley was closed with unfinished jobs. They continue when their leases expire.")
    yield* Effect.timeoutOption(Fiber.interrupt(ending), storageMs)
  }).pipe(Effect.provide(logging))
  let closed: Promise<void> | undefined

  return {
    listener: (request, response) => {
      inFlight.addResponse(response)
      listener(request, response)
    },
    fetch: async (request, connection) => {
      const response = await inFlight.addPromise(fetch(request, connection))
      if (!inFlight.accepts()) response.headers.set("connection", "close")
      return response
    },
    client: (apiKey, options = {}) => {
      refuse("client", optionProblems(options, clientOptionNames))
      return createClient({
        ...options,
        baseUrl: `http://localhost${read.mountPath}`,
        apiKey,
        shutdownSignal: inFlight.shutdownSignal,
        fetch: (input, init) => inFlight.addCall(() => fetch(new Request(input, init), { peer: inProcessPeer }))
      })
    },
    as: (applicationId, options = {}) => {
      refuse("as", [
        ...(typeof applicationId === "string" ? [] : ["the first argument must be the id of an application"]),
        ...optionProblems(options, applicationOptionNames)
      ])
      const { rateLimited = false, ...others } = options
      const fetch = inProcess({ application: { applicationId, limited: rateLimited } })
      return createClient({
        ...others,
        baseUrl: `${inProcessOrigin}${read.mountPath}`,
        apiKey: "in-process",
        shutdownSignal: inFlight.shutdownSignal,
        fetch: clientFetch((url, init) => inFlight.addCall(() => fetch(url, init)))
      })
    },
    ...subscriptions,
    ...enqueue,
    admin,
    setup,
    readiness: async () => {
      if (!inFlight.accepts()) return { ready: false, reason: "Parley is closed" }
      return runtime.runPromise(
        Effect.match(readiness, {
          onFailure: ({ reason }) => ({ ready: false, reason }),
          onSuccess: () => ({ ready: true })
        })
      )
    },
    metrics: () => inFlight.addCall(() => runtime.runPromise(metrics)),
    close: () => {
      inFlight.stop()
      closed ??= Effect.runPromise(close)
      return closed
    }
  }
}

/** Builds the interfaces of the engine, and the worker in its own scope, because it stops first. */
const open = (read: ValidatedOptions, inFlight: InFlight, activeSpan: OpenTelemetry["activeSpan"]) =>
  Effect.gen(function* () {
    const interpreter = yield* makeInterpreter({
      modules: [yield* publicModule, ...(read.adminToken === null ? [] : [yield* adminModule(read.adminToken)])],
      trustedProxies: read.trustedProxies,
      failedAttempts: read.failedAttempts,
      accepts: (incoming) => (isInProcess(incoming) ? inFlight.acceptsCalls() : inFlight.accepts()),
      stopping: inFlight.stopping,
      activeSpan,
      ...(read.publicUrl === null ? {} : { publicUrl: read.publicUrl })
    })
    const atMountPath = read.mountPath === "" ? interpreter : mounted(interpreter, read.mountPath)
    const worker = yield* Scope.make()
    if (read.worker) yield* Layer.buildWithScope(Engine.worker, worker)
    return {
      drain: (yield* Dispatcher).drain,
      listener: yield* nodeListener(atMountPath),
      fetch: yield* webHandler(atMountPath, { sending: inFlight.addPromise }),
      inProcess: yield* inProcessHandler(atMountPath),
      ...(yield* makeAdmin(inFlight, read.publicUrl, activeSpan)),
      enqueue: yield* makeEnqueue(read.storage, { activeSpan, inFlight }),
      subscriptions: yield* makeSubscriptions(worker, { hasWorker: read.worker, inFlight }),
      metrics: Effect.map(yield* metrics, prometheusText),
      worker
    }
  })

const clientOptionNames = Object.keys({
  maxRetries: true,
  timeoutMs: true,
  userAgent: true
} satisfies { readonly [Name in keyof Required<InProcessOptions>]: true })

const applicationOptionNames = Object.keys({
  maxRetries: true,
  rateLimited: true,
  timeoutMs: true
} satisfies { readonly [Name in keyof Required<ApplicationOptions>]: true })

/** Problems of options, which may come from untyped JavaScript. */
const optionProblems = (options: unknown, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (!areOptions(options)) return [`the options must be an object with ${names.join(", ")}`]
  const { known, problems } = makeOptionReader()
  known("", options, names)
  return problems
}

/** The peer of calls with a key within this process. */
const inProcessPeer = "in process"

const isInProcess = ({ application, peer }: Incoming): boolean => application !== undefined || peer === inProcessPeer

const loggingOf = ({ logLevel }: ValidatedOptions, { logger }: ParleyOptions): Layer.Layer<never> =>
  Layer.merge(
    Logger.replace(
      Logger.defaultLogger,
      logger === undefined ? Logger.withConsoleLog(jsonLogger) : Logger.map(logEntry, quietly(logger))
    ),
    Logger.minimumLogLevel(logLevel)
  )

/** Errors of the logger must not stop the engine. */
const quietly = (logger: (entry: LogEntry) => void) => (entry: LogEntry) => {
  try {
    logger(entry)
  } catch {}
}
